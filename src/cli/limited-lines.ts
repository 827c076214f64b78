import type { Readable } from 'node:stream';

const [NEWLINE, RETURN] = [10, 13];

/** Line that was too long to be buffered. */
export interface SkippedLine {
  readonly bytes: number;
}

/**
 * Returns the lines of a stream without line ends. A line of more than `limit` bytes is skipped without
 * buffering, and only its length is returned.
 */
export async function* limitedLines(input: Readable, limit: number): AsyncGenerator<string | SkippedLine> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const take = (piece: Buffer): void => {
    bytes += piece.length;
    if (bytes > limit) pieces = [];
    else pieces.push(piece);
  };
  const finish = (): string | SkippedLine => {
    const line = Buffer.concat(pieces);
    const whole =
      bytes > limit ? { bytes } : line.toString('utf8', 0, line.length - Number(line.at(-1) === RETURN));
    pieces = [];
    bytes = 0;
    return whole;
  };
  for await (const chunk of input) {
    const received = Buffer.from(chunk as Buffer | string);
    let from = 0;
    for (let end = received.indexOf(NEWLINE); end >= 0; end = received.indexOf(NEWLINE, from)) {
      take(received.subarray(from, end));
      yield finish();
      from = end + 1;
    }
    take(received.subarray(from));
  }
  if (bytes > 0) yield finish();
}
