import { AppError } from '../kernel/index.ts';
import { type BarSeries, mapColumns } from './bar-series.ts';
import type { Interval } from './interval.ts';
import { sharedInterval } from './one-interval.ts';
import { checkSeries } from './valid-series.ts';

/** Several symbols on one clock: the union of their bar times. */
export interface Market {
  /** In alphabetical order, so that no result depends on the order files were named in. */
  readonly symbols: readonly string[];
  /** One per symbol, in the order of `symbols`. */
  readonly series: readonly BarSeries[];
  /** Instants, strictly increasing; its index is the bar number of a run. */
  readonly clock: Float64Array;
  /** How long the bars of all symbols last; undefined where no symbol has two bars and none is declared. */
  readonly interval?: Interval | undefined;
}

/** Markets whose bars have been found good, and what was made of them. */
const checked = new WeakSet<Market>();

/**
 * Puts series on one clock. Their columns are copied: what is written to the given ones later changes nothing.
 *
 * Symbols are taken as they are given and must be as the loaders make them, in capitals and without spaces around them:
 * a name is the same whether its bars come from a file or from code, and none is changed behind its owner's back.
 *
 * @throws AppError `no_data` without any bar, `duplicate_symbol` when two series share a symbol, `bad_data` for bars that no
 *   file may have either, `mixed_intervals` when bars of different lengths would share the clock
 */
export function createMarket(series: readonly BarSeries[]): Market {
  checkSeries(series);
  return marketOf(series.map((one) => mapColumns(one, (column) => column.slice())));
}

/** `createMarket` for series whose bars are known to be good. */
export function marketOf(series: readonly BarSeries[]): Market {
  const ordered = series.filter((one) => one.time.length > 0).sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const [first] = ordered;
  if (first === undefined) {
    throw new AppError({
      code: 'no_data',
      message: 'There is no bar to run on.',
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

/** Marks a market that was made of a good one as good too. */
export function trusted(market: Market): Market {
  checked.add(market);
  return market;
}

/**
 * A market that any code may have put together, after the checks of `createMarket`.
 *
 * @throws AppError as `createMarket` does
 */
export function checkedMarket(market: Market): Market {
  const given: unknown = market;
  const isMarket =
    typeof given === 'object' && given !== null && 'series' in given && Array.isArray(given.series);
  if (!isMarket)
    throw new AppError({
      code: 'bad_data',
      message: 'The market of the run is no market: it has no series.',
      hint: 'Make one with createMarket([barSeries("AAPL", bars)]), or load files with loadMarket.',
    });
  return checked.has(market) ? market : createMarket(market.series);
}

function unionOfTimes(series: readonly BarSeries[]): Float64Array {
  const all = new Float64Array(series.reduce((total, one) => total + one.time.length, 0));
  let offset = 0;
  for (const one of series) {
    all.set(one.time, offset);
    offset += one.time.length;
  }
  all.sort();
  let kept = 0;
  for (let index = 0; index < all.length; index++) {
    if (index === 0 || all[index] !== all[index - 1]) all[kept++] = all[index]!;
  }
  return all.slice(0, kept);
}
