import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { AppError, fileProblem } from '../kernel/index.ts';

const NEWLINE = 10;
/** Bytes read at once: few, so that what is parsed of them and not kept is gone before it is moved to older garbage. */
const PIECE = 128 * 1024;
/** The same where other work goes on meanwhile. */
const ASYNC_PIECE = 1024 * 1024;
const HEAD = 64 * 1024;
const TAIL = 256 * 1024;

/** Said of every journal that cannot be read at all. */
export function journalUnreadable(file: string, cause: unknown): AppError {
  return new AppError({
    code: 'journal_unreadable',
    message: `Cannot read the journal ${file}: ${fileProblem(cause)}.`,
    hint: 'Name a run folder that Sandtable made.',
    cause,
  });
}

/** Cuts what is read of a file into whole lines: a line is whole once its newline is there. */
class LineCutter {
  #carried: Buffer[] = [];

  /** @returns whole lines without the newline of the last one; undefined where no line has ended */
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

  /** What follows the last newline. */
  get rest(): string {
    return Buffer.concat(this.#carried).toString('utf8');
  }
}

/** Lines that were read together. */
interface LinePiece {
  /** Without the newline of the last one. */
  readonly text: string;
  /** The one line has no newline: the writer was stopped in it. */
  readonly isCut: boolean;
}

/**
 * A journal's lines, many at a time and in order; what follows the last newline is a piece of its own.
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

/** A whole line of a file, and where its bytes are. */
export interface JournalLine {
  readonly start: number;
  /** After its newline. */
  readonly end: number;
  readonly text: string;
}

/**
 * The whole lines of a file between two bytes, many at a time; what follows the last newline is left out.
 *
 * @param to the file's end where left out
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

/** The first and last lines of a file of any size, which may be cut; empty where it cannot be read. */
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
