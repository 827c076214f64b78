import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { main } from '../../src/cli/index.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = resolve(PROJECT, 'dist/cli/bin.js');

/** Result of a command. */
export interface CommandResult {
  readonly line: string;
  /** `null` if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Command {
  /** Command line as a user types it: `sandtable …`. */
  readonly line: string;
  readonly folder: string;
  readonly input?: string;
  /** Environment of a command in this process. Default: empty. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Returns the absolute path of a file in the project. */
export function projectPath(path: string): string {
  return resolve(PROJECT, path);
}

/**
 * Splits a command line into words. Quoted words may contain spaces.
 *
 * Paths that begin with `strategies/` or `../shared/` are relative to the project, as in the README. Other
 * paths are relative to the scenario's folder.
 */
export function wordsOf(line: string): string[] {
  const [program, ...words] = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  if (program !== 'sandtable') throw new Error(`"${line}" does not begin with sandtable`);
  return words.map((word) => (/^(?:strategies|\.\.\/shared)\//.test(word) ? projectPath(word) : word));
}

/** Runs a command in this process and captures its streams. */
export async function runHere({
  line,
  folder,
  input = '',
  environment = {},
}: Command): Promise<CommandResult> {
  const [stdout, stderr] = [new Captured(), new Captured()];
  const words = wordsOf(line).map((word, index, all) => inFolder(word, all[index - 1], folder));
  const code = await main(words, { stdin: Readable.from([input]), stdout, stderr, env: environment });
  return { line, code, stdout: stdout.text, stderr: stderr.text };
}

// The working directory of this process is the project, so files and outputs of the scenario need absolute
// paths.
function inFolder(word: string, before: string | undefined, folder: string): string {
  const file = resolve(folder, word);
  return before === 'init' ||
    before === '--out' ||
    before === '--rolls' ||
    (before === '--otel' && !word.includes('://')) ||
    (!word.startsWith('-') && existsSync(file))
    ? file
    : word;
}

/** Command that runs in a separate process. */
export class SpawnedCommand {
  readonly #process: ChildProcess;
  /** Resolves when the process has ended. */
  readonly result: Promise<CommandResult>;

  constructor({ line, folder, input = '' }: Command) {
    if (!existsSync(PROGRAM)) throw new Error('dist/cli/bin.js is missing: run npm run build first');
    const child = spawn(process.execPath, [PROGRAM, ...wordsOf(line)], { cwd: folder, stdio: 'pipe' });
    this.#process = child;
    const ended = new Promise<number | null>((done, failed) => {
      child.on('error', failed);
      child.on('close', done);
    });
    this.result = Promise.all([ended, text(child.stdout), text(child.stderr)]).then(
      ([code, stdout, stderr]) => ({ line, code, stdout, stderr }),
    );
    // A command that does not read its input may end before the input is written.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  }

  get running(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }
}

class Captured extends Writable {
  #chunks: string[] = [];

  get text(): string {
    return this.#chunks.join('');
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk.toString('utf8'));
    done();
  }
}
