import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { childEnvironment, packagePlace } from '../../kernel/index.ts';
import type { BootFiles } from './start-python.ts';

/** Build step that starts Python as in a sandbox and stores the memory of this Python (start image). */
export interface StartJob {
  readonly runtime: BootFiles;
  /** Path of the file to which the memory is written. */
  readonly memory: string;
  /** Path of the file to which the description of the memory is written. */
  readonly index: string;
}

/** Build step that calls a Python function in a separate process, the builder. */
export interface BuildJob {
  readonly pyodideFolder: string;
  /**
   * Files of a standard library that is already built, with which Python starts faster. Default: the standard
   * library of Pyodide.
   */
  readonly runtime?: BootFiles;
  /**
   * Files that are copied into the builder's file system before the call: path on this machine, and path in
   * the builder.
   */
  readonly inputs: readonly (readonly [host: string, inside: string])[];
  /** Python source with the function to call. */
  readonly source: string;
  /** Function to call, and its arguments, as JSON. */
  readonly call: { readonly name: string; readonly parameters: readonly unknown[] };
  /**
   * Files that are copied out of the builder's file system after the call: path in the builder, and path on
   * this machine.
   */
  readonly outputs: readonly (readonly [inside: string, host: string])[];
}

/** Message from the builder, one JSON document per line. `done` and `total` are numbers of files. */
export type BuildMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Starts Python and stores its memory in two files.
 *
 * @throws Error with the message of the builder
 */
export function runStartJob(job: StartJob, signal?: AbortSignal): Promise<void> {
  return runBuilder('build-start-image', job, { options: V8_OPTIONS, env: { TZ: 'UTC' }, signal });
}

/**
 * Runs a build step in a child process, so that its memory is released afterwards.
 *
 * @param onProgress called with the number of finished files and the number of all files
 * @throws Error with Python's message
 */
export function runBuildJob(
  job: BuildJob,
  onProgress: (done: number, total: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  return runBuilder('build-main', job, { onProgress, signal });
}

interface BuilderOptions {
  /** Command-line options of Node. */
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

function runBuilder(
  name: string,
  job: BuildJob | StartJob,
  { options = [], env = {}, onProgress, signal }: BuilderOptions,
): Promise<void> {
  // If this code runs from sources, the child is TypeScript and needs the loader of this process.
  const fromSource = import.meta.url.endsWith('.ts');
  const script = packagePlace(
    `${fromSource ? 'src' : 'dist'}/sandbox/provision/${name}.${fromSource ? 'ts' : 'js'}`,
  );
  const loader = fromSource ? ['--import', tsxUrl()] : [];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...options, ...loader, fileURLToPath(script)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // The child receives no API keys and no NODE_OPTIONS. Node options of this process, such as inspectors
      // and coverage, would slow down or break the builder.
      env: { ...childEnvironment(process.env, ['PATH']), ...env },
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
        if (message.kind === 'progress') onProgress?.(message.done, message.total);
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

/**
 * Options of V8 for a process that runs Python. The builder of a start image uses the same options as a
 * sandbox child, because Python derives limits from them that are part of the image.
 */
export const V8_OPTIONS = [
  // With this limit, deep Python recursion raises a RecursionError before the C stack overflows.
  '--stack-size=4000',
  '--max-old-space-size=256',
  // The start creates many short-lived objects. A larger young generation makes the start ten percent faster.
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  // Background optimisation of WebAssembly would use more processor time than it saves in a run.
  '--wasm-tiering-budget=1000000000',
];

function tsxUrl(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
