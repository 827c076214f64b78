import { writeFileSync } from 'node:fs';
import { AppError, formatInstant } from '../../kernel/index.ts';
import { type BarSeries, PRICE_COLUMNS } from '../bars/bar-columns.ts';
import { intervalText } from '../bars/interval.ts';
import { symbolFolder } from '../catalog/manifest.ts';
import { type Obtained, replaceFile, writeParquet, writeToCatalog } from '../catalog/write.ts';
import type { DataSource } from './data-source.ts';
import { openDatabase } from './database.ts';
import { intervalOf } from './one-interval.ts';

/** Origin of saved bars, for the catalogue's manifest. */
interface SavedFrom {
  readonly sources: readonly DataSource[];
  /** Operation that created the bars, for the catalogue's manifest. */
  readonly query: Readonly<Record<string, string>>;
}

/** Location of saved series. */
export interface SavedBars {
  readonly place: string;
  readonly symbols: readonly string[];
  readonly bars: number;
}

/**
 * Writes bars to a file if the path ends in `.csv` or `.parquet`. Any other path is the folder of a
 * catalogue.
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

/**
 * Returns CSV text. `loadMarket` reads the text back as the same bars. Several series get a `symbol` column
 * and are sorted by time.
 *
 * @param series one series, or several
 */
export function toCsv(series: BarSeries | readonly BarSeries[]): string {
  if (!('length' in series)) {
    const lines = [`date,${PRICE_COLUMNS.join(',')}`];
    for (let index = 0; index < series.time.length; index++) lines.push(barLine(series, index));
    return `${lines.join('\n')}\n`;
  }
  const rows = series.flatMap((one) => Array.from(one.time, (time, index) => ({ time, one, index })));
  rows.sort((a, b) => a.time - b.time || (a.one.symbol < b.one.symbol ? -1 : 1));
  const lines = rows.map(({ one, index }) => {
    const [date, ...values] = barLine(one, index).split(',');
    return [date, quoted(one.symbol), ...values].join(',');
  });
  return `${[`date,symbol,${PRICE_COLUMNS.join(',')}`, ...lines].join('\n')}\n`;
}

function barLine(series: BarSeries, index: number): string {
  const { time, open, high, low, close, volume } = series;
  return `${formatInstant(time[index]!)},${open[index]},${high[index]},${low[index]},${close[index]},${volume[index]}`;
}

function quoted(symbol: string): string {
  return /[",;|\t]/.test(symbol) ? `"${symbol.replaceAll('"', '""')}"` : symbol;
}
