import { writeFileSync } from 'node:fs';
import { AppError } from '../kernel/index.ts';
import type { BarSeries } from './bar-series.ts';
import { symbolFolder } from './catalog/place.ts';
import { type Obtained, writeParquet, writeToCatalog } from './catalog/write.ts';
import { toCsv } from './csv.ts';
import type { DataSource } from './data-source.ts';
import { openDatabase } from './database.ts';
import { intervalText } from './interval.ts';
import { intervalOf } from './one-interval.ts';
import { replaceFile } from './replace-file.ts';

/** Origin of saved bars. */
export interface SavedFrom {
  readonly sources: readonly DataSource[];
  /** Description of the operation for the catalogue's manifest. */
  readonly query: Readonly<Record<string, string>>;
}

/** Location of saved series. */
export interface SavedBars {
  readonly place: string;
  readonly symbols: readonly string[];
  readonly bars: number;
}

/**
 * Writes bars to one `.csv` or `.parquet` file. Any other path is the folder of a catalogue.
 *
 * @param from origin of the bars, for the catalogue's manifest
 * @throws AppError `file_unwritable`; `bad_catalog` if the length of a series' bars is unknown
 */
export async function saveBars(
  series: readonly BarSeries[],
  out: string,
  from: SavedFrom,
): Promise<SavedBars[]> {
  const kind = /\.(csv|parquet|pq)$/i.exec(out)?.[1]?.toLowerCase();
  if (kind === undefined) return saveToCatalog(series, out, from);
  if (kind === 'csv')
    await replaceFile(out, (beside) =>
      writeFileSync(beside, series.length === 1 ? toCsv(series[0]!) : toCsv(series)),
    );
  else {
    const database = await openDatabase();
    try {
      await writeParquet(database, out, series, []);
    } finally {
      database.close();
    }
  }
  const bars = series.reduce((sum, { time }) => sum + time.length, 0);
  return [{ place: out, symbols: series.map(({ symbol }) => symbol), bars }];
}

async function saveToCatalog(
  series: readonly BarSeries[],
  root: string,
  from: SavedFrom,
): Promise<SavedBars[]> {
  const saved: SavedBars[] = [];
  const measured = series.map((one) => ({ one, interval: intervalOf(one) }));
  const unknown = measured.filter(({ interval }) => interval === undefined).map(({ one }) => one.symbol);
  if (unknown.length > 0)
    throw new AppError({
      code: 'bad_catalog',
      message: `One bar does not show how long it lasts: ${unknown.join(', ')}.`,
      hint: 'Add --interval, for example --interval 1d.',
    });
  for (const { one, interval } of measured) {
    const { time, symbol } = one;
    const length = intervalText(interval!);
    const obtained = sourcesOf(symbol, from);
    await writeToCatalog(root, { ...one, interval: length }, obtained);
    saved.push({ place: symbolFolder(root, length, symbol), symbols: [symbol], bars: time.length });
  }
  return saved;
}

function sourcesOf(symbol: string, { sources, query }: SavedFrom): Obtained[] {
  const time = new Date().toISOString();
  const own = sources.filter(({ symbols }) => symbols.includes(symbol));
  return own.map(({ file, sha256, bars, firstBar, lastBar }) => {
    return { source: 'file', query: { ...query, file }, time, from: firstBar, to: lastBar, bars, sha256 };
  });
}
