import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { childEnvironment, packagePlace } from '../../kernel/index.ts';
import type { BootFiles } from './boot.ts';

/** Build step that runs Python in a separate process, so that its memory is released afterwards. */
export interface BuildJob {
  readonly pyodideFolder: string;
  /** Finished standard library, which starts faster than Pyodide's. */
  readonly runtime?: BootFiles;
  /** Files copied into the builder's file system before it starts: host path to builder path. */
  readonly inputs: readonly (readonly [host: string, inside: string])[];
  /** Python source that defines the functions called. */
  readonly source: string;
  /** Function to call, and its arguments, as JSON. */
  readonly call: { readonly name: string; readonly parameters: readonly unknown[] };
  /** Files copied out of the builder's file system afterwards: builder path to host path. */
  readonly outputs: readonly (readonly [inside: string, host: string])[];
}

/** Message of the builder, one JSON document per line. */
export type BuildMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Runs a job in a child process.
 *
 * @param onProgress called with the number of finished files and the number of all files
 * @throws Error with Python's message
 */
export function runBuildJob(
  job: BuildJob,
  onProgress: (done: number, total: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  // A build from sources starts a TypeScript child, which needs the loader of this process.
  const fromSource = import.meta.url.endsWith('.ts');
  const script = packagePlace(
    `${fromSource ? 'src' : 'dist'}/sandbox/provision/build-main.${fromSource ? 'ts' : 'js'}`,
  );
  const loader = fromSource ? ['--import', tsxUrl()] : [];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...loader, fileURLToPath(script)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // The child receives no keys and no NODE_OPTIONS. Options for the parent, such as inspectors and coverage, slow
      // down or break the builder.
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
