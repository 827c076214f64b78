import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nearest } from '../../kernel/index.ts';
import { Guardian } from '../sealed/guardian.ts';
import {
  type AgentChannel,
  AgentFailed,
  type HostMessage,
  isMessageLine,
  LONGEST_REPLY,
  shownLine,
} from './messages.ts';

/**
 * Maximum number of characters of an agent's error output that are stored. Earlier characters are dropped.
 */
const KEPT_OUTPUT = 4_000;
/** Milliseconds to wait for remaining output after the process has ended. */
const LAST_WORDS = 300;
const NEWLINE = 10;

/** Running agent processes. They are killed when the engine's process ends. */
const living = new Set<AgentProcess>();
let endsWithUs = false;

/** Process of an agent. Messages are written to its input, and lines are read from its output. */
class AgentProcess {
  readonly #process: ChildProcess;
  readonly #guardian: Guardian;
  readonly #closed: Promise<void>;
  readonly #lines: string[] = [];
  #pieces: Buffer[] = [];
  #bytes = 0;
  #errors = '';
  readonly #onIgnored: (line: string) => void;
  #failure: AgentFailed | undefined;
  #hasExited = false;
  #wake: (() => void) | undefined;

  /** @param onIgnored called with each line that is not a message */
  constructor(command: readonly string[], environment: NodeJS.ProcessEnv, onIgnored: (line: string) => void) {
    this.#onIgnored = onIgnored;
    const [program = '', ...words] = command;
    if (!endsWithUs) {
      endsWithUs = true;
      process.on('exit', () => {
        for (const one of living) one.kill();
      });
    }
    const child = spawn(program, words, {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Started in a separate process group. The engine handles Ctrl-C and can end the whole group with one
      // signal.
      detached: process.platform !== 'win32',
      windowsHide: true,
      env: environment,
    });
    this.#process = child;
    living.add(this);
    this.#guardian = new Guardian(child.pid === undefined ? undefined : -child.pid);
    for (const stream of child.stdio) stream?.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString('utf8')).slice(-KEPT_OUTPUT);
    });
    const closed = new Promise<void>((resolve) => {
      child.once('close', () => resolve());
      child.once('error', () => resolve());
    });
    this.#closed = closed;
    child.once('error', (error) => this.#fail(new AgentFailed('crashed', startFault(command, error))));
    child.once('exit', (code, signal) => {
      this.#hasExited = true;
      // Child processes of the agent may keep its output open after the agent has ended.
      void Promise.race([closed, sleep(LAST_WORDS)]).then(() =>
        this.#fail(
          new AgentFailed(
            'crashed',
            `its process ended (${signal ?? `exit code ${code}`})${lastLine(this.#errors)}`,
          ),
        ),
      );
    });
  }

  get isAlive(): boolean {
    return this.#failure === undefined && !this.#hasExited;
  }

  /** Last characters of the standard error of the process. */
  get errors(): string {
    return this.#errors;
  }

  /** First line of output that was sent without a preceding request. `undefined` if there is no such line. */
  get unasked(): string | undefined {
    return this.#lines[0];
  }

  send(message: HostMessage): void {
    if (this.isAlive) this.#process.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /**
   * Returns the next line of output.
   *
   * @throws AgentFailed, or the reason of `ending` once that signal is aborted
   */
  async nextLine(ending: AbortSignal): Promise<string> {
    const aborted = (): void => this.#wake?.();
    ending.addEventListener('abort', aborted, { once: true });
    try {
      for (;;) {
        ending.throwIfAborted();
        const line = this.#lines.shift();
        if (line !== undefined) return line;
        if (this.#failure !== undefined) throw this.#failure;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      ending.removeEventListener('abort', aborted);
      this.#wake = undefined;
    }
  }

  /** Closes the input of the process. Waits for the process to end, at most `milliseconds`. */
  async ended(milliseconds: number): Promise<void> {
    this.#process.stdin?.end();
    await Promise.race([this.#closed, sleep(milliseconds)]);
  }

  /** Ends the process and all processes that it has started. */
  kill(): void {
    living.delete(this);
    this.#fail(new AgentFailed('crashed', 'it was ended'));
    const { pid } = this.#process;
    if (pid !== undefined && !this.#hasExited) {
      try {
        if (process.platform === 'win32') this.#process.kill('SIGKILL');
        else process.kill(-pid, 'SIGKILL');
      } catch {
        // The process has already ended.
      }
    }
    this.#guardian.release();
    this.#process.unref();
    for (const stream of this.#process.stdio) stream?.destroy();
  }

  #fail(failure: AgentFailed): void {
    this.#failure ??= failure;
    this.#wake?.();
  }

  #receive(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      if (!this.#take(chunk.subarray(from, end))) return;
      const line = Buffer.concat(this.#pieces).toString('utf8').trim();
      this.#pieces = [];
      this.#bytes = 0;
      from = end + 1;
      if (line === '') continue;
      if (isMessageLine(line)) this.#lines.push(line);
      else this.#onIgnored(line);
    }
    this.#take(chunk.subarray(from));
    if (this.#lines.length > 0) this.#wake?.();
  }

  /** Stores a piece of output. Returns false if the current line is too long to be read. */
  #take(piece: Buffer): boolean {
    this.#bytes += piece.length;
    if (this.#bytes > LONGEST_REPLY) {
      this.#pieces = [];
      this.#fail(new AgentFailed('too_long', `its message has more than ${LONGEST_REPLY} bytes`));
      return false;
    }
    if (piece.length > 0) this.#pieces.push(piece);
    return true;
  }
}

/** Returns the last line of the error output. For a Python traceback, this line contains the error. */
function lastLine(output: string): string {
  const line = output.split('\n').findLast((one) => one.trim() !== '') ?? '';
  return line === '' ? '' : `: ${line.trim().slice(0, 300)}`;
}

/** Milliseconds in which an agent must end after `bye`, the last message. Later, its process is killed. */
const GRACE = 2_000;

/** Agent that runs as a program. Messages are JSON objects, one per line, over standard input and output. */
export class StdioChannel implements AgentChannel {
  readonly #words: readonly string[];
  readonly #environment: NodeJS.ProcessEnv;
  readonly #warn: ((text: string) => void) | undefined;
  #process: AgentProcess | undefined;
  #hasWarned = false;
  ignored: string | undefined;

  /** @param warn called once if the agent prints lines that are not messages */
  constructor(words: readonly string[], environment: NodeJS.ProcessEnv, warn?: (text: string) => void) {
    this.#words = words;
    this.#environment = environment;
    this.#warn = warn;
  }

  get errorOutput(): string {
    return this.#process?.errors ?? '';
  }

  get isOpen(): boolean {
    return this.#process?.isAlive === true;
  }

  async open(hello: HostMessage): Promise<void> {
    this.drop();
    this.#process = new AgentProcess(this.#words, this.#environment, (line) => this.#ignore(line));
    this.#process.send(hello);
  }

  async ask(message: HostMessage, ending: AbortSignal): Promise<string> {
    const child = this.#process;
    if (child === undefined) throw new AgentFailed('crashed', 'it is not running');
    if (message.type === 'decide' && child.unasked !== undefined)
      throw new AgentFailed(
        'malformed',
        `it sent ${shownLine(child.unasked)} before a decision was requested. hello has no answer, and one done ends a decision`,
      );
    if (message.type === 'decide') this.ignored = undefined;
    child.send(message);
    return child.nextLine(ending);
  }

  #ignore(line: string): void {
    this.ignored = shownLine(line);
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#warn?.(
      `The agent printed "${this.ignored}" to its standard output, which is for messages. Such lines are ignored. Print to standard error.`,
    );
  }

  drop(): void {
    this.#process?.kill();
    this.#process = undefined;
  }

  async close(bye: HostMessage): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    child.send(bye);
    await child.ended(GRACE);
    this.drop();
  }
}

