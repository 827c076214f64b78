import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Contents of FIFOs that were read, by absolute path. A FIFO can be read only once. */
const received = new Map<string, Buffer>();

/** True if a path is a FIFO (named pipe), for example a process substitution `<(…)` of a shell. */
export function isFifo(file: string): boolean {
  // `statSync` throws for a path below a regular file.
  return existsSync(file) && statSync(file, { throwIfNoEntry: false })?.isFIFO() === true;
}

/**
 * Reads a FIFO to its end without blocking the process, so that signals are handled. `readInput` returns the
 * content afterwards.
 */
export async function receiveFifo(file: string): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) chunks.push(chunk);
  received.set(resolve(file), Buffer.concat(chunks));
}

/**
 * Reads a file named by the user.
 *
 * @throws Error for a FIFO that was not received, because reading it would block the process
 */
export function readInput(file: string): Buffer {
  const content = received.get(resolve(file));
  if (content !== undefined) return content;
  if (isFifo(file)) throw new Error('it is a FIFO (named pipe), not a regular file');
  return readFileSync(file);
}
