import { AppError } from '../kernel/index.ts';
import { type BarSeries, mapColumns } from './bars/bar-columns.ts';
import type { Interval } from './bars/interval.ts';
import { sharedInterval } from './reading/one-interval.ts';
import { checkSeries } from './reading/valid-series.ts';

/** Bars of several symbols on one clock. The clock contains every time at which any symbol has a bar. */
export interface Market {
  /** In alphabetical order, so that results do not depend on the order of files. */
  readonly symbols: readonly string[];
  /** One series per symbol, in the order of `symbols`. */
  readonly series: readonly BarSeries[];
  /** Strictly increasing instants. The index is the bar number of a run. */
  readonly clock: Float64Array;
  /** Length of the bars of all symbols. `undefined` if no symbol has two bars and no length is declared. */
  readonly interval?: Interval | undefined;
  /** True if bars are appended during the run. The columns of the series and the clock then grow in place. */
  readonly growing?: true;
}

/** Markets whose bars have been validated, and markets derived from them. */
const checked = new WeakSet<Market>();

/**
 * Combines series on one clock. The columns are copied, so later changes of the given arrays have no effect.
 *
 * Symbols must have the form that the loaders produce: capitals without surrounding spaces. A symbol
 * therefore has the same name in files and in code, and names are never changed silently.
 *
 * @throws AppError `no_data` without any bar; `duplicate_symbol` if two series share a symbol; `bad_data` for
 *   bars that would also be invalid in a file; `mixed_intervals` if bars of different lengths would share the
 *   clock
 */
export function createMarket(series: readonly BarSeries[]): Market {
  checkSeries(series);
  return marketOf(series.map((one) => mapColumns(one, (column) => column.slice())));
}

/** Combines series on one clock like `createMarket`, but neither validates nor copies them. */
export function marketOf(series: readonly BarSeries[]): Market {
  const ordered = series.filter((one) => one.time.length > 0).sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const [first] = ordered;
  if (first === undefined) {
    throw new AppError({
      code: 'no_data',
      message: 'The data have no bars.',
      hint: 'Name a file with bars, or widen --from and --to.',
    });
  }
  const symbols = ordered.map((one) => one.symbol);
  const twice = symbols.find((symbol, index) => symbols.indexOf(symbol) !== index);
  if (twice !== undefined) {
    throw new AppError({
      code: 'duplicate_symbol',
      message: `The symbol ${twice} was given twice.`,
      hint: 'Give each symbol one file.',
    });
  }
  const interval = sharedInterval(ordered);
  const clock = ordered.length === 1 ? first.time : unionOfTimes(ordered);
  return trusted({ symbols, series: ordered, clock, interval });
}

/**
 * Marks a market as validated, so that `checkedMarket` does not validate it again. Use only for markets
 * derived from a validated market.
 */
export function trusted(market: Market): Market {
  checked.add(market);
  return market;
}

/**
 * Validates a market that user code may have assembled, with the checks of `createMarket`.
 *
 * @throws AppError in the same cases as `createMarket`
 */
export function checkedMarket(market: Market): Market {
  const given: unknown = market;
  const isMarket =
    typeof given === 'object' && given !== null && 'series' in given && Array.isArray(given.series);
  if (!isMarket)
    throw new AppError({
      code: 'bad_data',
      message: 'The option `market` is not a market: it has no series.',
      hint: 'Create one with createMarket([barSeries("AAPL", bars)]), or load files with loadMarket.',
    });
  return checked.has(market) ? market : createMarket(market.series);
}

function isSame(one: Float64Array, other: Float64Array): boolean {
  return one.length === other.length && one.every((time, index) => time === other[index]);
}

function unionOfTimes(series: readonly BarSeries[]): Float64Array {
  const first = series[0]?.time ?? new Float64Array();
  // Most symbols have the same times. Only different times must be merged and sorted.
  const different = series.filter(({ time }) => time !== first && !isSame(time, first));
  if (different.length === 0) return first.slice();
  const times = [first, ...different.map(({ time }) => time)];
  const all = new Float64Array(times.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const one of times) {
    all.set(one, offset);
    offset += one.length;
  }
  all.sort();
  let kept = 0;
  for (let index = 0; index < all.length; index++) {
    if (index === 0 || all[index] !== all[index - 1]) all[kept++] = all[index]!;
  }
  return all.slice(0, kept);
}
