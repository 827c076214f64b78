import { type ChildProcess, spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { AppError, isDeeperThan, messageOf, writeText } from '../../kernel/index.ts';
import { keepInspectorClosed, limitDescriptors, permissionFlag } from '../../sandbox/index.ts';
import { bootText } from './bundle.ts';
import { MOST_PRINTED } from './codec.ts';
import { Guardian } from './guardian.ts';
import { type ChildMessage, childMessageSchema, type HostMessage } from './messages.ts';

/** Maximum number of bytes of a line from the process. A longer line shows a faulty or hostile strategy. */
const LONGEST_LINE = 64 * 1024 * 1024;
/** Maximum nesting depth of a message. Only lines longer than `DEEP_LINE` characters are checked. */
const DEEPEST = 200;
const DEEP_LINE = 2_000;
const KEPT_OUTPUT = 20_000;
const MEMORY_MB = 1024;

const OUT_OF_MEMORY = /heap out of memory|allocation failed/i;
/** Pattern of a line that Node prints about its own code when it aborts. */
const NATIVE_FRAME = /^\s*(\d+: 0x|-----)/;

/** Running processes of sealed strategies. They are killed when the engine's process ends. */
const living = new Set<ChildProcess>();
let endsWithUs = false;

/** Isolated process of a sealed strategy, as seen by the engine. Validates all messages of the process. */
export class SealedProcess {
  /** True if the process cannot open further files, sockets or pipes. */
  readonly descriptorsClosed: boolean;
  readonly #process: ChildProcess;
  readonly #guardian: Guardian;
  readonly #file: string;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #output = '';
  /** Number of characters that the strategy has printed. */
  #printed = 0;
  #listener: ((message: ChildMessage) => void) | undefined;
  #lost: ((reason: AppError) => void) | undefined;
  #dead: AppError | undefined;

  private constructor(process_: ChildProcess, file: string) {
    this.#process = process_;
    this.#file = file;
    living.add(process_);
    this.#guardian = new Guardian(process_.pid);
    (process_.stdio[3] as Readable).on('data', (chunk: Buffer) => this.#receive(chunk));
    process_.stderr?.on('data', (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString('utf8')).slice(-KEPT_OUTPUT);
    });
    for (const stream of process_.stdio) stream?.on('error', () => undefined);
    process_.on('error', (error) => this.#end(`could not be started: ${error.message}`));
    // `close` is emitted after all output has been read. The output may explain why the process has ended.
    process_.on('close', (code, signal) => {
      if (OUT_OF_MEMORY.test(this.#output))
        this.#end(`ran out of memory: the limit is ${MEMORY_MB} MB`, 'Store less data in the strategy.');
      else this.#end(`ended by itself (${signal ?? `exit code ${code}`})${lastLine(this.#output)}`);
    });
    this.descriptorsClosed = limitDescriptors(process_.pid);
  }

  /**
   * Starts a process that runs a bundled strategy. If the process does not start, the first `exchange` fails.
   *
   * @throws AppError `not_built`
   */
  static async start(file: string, bundle: string): Promise<SealedProcess> {
    keepInspectorClosed();
    if (!endsWithUs) {
      endsWithUs = true;
      process.on('exit', () => {
        for (const child of living) child.kill('SIGKILL');
      });
    }
    const boot = await bootText();
    const process_ = spawn(process.execPath, sealedArguments(boot), {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // Started in a separate process group so that the engine handles Ctrl-C.
      detached: process.platform !== 'win32',
      windowsHide: true,
      // With a fixed time zone, local times do not depend on the machine.
      env: { TZ: 'UTC' },
    });
    const started = await booted(process_);
    const child = new SealedProcess(process_, file);
    if (!started) child.#end(`did not start${lastLine(child.#output)}`);
    // Only the file name is sent, without its folder. The strategy can read this name in a stack trace, and
    // the folder would reveal paths of the machine.
    child.#write(JSON.stringify([basename(file), bundle]));
    return child;
  }

  /**
   * Sends a message and passes every reply to the handler `hear`, until the handler calls `done` with a
   * result. Resolves to this result.
   *
   * @throws AppError `strategy_ended`
   */
  exchange<Result>(
    message: HostMessage,
    hear: (message: ChildMessage, done: (result: Result) => void) => void,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#dead !== undefined) return reject(this.#dead);
      const settle = (): void => {
        this.#listener = undefined;
        this.#lost = undefined;
      };
      this.#lost = (reason) => {
        settle();
        reject(reason);
      };
      this.#listener = (heard) => {
        try {
          hear(heard, (result) => {
            settle();
            resolve(result);
          });
        } catch (error) {
          settle();
          reject(error);
        }
      };
      this.send(message);
    });
  }

  send(message: HostMessage): void {
    this.#write(JSON.stringify(message));
  }

  kill(what = 'was ended'): void {
    this.#end(what);
  }

  #write(line: string): void {
    if (this.#dead === undefined) (this.#process.stdio[4] as Writable).write(`${line}\n`);
  }

  #receive(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#pieces.push(chunk.subarray(from, end));
      const line = Buffer.concat(this.#pieces).toString('utf8');
      this.#pieces = [];
      this.#bytes = 0;
      from = end + 1;
      this.#hear(line);
    }
    if (from < chunk.length) {
      this.#pieces.push(chunk.subarray(from));
      this.#bytes += chunk.length - from;
      if (this.#bytes > LONGEST_LINE) this.#end('sent more than any decision needs');
    }
  }

  #hear(line: string): void {
    if (this.#dead !== undefined) return;
    try {
      const given: unknown = JSON.parse(line);
      // The functions that read a message are recursive, so a deep message could overflow the stack. Short
      // lines cannot be deep enough.
      if (line.length > DEEP_LINE && isDeeperThan(given, DEEPEST))
        throw new Error(`nested deeper than ${DEEPEST} levels`);
      const message = childMessageSchema.parse(given);
      if (message.type === 'print') this.#print(message.text);
      // Every other message must be a reply to a request of the engine. An unrequested message was sent by
      // code that has escaped from the inner realm.
      else if (this.#listener === undefined) this.#end('spoke unasked');
      else this.#listener(message);
    } catch (error) {
      this.#end(`sent an invalid message (${messageOf(error).slice(0, 200)})`);
    }
  }

  #print(text: string): void {
    if (this.#printed > MOST_PRINTED) return;
    const shown = text.slice(0, MOST_PRINTED - this.#printed);
    this.#printed += text.length + 1;
    writeText(process.stderr, `${shown}\n`);
    if (this.#printed > MOST_PRINTED)
      writeText(
        process.stderr,
        `${this.#file} has printed ${MOST_PRINTED} characters, which is the limit of a sealed run. Later output is dropped.\n`,
      );
  }

  #end(what: string, hint = 'Run it without --seal to see where it fails.'): void {
    if (this.#dead !== undefined) return;
    this.#dead = new AppError({
      code: 'strategy_ended',
      message: `The process of ${this.#file} ${what}.`,
      hint,
      kind: 'run',
    });
    living.delete(this.#process);
    this.#process.kill('SIGKILL');
    this.#process.unref();
    this.#guardian.release();
    this.#lost?.(this.#dead);
  }
}

/**
 * Returns the arguments of Node for a sealed strategy's process. The code is passed as text, because the
 * process may not read files.
 *
 * @param boot code to run: a module that imports only modules of Node
 */
export function sealedArguments(boot: string): string[] {
  return [
    permissionFlag(process.versions.node),
    // Needed to format stack traces in the inner realm.
    '--expose-internals',
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    `--max-old-space-size=${MEMORY_MB}`,
    '--input-type=module',
    '--eval',
    boot,
  ];
}

/** Resolves to true when the process sends its first line, or to false if the process ends before that. */
function booted(process_: ChildProcess): Promise<boolean> {
  const lines = process_.stdio[3] as Readable;
  return new Promise((resolve) => {
    process_.once('error', () => resolve(false));
    process_.once('exit', () => resolve(false));
    lines.once('readable', () => {
      // Reads the line `{"type":"ready"}`. The process then waits for the bundle.
      lines.read();
      resolve(true);
    });
  });
}

function lastLine(output: string): string {
  const line = output.split('\n').findLast((one) => one.trim() !== '' && !NATIVE_FRAME.test(one)) ?? '';
  return line === '' ? '' : `: ${line.slice(0, 300)}`;
}
