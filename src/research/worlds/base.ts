import type { BarSeries, CorporateAction, Market } from '../../market/index.ts';
import { adjustmentsOf, type GapAdjustments } from './actions.ts';

/** What worlds are made of. */
export interface WorldBase {
  readonly market: Market;
  /** Index in the clock of the first bar that is made anew; what comes before is history and stays as it is. */
  readonly first: number;
  readonly symbols: readonly SymbolBase[];
}

/** One symbol's bars as shapes: what each does relative to the close before it. */
export interface SymbolBase {
  readonly series: BarSeries;
  /** Bar of the symbol at each instant of the clock; −1 where it has none. */
  readonly barAt: Int32Array;
  /** Open over the close before, as if no split and no dividend had fallen between them; NaN for the first bar. */
  readonly gap: Float64Array;
  /** High, low and close over the open. */
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /** Decimal places that prices are rounded to; undefined where the data have no such places. */
  readonly places: number | undefined;
  readonly adjustments: GapAdjustments;
}

/** Decimal places of prices that are looked for; what has more is not rounded. */
const MOST_PLACES = 10;

/**
 * Reads the bars of a market as shapes.
 *
 * @param first index in the clock of the first bar to be made anew; at least 1, for the first bar of all has nothing before it
 */
export function worldBase(
  market: Market,
  first: number,
  actions: readonly CorporateAction[] = [],
): WorldBase {
  return {
    market,
    first: Math.max(1, first),
    symbols: market.series.map((series) => symbolBase(series, market.clock, actions)),
  };
}

function symbolBase(series: BarSeries, clock: Float64Array, actions: readonly CorporateAction[]): SymbolBase {
  const { open, high, low, close } = series;
  const adjustments = adjustmentsOf(series, actions);
  const ratioTo = (column: Float64Array) => column.map((value, bar) => value / open[bar]!);
  const gap = open.map((value, bar) => {
    if (bar === 0) return Number.NaN;
    return (value * adjustments.units[bar]! + adjustments.cash[bar]!) / close[bar - 1]!;
  });
  return {
    series,
    barAt: barsOnClock(series.time, clock),
    gap,
    high: ratioTo(high),
    low: ratioTo(low),
    close: ratioTo(close),
    places: placesOf([open, high, low, close]),
    adjustments,
  };
}

function barsOnClock(times: Float64Array, clock: Float64Array): Int32Array {
  const barAt = new Int32Array(clock.length).fill(-1);
  let bar = 0;
  for (let at = 0; at < clock.length && bar < times.length; at++) {
    if (times[bar] === clock[at]) barAt[at] = bar++;
  }
  return barAt;
}

/** Decimal places that hold every price. */
function placesOf(columns: readonly Float64Array[]): number | undefined {
  let places = 0;
  for (const column of columns) {
    for (const value of column) {
      while (rounded(value, places) !== value) if (++places > MOST_PLACES) return undefined;
    }
  }
  return places;
}

/** The nearest price of so many decimal places, above 0. Rounding keeps order: a high stays the highest. */
export function rounded(price: number, places: number | undefined): number {
  if (places === undefined) return price;
  const scale = 10 ** places;
  const whole = Math.round(price * scale);
  // Beyond 2^53 every float64 is a whole number of ticks already.
  return whole > Number.MAX_SAFE_INTEGER ? price : Math.max(1, whole) / scale;
}

/** Whether a symbol has a bar at an instant of the clock, and one before it. */
export function hasReturn({ barAt }: SymbolBase, at: number): boolean {
  return barAt[at]! > 0;
}

/**
 * Instants of the clock from the first one made anew at which every symbol has a return: what several symbols did
 * together.
 */
export function commonInstants({ market, first, symbols }: WorldBase): Int32Array {
  const common: number[] = [];
  for (let at = first; at < market.clock.length; at++) {
    if (symbols.every((symbol) => hasReturn(symbol, at))) common.push(at);
  }
  return Int32Array.from(common);
}
