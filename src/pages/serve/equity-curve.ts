import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';

const POINTS = 60;
/** Bytes read at each point: some lines of the file. */
const PIECE = 512;
/** Bytes of a file that is read whole. */
const SMALL = 64 * 1024;
/** Place of the equity in a line of `equity.csv`. */
const COLUMN = 3;

/**
 * A run's equity at about sixty places of its `equity.csv`, first and last among them; null where it has none. Only so much
 * of the file is read: a list shows hundreds of runs.
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

/** The equity in the first whole line behind a place, or in the last one of the file. */
function valueAt(descriptor: number, place: number, isLast: boolean): number | undefined {
  const bytes = Buffer.alloc(PIECE);
  const length = readSync(descriptor, bytes, 0, PIECE, place);
  const lines = bytes.toString('utf8', 0, length).split('\n').slice(1);
  // What comes behind the last line break is cut, or nothing.
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
