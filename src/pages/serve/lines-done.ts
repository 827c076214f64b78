import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

interface Read {
  /** Bytes up to the end of the last whole line. */
  end: number;
  readonly keys: Set<string>;
}

const PIECE = 1 << 20;

/** Counts what a file that grows line by line holds, reading each byte once. */
export class LinesDone {
  readonly #read = new Map<string, Read>();

  /**
   * How many different things the lines are of; 0 for a file that is not there.
   *
   * @param pattern whose first group names the thing of a line; a line that it does not match is of none
   */
  count(file: string, pattern: RegExp): number {
    let descriptor: number;
    try {
      descriptor = openSync(file, 'r');
    } catch {
      return 0;
    }
    try {
      const { size } = fstatSync(descriptor);
      let known = this.#read.get(file);
      if (known === undefined || known.end > size) known = { end: 0, keys: new Set() };
      this.#read.set(file, known);
      for (let at = known.end; at < size; ) {
        const bytes = Buffer.alloc(Math.min(PIECE, size - at));
        const length = readSync(descriptor, bytes, 0, bytes.length, at);
        if (length === 0) break;
        const whole = bytes.subarray(0, length).lastIndexOf(10) + 1;
        for (const line of bytes.toString('utf8', 0, whole).split('\n')) {
          const key = pattern.exec(line)?.[1];
          if (key !== undefined) known.keys.add(key);
        }
        if (whole === 0) break;
        at += whole;
        known.end = at;
      }
      return known.keys.size;
    } finally {
      closeSync(descriptor);
    }
  }
}
