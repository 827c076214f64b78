import type { BarSeries, BarTimes, DataSource, LoadedSeries, Market } from '../market/index.ts';
import { DetailBars, loadSeries } from '../market/index.ts';
import { loadOptions } from './load-options.ts';
import type { DataOptions } from './options.ts';

/** Finer bars from `--detail`, read but not yet checked against a market. */
export type LoadedDetail = LoadedSeries | undefined;

/**
 * Reads the files of finer bars.
 *
 * @param symbols symbols of the market. A single file gets the name of a single symbol
 * @throws AppError with every fault of every file
 */
export async function loadDetail(
  paths: readonly string[] | undefined,
  flags: DataOptions,
  symbols: readonly string[],
): Promise<LoadedDetail> {
  if (paths === undefined) return undefined;
  const { from: _from, to: _to, symbols: _symbols, interval: _interval, ...rules } = loadOptions(flags);
  return loadSeries({ ...rules, columnsOptional: true, paths, ...(symbols.length === 1 ? { symbols } : {}) });
}

/** Finer bars that fit their market, with their sources. */
export interface FittedDetail {
  readonly bars: DetailBars;
  readonly series: readonly BarSeries[];
  readonly sources: readonly DataSource[];
  readonly adjustments: readonly string[];
}

/**
 * Checks finer bars against the market's bars.
 *
 * @param chosen symbols of `--symbol`. Finer bars of other symbols are ignored
 * @throws AppError `bad_detail` with every fault
 */
export function fitDetail(
  loaded: LoadedDetail,
  market: Market,
  chosen: readonly string[] | undefined,
  barTimes: BarTimes,
): FittedDetail | undefined {
  if (loaded === undefined) return undefined;
  const { series } = loaded;
  const wanted =
    chosen === undefined ? series : series.filter(({ symbol }) => market.symbols.includes(symbol));
  const bars = new DetailBars(market, wanted, barTimes);
  return {
    bars,
    series: wanted,
    sources: loaded.sources,
    adjustments: [...loaded.adjustments, ...bars.adjustments],
  };
}