/** Commands that run agent files, by file extension. */
const STARTERS: Readonly<Record<string, string>> = {
  '.py': 'python3',
  '.js': 'node',
  '.mjs': 'node',
  '.cjs': 'node',
  '.ts': 'npx tsx',
  '.mts': 'npx tsx',
};
const PROGRAMS = ['python3', 'python', 'node', 'npx', 'uv', 'deno', 'bun'];

/**
 * Returns the reason why the program of an agent could not be started, and a hint with the correct command.
 *
 * @param words program and its arguments, from --agent
 * @param error error of the operating system
 */
export function startFault(
  [program = '', ...words]: readonly string[],
  error: NodeJS.ErrnoException,
): string {
  const starter = STARTERS[extname(program)];
  const isFile = existsSync(program);
  if (starter !== undefined && isFile)
    return `${program} is a file, not a program. Expected the program that runs it: --agent "${[starter, program, ...words].join(' ')}"`;
  if (error.code !== 'ENOENT') return `its program ${program} could not be started: ${error.message}`;
  if (starter !== undefined)
    return `the file ${program} was not found. Expected a program and an existing file, for example --agent "${starter} ${program}"`;
  const meant = nearest(program, PROGRAMS);
  const known = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `the program ${program} was not found.${known} Expected an installed program, or the path of one, for example --agent "python3 agent.py"`;
}
