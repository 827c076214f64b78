import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatInstant, hashOfFile, makeFolder, unwritable } from '../../kernel/index.ts';
import { type BarSeries, createBarTable, mapColumns, PRICE_COLUMNS, sqlTime } from '../bars/bar-columns.ts';
import { type Database, openDatabase, sqlName, sqlText } from '../reading/database.ts';
import { type CatalogManifest, MANIFEST_FILE, partOf, readManifest, symbolFolder } from './manifest.ts';
import { readFromCatalog } from './read.ts';

export type Obtained = CatalogManifest['obtained'][number];

/** Result of writing bars to a catalogue. */
interface CatalogChange {
  readonly added: number;
  /** Number of bars that replaced existing bars with other values. */
  readonly revised: number;
}

/** Number of rows per row group (block of rows) of a Parquet file. Readers skip or read whole row groups. */
const GROUP = 16_384;

/**
 * Writes a symbol's bars to a catalogue, replacing bars of the same times. Each file is written under a
 * temporary name and then renamed, the manifest last. If the process is killed, the catalogue remains
 * readable.
 *
 * @param series series with its `interval`
 * @param obtained origin of the bars
 */
export async function writeToCatalog(
  root: string,
  series: BarSeries & { readonly interval: string },
  obtained: readonly Obtained[],
): Promise<CatalogChange> {
  const { symbol, interval } = series;
  const folder = symbolFolder(root, interval, symbol);
  const columns = Object.keys(series.extra ?? {});
  const before = readManifest(folder) ?? {
    schema: 1 as const,
    symbol,
    interval,
    columns,
    parts: [],
    obtained: [],
  };
  const database = await openDatabase();
  try {
    const parts = new Map(before.parts.map((part) => [part.file, part]));
    let [added, revised] = [0, 0];
    const kept =
      before.parts.length === 0 ? columns : before.columns.filter((name) => columns.includes(name));
    for (const [file, own] of byPart(series, interval)) {
      const part = parts.get(file);
      const there =
        part === undefined
          ? undefined
          : (
              await readFromCatalog(
                database,
                { folder, manifest: { ...before, parts: [part] } },
                { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY },
                kept,
              )
            ).series;
      const merged = there === undefined ? { series: own, changed: 0 } : mergeBars(there, own);
      added += merged.series.time.length - (there?.time.length ?? 0);
      revised += merged.changed;
      if (there !== undefined && merged.changed === 0 && merged.series.time.length === there.time.length)
        continue;
      parts.set(file, await writePart(database, path.join(folder, file), merged.series, kept));
    }
    const manifest: CatalogManifest = {
      ...before,
      columns: kept,
      parts: [...parts.values()].sort((a, b) => (a.file < b.file ? -1 : 1)),
      obtained: [...before.obtained, ...obtained],
    };
    await replaceFile(path.join(folder, MANIFEST_FILE), (file) =>
      writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`),
    );
    return { added, revised };
  } finally {
    database.close();
  }
}

/**
 * Writes one Parquet file of bars.
 *
 * @param columns names of the additional columns
 */
export async function writeParquet(
  database: Database,
  file: string,
  series: readonly BarSeries[],
  columns: readonly string[],
): Promise<void> {
  await createBarTable(database, series, columns);
  const kept = [...PRICE_COLUMNS, ...columns].map(sqlName).join(', ');
  await replaceFile(file, (beside) =>
    database.run(`COPY (SELECT ${sqlTime()} AS date, symbol, ${kept} FROM bars ORDER BY time, symbol)
      TO ${sqlText(path.resolve(beside))} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${GROUP})`),
  );
  await database.run('DROP TABLE bars');
}

/**
 * Writes one Parquet file of dated values: `date`, `available_at`, and a column with the name of the series.
 */
export async function writeSeriesFile(
  file: string,
  name: string,
  rows: readonly { readonly date: number; readonly availableAt: number; readonly value: number }[],
): Promise<void> {
  const database = await openDatabase();
  try {
    await database.run(
      'CREATE TEMP TABLE observations (name VARCHAR, date DOUBLE, available DOUBLE, value DOUBLE)',
    );
    const column = (of: (row: (typeof rows)[number]) => number): Float64Array => Float64Array.from(rows, of);
    await database.append('observations', name, [
      column(({ date }) => date),
      column(({ availableAt }) => availableAt),
      column(({ value }) => value),
    ]);
    await replaceFile(file, (beside) =>
      database.run(`COPY (SELECT ${sqlTime('date')} AS date, ${sqlTime('available')} AS available_at, value AS ${sqlName(name)}
        FROM observations ORDER BY date, available) TO ${sqlText(path.resolve(beside))} (FORMAT parquet, COMPRESSION zstd)`),
    );
  } finally {
    database.close();
  }
}

async function writePart(
  database: Database,
  file: string,
  series: BarSeries,
  columns: readonly string[],
): Promise<CatalogManifest['parts'][number]> {
  await writeParquet(database, file, [series], columns);
  return {
    file: path.basename(file),
    sha256: await hashOfFile(file),
    bars: series.time.length,
    firstBar: formatInstant(series.time[0]!),
    lastBar: formatInstant(series.time.at(-1)!),
  };
}

function byPart(series: BarSeries, interval: string): Map<string, BarSeries> {
  const parts = new Map<string, BarSeries>();
  const { time } = series;
  for (let first = 0; first < time.length; ) {
    const file = partOf(time[first]!, interval);
    let end = first + 1;
    while (end < time.length && partOf(time[end]!, interval) === file) end++;
    const [from, to] = [first, end];
    parts.set(
      file,
      mapColumns(series, (column) => column.subarray(from, to)),
    );
    first = end;
  }
  return parts;
}

interface MergedBars {
  readonly series: BarSeries;
  /** Times at which both series have a bar, with different values. */
  readonly differing: readonly number[];
  /** Number of times at which both series have a bar, with different values. */
  readonly changed: number;
}

/**
 * Merges the bars of two series of one symbol by time. If both series have a bar at a time, the bar of
 * `later` is used.
 *
 * @param later must have the additional columns of `earlier`
 */
export function mergeBars(earlier: BarSeries, later: BarSeries): MergedBars {
  const [a, b] = [earlier.time, later.time];
  /**
   * Source of each merged bar: an index into the earlier series, or the earlier length plus an index into the
   * later series.
   */
  const picks = new Float64Array(a.length + b.length);
  const differing: number[] = [];
  let [left, right, count] = [0, 0, 0];
  while (left < a.length || right < b.length) {
    const isBoth = left < a.length && right < b.length && a[left] === b[right];
    if (isBoth && !isSameBar(earlier, left, later, right)) differing.push(a[left]!);
    if (isBoth) left++;
    const takesLeft = !isBoth && (right >= b.length || (left < a.length && a[left]! < b[right]!));
    picks[count++] = takesLeft ? left++ : a.length + right++;
  }
  const series = mapColumns(earlier, (column, take) => {
    const other = take(later);
    const merged = new Float64Array(count);
    for (let index = 0; index < count; index++) {
      const pick = picks[index]!;
      merged[index] = pick < a.length ? column[pick]! : other[pick - a.length]!;
    }
    return merged;
  });
  return { series, differing, changed: differing.length };
}

function isSameBar(one: BarSeries, at: number, other: BarSeries, otherAt: number): boolean {
  const extra = Object.keys(one.extra ?? {});
  return (
    PRICE_COLUMNS.every((name) => one[name][at] === other[name][otherAt]) &&
    extra.every((name) => one.extra![name]![at] === other.extra?.[name]?.[otherAt])
  );
}

/**
 * Replaces a file: writes a temporary file and renames it when it is complete. Creates the file's folder if
 * it does not exist.
 *
 * @param write writes the content to the given path of the temporary file
 * @throws AppError `file_unwritable` if writing or renaming fails
 */
export async function replaceFile(
  file: string,
  write: (beside: string) => void | Promise<void>,
): Promise<void> {
  const beside = `${file}.${process.pid}.part`;
  try {
    makeFolder(path.dirname(file));
    await write(beside);
    renameSync(beside, file);
  } catch (cause) {
    throw unwritable(file, cause, { code: 'file_unwritable', hint: 'Choose another path with --out.' });
  }
}
