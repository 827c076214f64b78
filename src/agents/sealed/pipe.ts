import { Buffer } from 'node:buffer';
import { readSync, writeSync } from 'node:fs';

const TO_ENGINE = 3;
const FROM_ENGINE = 4;

/**
 * Arguments of a function call that fails unless 48 KB of stack are free. This check prevents that `send` and
 * `receive` overflow the stack after they have started.
 */
const STACK_RESERVE = Object.freeze(Array.from({ length: 6_000 }, () => 0));

// Saved here, because the globals and the properties of `process` are deleted before the strategy runs.
const { wait } = Atomics;
const { apply } = Reflect;
export const exit = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process);

const pause = new Int32Array(new SharedArrayBuffer(4));
const piece = Buffer.alloc(1 << 16);
let rest = Buffer.alloc(0);

/** Waits for the next line from the engine. Returns `undefined` if the engine has ended. */
export function receive(): string | undefined {
  const pieces: Buffer[] = [];
  for (;;) {
    const end = rest.indexOf(10);
    if (end >= 0) {
      pieces.push(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      return Buffer.concat(pieces).toString('utf8');
    }
    if (rest.length > 0) pieces.push(rest);
    const read = retried(() => readSync(FROM_ENGINE, piece, 0, piece.length, null));
    if (read === 0) return undefined;
    rest = Buffer.from(piece.subarray(0, read));
  }
}

/**
 * Sends a line. If the stack has too little room for `send` and `receive`, returns false and sends nothing.
 */
export function send(text: string): boolean {
  try {
    apply(() => undefined, undefined, STACK_RESERVE);
  } catch {
    return false;
  }
  const bytes = Buffer.from(`${text}\n`);
  for (let offset = 0; offset < bytes.length; ) offset += retried(() => writeSync(TO_ENGINE, bytes, offset));
  return true;
}

function retried(work: () => number): number {
  for (;;) {
    try {
      return work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code === 'EPIPE') exit(0);
      if (code !== 'EAGAIN' && code !== 'EINTR') throw error;
      if (code === 'EAGAIN') wait(pause, 0, 0, 1);
    }
  }
}
