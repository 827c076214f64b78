import {
  type BarSeries,
  type BarTimes,
  type DataSource,
  DetailBars,
  type LoadedSeries,
  loadSeries,
  type Market,
} from '../../market/index.ts';
import { readProgress } from '../context.ts';
import { unmatchedWarnings } from './instruments-file.ts';
import { loadOptions } from './load-bars.ts';
import type { FileObserver, WorldFiles } from './load-world.ts';
import type { DataOptions } from './options.ts';

/**
 * Finer bars, which have a shorter interval than the bars of the data, read from the files of `--detail`.
 * They have not been compared with the data yet. `undefined` without the option.
 */
export type LoadedDetail = LoadedSeries | undefined;

/**
 * Reads the files of finer bars, and compares their symbols with the symbols of the data.
 *
 * @param loading promise of the data. If the data cannot be read, the files of finer bars are read
 *   nevertheless, so that their faults are reported
 * @throws AppError with every fault of every file; `unknown_symbol` if the data contains no symbol of these
 *   files
 */
export async function loadDetail(
  options: DataOptions & { readonly detail?: readonly string[] | undefined },
  loading: Promise<Pick<WorldFiles, 'market' | 'omitted'>>,
  observer: FileObserver,
): Promise<LoadedDetail> {
  const files = await loading.catch(() => undefined);
  const { detail: paths } = options;
  if (paths === undefined) return undefined;
  const { from: _from, to: _to, symbols: _symbols, interval: _interval, ...rules } = loadOptions(options);
  const symbols = files?.market.symbols ?? [];
  // If the data have only one symbol, this symbol is used for files of finer bars without a symbol column.
  const loaded = await loadSeries({
    ...rules,
    columnsOptional: true,
    onRead: readProgress(observer, 'reading the finer bars'),
    paths,
    ...(symbols.length === 1 ? { symbols } : {}),
  });
  if (files === undefined) return loaded;
  const own = { file: paths.join(', '), symbols: loaded.series.map(({ symbol }) => symbol) };
  const unmatched = unmatchedWarnings([own], new Set([...symbols, ...files.omitted]), []);
  const warnings = [...(loaded.notes ?? []), ...unmatched];
  for (const warning of warnings) observer.warn(warning);
  return { ...loaded, adjustments: [...loaded.adjustments, ...warnings] };
}

/** Finer bars that match the bars of the market, with their sources. */
export interface FittedDetail {
  readonly bars: DetailBars;
  readonly series: readonly BarSeries[];
  readonly sources: readonly DataSource[];
  readonly adjustments: readonly string[];
}

/**
 * Compares finer bars with the bars of the market. Ignores finer bars of symbols that are not in the market.
 *
 * @throws AppError `bad_detail` with every fault
 */
export function fitDetail(
  loaded: LoadedDetail,
  market: Market,
  barTimes: BarTimes,
): FittedDetail | undefined {
  if (loaded === undefined) return undefined;
  const { series } = loaded;
  const wanted = series.filter(({ symbol }) => market.symbols.includes(symbol));
  const bars = new DetailBars(market, wanted, barTimes);
  return {
    bars,
    series: wanted,
    sources: loaded.sources,
    adjustments: [...loaded.adjustments, ...bars.adjustments],
  };
}
