import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { neededColumns } from '../../broker/index.ts';
import type { RunSettingsInput } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import {
  type BarSeries,
  type DataSource,
  type FeatureSource,
  type FeatureTable,
  type LoadedMarket,
  type LoadOptions,
  loadMarket,
  type Market,
} from '../../market/index.ts';
import type { DataOptions } from './options.ts';

/**
 * Reads the bars while the strategy is still being read. If the settings of the strategy require further
 * columns of the files, reads the bars a second time.
 *
 * @param reading promise of the settings, including the settings of the strategy
 * @param asked settings of the request, without the settings of the strategy
 * @param bars bars in memory, and a function that receives the number of bytes read
 * @throws AppError with every fault of the files
 */
export async function loadBars(
  options: DataOptions,
  reading: Promise<RunSettingsInput>,
  asked: RunSettingsInput,
  { given, onRead }: { readonly given: Market | undefined; readonly onRead?: LoadOptions['onRead'] },
): Promise<LoadedMarket> {
  // The caller also awaits `reading` and reports its error.
  reading.catch(() => undefined);
  if (given !== undefined)
    return { market: given, sources: [sourceOfMarket(given)], adjustments: [], omitted: [] };
  const wanted = { ...loadOptions(options, asked), keepColumns: true, onRead };
  const loading = loadMarket(wanted);
  // `loading` is awaited below. Without this line, Node would report an earlier error as an unhandled
  // rejection.
  loading.catch(() => undefined);
  const settings = await reading.catch(() => asked);
  const needed = { ...loadOptions(options, settings), keepColumns: true, onRead };
  return isDeepStrictEqual(needed, wanted) ? loading : loadMarket(needed);
}

/** Describes bars in memory as a data source. A hash of the bars replaces the hash of a file. */
export function sourceOfMarket({ series, symbols, clock }: Market): DataSource {
  const hash = createHash('sha256');
  for (const { symbol, time, open, high, low, close, volume } of series) {
    hash.update(`${symbol} ${time.length}\n`);
    for (const column of [time, open, high, low, close, volume]) hash.update(Float64Array.from(column));
  }
  return {
    file: '(bars in memory)',
    sha256: hash.digest('hex'),
    symbols,
    bars: series.reduce((sum, { time }) => sum + time.length, 0),
    firstBar: formatInstant(clock[0] ?? 0),
    lastBar: formatInstant(clock.at(-1) ?? 0),
  };
}

/** Describes one series in memory as a data source. */
export function sourceOfSeries(series: BarSeries): DataSource {
  const one = sourceOfMarket({ symbols: [series.symbol], series: [series], clock: series.time });
  return { ...one, file: `(context ${series.symbol} in memory)` };
}

/** Describes features in memory as a data source. */
export function sourceOfFeatures(table: FeatureTable): FeatureSource {
  const { source, columns, dates, known, symbols, lag } = table;
  const text = JSON.stringify([
    columns,
    dates,
    known.map((stamp) => stamp ?? null),
    symbols ?? null,
    lag ?? null,
  ]);
  return {
    file: source,
    sha256: createHash('sha256').update(text).digest('hex'),
    features: columns.map(({ name }) => name),
    rows: dates.length,
  };
}

/**
 * Returns the options for reading files of bars.
 *
 * @param settings settings, which may require further columns in the files, for example of spreads
 */
export function loadOptions(options: DataOptions, settings: RunSettingsInput = {}): LoadOptions {
  const extraColumns = neededColumns(settings);
  return {
    ...(extraColumns.length === 0 ? {} : { extraColumns }),
    paths: options.data ?? [],
    ...(options.symbol === undefined ? {} : { symbols: options.symbol }),
    ...(options.from === undefined ? {} : { from: options.from }),
    ...(options.to === undefined ? {} : { to: options.to }),
    ...(options.allowGaps === undefined ? {} : { allowGaps: options.allowGaps }),
    ...(options.sort === undefined ? {} : { sortRows: options.sort }),
    ...(options.volume === false ? { noVolume: true } : {}),
    ...(options.interval === undefined ? {} : { interval: options.interval }),
    ...(options.dateOrder === undefined ? {} : { dateOrder: options.dateOrder }),
    ...(options.timezone === undefined ? {} : { timezone: options.timezone }),
    ...(options.columns === undefined ? {} : { columns: options.columns }),
    ...(options.maxUnpacked === undefined ? {} : { unpackedLimit: options.maxUnpacked }),
  };
}
