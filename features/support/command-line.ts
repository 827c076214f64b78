import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { main } from '../../src/cli/index.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = resolve(PROJECT, 'dist/cli/bin.js');

/** How a command ended. */
export interface CommandResult {
  readonly line: string;
  /** Null when a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Command {
  /** As a user types it, `sandtable …`. */
  readonly line: string;
  readonly folder: string;
  readonly input?: string;
  /** Of a command that runs in this process; empty when left out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** A path of the project, whatever the current folder. */
export function projectPath(path: string): string {
  return resolve(PROJECT, path);
}

/**
 * The words of a command line; quotes keep spaces.
 *
 * Paths that begin with `strategies/` or `../shared/` are the project's, as in the README; all others are the scenario's.
 */
export function wordsOf(line: string): string[] {
  const [program, ...words] = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  if (program !== 'sandtable') throw new Error(`"${line}" does not begin with sandtable`);
  return words.map((word) => (/^(?:strategies|\.\.\/shared)\//.test(word) ? projectPath(word) : word));
}

/** Runs a command in this process, with its streams captured. */
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

// This process stands in the project's folder: files of the scenario, and its output, are named in full.
function inFolder(word: string, before: string | undefined, folder: string): string {
  const file = resolve(folder, word);
  return before === '--out' ||
    before === '--rolls' ||
    (before === '--otel' && !word.includes('://')) ||
    (!word.startsWith('-') && existsSync(file))
    ? file
    : word;
}

/** A command as a process of its own. */
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
    // A command that reads no input may be gone before it is written.
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
