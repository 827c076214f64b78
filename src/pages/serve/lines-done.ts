import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

interface Read {
  /** Number of bytes up to the end of the last complete line. */
  end: number;
  readonly keys: Set<string>;
}

const PIECE = 1 << 20;

/** Counts the lines of growing files. Each byte is read only one time. */
export class LinesDone {
  readonly #read = new Map<string, Read>();

  /**
   * Returns the number of distinct keys in the lines of a file. 0 for a missing file.
   *
   * @param pattern its first group matches the key of a line; lines without a match are ignored
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
