import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { AppError, fileProblem } from '../kernel/index.ts';
import { type JournalEvent, parseEvent, typeOfLine } from './event.ts';

const NEWLINE = 10;
/**
 * Bytes per read. A small size lets the garbage collector free the temporary objects of parsing at low cost.
 */
const PIECE = 64 * 1024;
/** Bytes per read of the asynchronous reader. */
const ASYNC_PIECE = 1024 * 1024;
const HEAD = 64 * 1024;
const TAIL = 256 * 1024;

/** Returns the error for a journal that cannot be read. */
export function journalUnreadable(file: string, cause: unknown): AppError {
  return new AppError({
    code: 'journal_unreadable',
    message: `Cannot read the journal ${file}: ${fileProblem(cause)}.`,
    hint: 'Pass the path of a run folder, for example reports/20200101-….',
    cause,
  });
}

/** Cuts chunks of a file's bytes into whole lines. A line is whole once its newline has been read. */
class LineCutter {
  #carried: Buffer[] = [];

  /**
   * Adds the next bytes of the file.
   *
   * @returns the lines that are whole now, without the newline of the last one; `undefined` if no line
   *   ended in these bytes
   */
  take(bytes: Buffer): Buffer | undefined {
    const end = bytes.lastIndexOf(NEWLINE);
    if (end < 0) {
      this.#carried.push(bytes);
      return undefined;
    }
    const last = bytes.subarray(0, end);
    const whole = this.#carried.length === 0 ? last : Buffer.concat([...this.#carried, last]);
    this.#carried = [bytes.subarray(end + 1)];
    return whole;
  }

  /** Text after the last newline of all bytes added. */
  get rest(): string {
    return Buffer.concat(this.#carried).toString('utf8');
  }
}

/** Text of one or more consecutive lines of a journal. */
interface LinePiece {
  /** Text without the newline of the last line. */
  readonly text: string;
  /** True if the text is a single line without a newline, because the writer was stopped. */
  readonly isCut: boolean;
}

/**
 * Reads a journal in chunks of many lines, in order. Text after the last newline is returned as a separate
 * piece.
 *
 * @throws AppError `journal_unreadable`
 */
export function* linePieces(file: string): Generator<LinePiece> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const length = Math.min(PIECE, fstatSync(descriptor).size + 1);
    const cutter = new LineCutter();
    for (;;) {
      const piece = Buffer.allocUnsafe(length);
      const bytes = piece.subarray(0, readSync(descriptor, piece));
      if (bytes.length === 0) break;
      const whole = cutter.take(bytes);
      if (whole !== undefined) yield { text: whole.toString('utf8'), isCut: false };
    }
    const { rest } = cutter;
    if (rest !== '') yield { text: rest, isCut: true };
  } catch (cause) {
    throw cause instanceof AppError ? cause : journalUnreadable(file, cause);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Whole line of a file with its byte positions. */
export interface JournalLine {
  readonly start: number;
  /** Position after the newline. */
  readonly end: number;
  readonly text: string;
}

/**
 * Reads the whole lines of a file between two byte positions, many lines at a time. Ignores text after the
 * last newline.
 *
 * @param from byte position, default 0
 * @param to byte position, default the end of the file
 */
export async function* wholeLines(
  file: string,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly JournalLine[]> {
  const handle = await open(file, 'r');
  try {
    const cutter = new LineCutter();
    let start = from;
    for (let position = from; position < to; ) {
      const piece = Buffer.allocUnsafe(Math.min(ASYNC_PIECE, to - position));
      const { bytesRead } = await handle.read(piece, 0, piece.length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      const whole = cutter.take(piece.subarray(0, bytesRead));
      if (whole === undefined) continue;
      yield placedLines(whole, start);
      start += whole.length + 1;
    }
  } finally {
    await handle.close();
  }
}

function placedLines(bytes: Buffer, from: number): JournalLine[] {
  const lines: JournalLine[] = [];
  for (let begin = 0; begin <= bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, begin);
    const end = newline < 0 ? bytes.length : newline;
    lines.push({ start: from + begin, end: from + end + 1, text: bytes.toString('utf8', begin, end) });
    begin = end + 1;
  }
  return lines;
}

/**
 * Returns the lines in the first 64 KiB and the last 256 KiB of a file of any size. The last line of `head`
 * and the first line of `tail` may be incomplete. Both lists are empty if the file cannot be read.
 */
export function endLines(file: string): {
  readonly head: readonly string[];
  readonly tail: readonly string[];
} {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const linesAt = (start: number, length: number): string[] => {
        const piece = Buffer.alloc(length);
        const read = readSync(descriptor, piece, 0, length, start);
        return piece.toString('utf8', 0, read).split('\n');
      };
      return {
        head: linesAt(0, Math.min(HEAD, size)),
        tail: linesAt(Math.max(0, size - TAIL), Math.min(TAIL, size)),
      };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return { head: [], tail: [] };
  }
}

const AT_THE_ENDS = new Set<string | undefined>(['run_started', 'run_finished', 'bar']);

/**
 * Reads the first and last events of a journal of any size.
 *
 * @returns complete `run_started`, `run_finished` and `bar` events; empty if the file cannot be read
 */
export function readEnds(file: string): {
  readonly head: readonly JournalEvent[];
  readonly tail: readonly JournalEvent[];
} {
  const { head, tail } = endLines(file);
  return { head: eventsOf(head), tail: eventsOf(tail) };
}

// Incomplete lines at the end of the head and the start of the tail are not events, so they are omitted.
function eventsOf(lines: readonly string[]): JournalEvent[] {
  return lines
    .filter((line) => AT_THE_ENDS.has(typeOfLine(line)))
    .map(parseEvent)
    .filter((event) => event !== undefined);
}
