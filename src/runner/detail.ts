import type { BarSeries, BarTimes, DataSource, LoadedSeries, Market } from '../market/index.ts';
import { DetailBars, loadSeries } from '../market/index.ts';
import { loadOptions } from './load-options.ts';
import type { DataOptions } from './options.ts';

/** Finer bars as `--detail` names them, read but not yet compared with a market. */
export type LoadedDetail = LoadedSeries | undefined;

/**
 * Reads the files of finer bars.
 *
 * @param symbols of the market: a single file takes the name of a single symbol
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

/** Finer bars that fit their market, and where they come from. */
export interface FittedDetail {
  readonly bars: DetailBars;
  readonly series: readonly BarSeries[];
  readonly sources: readonly DataSource[];
  readonly adjustments: readonly string[];
}

/**
 * Holds finer bars against the market's bars.
 *
 * @param chosen the symbols of `--symbol`: finer bars of others are none of the run's business
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
