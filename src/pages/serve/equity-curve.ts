import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';

const POINTS = 60;
/** Bytes read at each place of the file. They contain several lines. */
const PIECE = 512;
/** Files of at most this size, in bytes, are read completely. */
const SMALL = 64 * 1024;
/** Index of the equity column in `equity.csv`. */
const COLUMN = 3;

/**
 * Returns the equity of a run at about sixty places of `equity.csv`, including the first and the last. `null`
 * if the run has no equity. Only parts of the file are read, because the list shows hundreds of runs.
 */
export function equityCurve(folder: string): number[] | null {
  let descriptor: number;
  try {
    descriptor = openSync(join(folder, 'equity.csv'), 'r');
  } catch {
    return null;
  }
  try {
    const { size } = fstatSync(descriptor);
    if (size <= SMALL) return thinned(readFileSync(descriptor, 'utf8').split('\n').slice(1, -1));
    const values = Array.from({ length: POINTS + 1 }, (_, point) => {
      const last = Math.max(0, size - PIECE);
      return valueAt(descriptor, Math.round((last * point) / POINTS), point === POINTS);
    });
    const known = values.filter((value) => value !== undefined);
    return known.length < 2 ? null : known;
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the equity in the first complete line after a place, or in the last line of the file. */
function valueAt(descriptor: number, place: number, isLast: boolean): number | undefined {
  const bytes = Buffer.alloc(PIECE);
  const length = readSync(descriptor, bytes, 0, PIECE, place);
  const lines = bytes.toString('utf8', 0, length).split('\n').slice(1);
  // The text after the last line break is incomplete or empty.
  const line = isLast ? lines.at(-2) : lines.length > 1 ? lines[0] : undefined;
  return valueIn(line);
}

function thinned(lines: readonly string[]): number[] | null {
  const last = lines.length - 1;
  const points = Math.min(POINTS, last);
  if (points < 1) return null;
  const places = Array.from({ length: points + 1 }, (_, point) => Math.round((last * point) / points));
  const known = places.map((place) => valueIn(lines[place])).filter((value) => value !== undefined);
  return known.length < 2 ? null : known;
}

function valueIn(line: string | undefined): number | undefined {
  const value = Number(line?.split(',')[COLUMN] || Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}
