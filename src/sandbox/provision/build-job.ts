import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { childEnvironment, packagePlace } from '../../kernel/index.ts';
import type { BootFiles } from './boot-files.ts';

/** One piece of building, done by Python in a process of its own, so that its memory goes when it is done. */
export interface BuildJob {
  readonly pyodideFolder: string;
  /** A finished standard library starts faster than Pyodide's own. */
  readonly runtime?: BootFiles;
  /** Files put into the builder's file system before it starts: host path to builder path. */
  readonly inputs: readonly (readonly [host: string, inside: string])[];
  /** Python source that defines the functions called. */
  readonly source: string;
  /** Function to call, and its arguments, as JSON. */
  readonly call: { readonly name: string; readonly parameters: readonly unknown[] };
  /** Files taken out afterwards: builder path to host path. */
  readonly outputs: readonly (readonly [inside: string, host: string])[];
}

/** What the builder prints, one JSON document a line. */
export type BuildMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Runs a job in a child process.
 *
 * @param onProgress called with how many files are done, out of how many
 * @throws Error with Python's own message
 */
export function runBuildJob(
  job: BuildJob,
  onProgress: (done: number, total: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  // From the sources the child is TypeScript as well, and needs the loader this process was started with.
  const fromSource = import.meta.url.endsWith('.ts');
  const script = packagePlace(
    `${fromSource ? 'src' : 'dist'}/sandbox/provision/build-main.${fromSource ? 'ts' : 'js'}`,
  );
  const loader = fromSource ? ['--import', tsxUrl()] : [];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...loader, fileURLToPath(script)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // No keys, and no NODE_OPTIONS: options for the parent (inspectors, coverage) slow the builder or break it.
      env: childEnvironment(process.env, ['PATH']),
      signal,
    });
    let reason = '';
    let complaint = '';
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const message = JSON.parse(line) as BuildMessage;
        if (message.kind === 'progress') onProgress(message.done, message.total);
        else reason = message.reason;
      }
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2_000);
    });
    child.on('error', reject);
    child.on('close', (code, killed) => {
      if (code === 0) resolve();
      else reject(new Error(reason || `the builder ended with ${killed ?? code}. ${complaint}`.trim()));
    });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(job));
  });
}

function tsxUrl(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
