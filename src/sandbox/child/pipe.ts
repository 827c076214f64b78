import { readSync, writeSync } from 'node:fs';
import { Script } from 'node:vm';
import type { PyodideInterface } from 'pyodide';
import {
  decodeFrame,
  encodeFrame,
  type Frame,
  frameBytes,
  PREFIX_BYTES,
  type ReplyHeader,
  type RequestHeader,
} from '../protocol.ts';

/**
 * Ends Python code from inside the process that runs it.
 *
 * Compiled code may run for minutes without reading Pyodide's interrupt buffer. V8 can end WebAssembly in any
 * loop and any function. Node makes V8 do this when a SIGINT arrives during `runInThisContext` with
 * `breakOnSigint`. Code inside the call cannot catch this termination, so agent code cannot prevent it.
 */

const REPLIES = 3;
// File descriptor of the pipe for requests. Standard input is not used, because Pyodide makes it
// non-blocking. Each wait for a request would then be a series of pauses of one millisecond.
const REQUESTS = 4;

/**
 * Waits for the next request. Returns `undefined` if the engine has closed the pipe. Blocks the process,
 * which has nothing else to do.
 */
export function readRequest(): Frame<RequestHeader> | undefined {
  const prefix = readExactly(PREFIX_BYTES);
  if (prefix === undefined) return undefined;
  const rest = readExactly(frameBytes(prefix) - PREFIX_BYTES);
  return rest === undefined ? undefined : decodeFrame<RequestHeader>(Buffer.concat([prefix, rest]));
}

export function writeReply(header: ReplyHeader, body = ''): void {
  const frame = encodeFrame(header, body);
  for (let offset = 0; offset < frame.length; ) {
    offset += retryWhenBusy(() => writeSync(REPLIES, frame, offset));
  }
}

function readExactly(count: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(count);
  for (let offset = 0; offset < count; ) {
    const read = retryWhenBusy(() => readSync(REQUESTS, bytes, offset, count - offset, null));
    if (read === 0) return undefined;
    offset += read;
  }
  return bytes;
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

// Repeats a read or write until the pipe is ready. On some systems, the pipes of the child are non-blocking.
function retryWhenBusy(work: () => number): number {
  for (;;) {
    try {
      return work();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN' && code !== 'EINTR') throw error;
      if (code === 'EAGAIN') Atomics.wait(PAUSE, 0, 0, 1);
    }
  }
}

/**
 * Name of the global variable that contains the function to run, because a script can access only globals.
 */
const GLOBAL = 'sandtableWork';

let work: () => unknown = () => undefined;
let script: Script | undefined;

/**
 * Prepares `stoppable`. Defines a global, so it must be called before the globals of this process are counted
 * to detect changes.
 */
export function prepareStop(): void {
  Object.defineProperty(globalThis, GLOBAL, { value: () => work(), writable: false, configurable: false });
  script = new Script(`${GLOBAL}()`);
}

/**
 * Runs a function that a SIGINT can end. In nested calls, a SIGINT ends the innermost function.
 *
 * The first call starts the thread that waits for the signal. A later call takes about a microsecond.
 *
 * @throws an error for which `isStop` is true, if a SIGINT ended the function
 */
export function stoppable<Value>(next: () => Value): Value {
  if (script === undefined) throw new Error('prepareStop was not called');
  work = next;
  return script.runInThisContext({ breakOnSigint: true }) as Value;
}

/** Returns true if an error was caused by a SIGINT during `stoppable`. */
export function isStop(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED';
}

/**
 * Questions that a Python strategy sends to the engine during a call. Python writes a question to its
 * standard output and reads the answer from its standard input. Only bytes are exchanged, so Python needs no
 * access to a JavaScript object.
 *
 * Each message is its length (uint32, little-endian) followed by its text in UTF-8.
 */

const LENGTH_BYTES = 4;
const NOTHING = Buffer.alloc(0);

/** Connects Python's standard streams with the engine. Must be called before the file system is sealed. */
export function connectQuestions(pyodide: PyodideInterface): void {
  let question = NOTHING as Buffer;
  let answer = NOTHING as Buffer;
  pyodide.setStdout({
    // True, because the sealed file system allows writing only to terminals.
    isatty: true,
    write(bytes) {
      question = Buffer.concat([question, bytes]);
      if (question.length >= LENGTH_BYTES && question.length >= LENGTH_BYTES + question.readUInt32LE(0)) {
        const text = question.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + question.readUInt32LE(0));
        question = NOTHING;
        answer = ask(text);
      }
      return bytes.length;
    },
  });
  pyodide.setStdin({
    isatty: false,
    read(into) {
      const count = Math.min(into.length, answer.length);
      into.set(answer.subarray(0, count));
      answer = answer.subarray(count);
      return count;
    },
  });
}

function ask(question: string): Buffer {
  writeReply({ type: 'ask' }, question);
  const frame = readRequest();
  if (frame?.header.type !== 'answer') throw new Error('the engine did not answer');
  const text = Buffer.from(frame.body, 'utf8');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
}
