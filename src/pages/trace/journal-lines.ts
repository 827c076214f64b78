import { open } from 'node:fs/promises';

/** A whole line of a file, and where its bytes are. */
export interface JournalLine {
  readonly start: number;
  /** After its newline. */
  readonly end: number;
  readonly text: string;
}

const PIECE = 1 << 20;
const NEWLINE = 10;

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
    let carried: Buffer[] = [];
    let start = from;
    let position = from;
    while (position < to) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, to - position));
      const { bytesRead } = await handle.read(piece, 0, piece.length, position);
      if (bytesRead === 0) return;
      const bytes = piece.subarray(0, bytesRead);
      const lines: JournalLine[] = [];
      let begin = 0;
      for (
        let newline = bytes.indexOf(NEWLINE);
        newline >= 0;
        newline = bytes.indexOf(NEWLINE, newline + 1)
      ) {
        const own = bytes.subarray(begin, newline);
        const text = (carried.length === 0 ? own : Buffer.concat([...carried, own])).toString('utf8');
        carried = [];
        begin = newline + 1;
        const end = position + begin;
        lines.push({ start, end, text });
        start = end;
      }
      carried.push(bytes.subarray(begin));
      position += bytesRead;
      if (lines.length > 0) yield lines;
    }
  } finally {
    await handle.close();
  }
}
