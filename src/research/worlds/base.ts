import type { BarSeries, CorporateAction, Market } from '../../market/index.ts';
import { adjustmentsOf, type GapAdjustments } from './actions.ts';

/** Data from which worlds are made. */
export interface WorldBase {
  readonly market: Market;
  /** Clock index of the first simulated bar. Earlier bars are history and do not change. */
  readonly first: number;
  readonly symbols: readonly SymbolBase[];
}

/** Shapes of a symbol's bars, each relative to the previous close. */
export interface SymbolBase {
  readonly series: BarSeries;
  /** Bar of the symbol at each instant of the clock; −1 if it has no bar. */
  readonly barAt: Int32Array;
  /** Open divided by the previous close, adjusted for splits and dividends. NaN for the first bar. */
  readonly gap: Float64Array;
  /** High, low and close, divided by the open. */
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /** Decimal places to which prices are rounded. Undefined if the data has no fixed number of places. */
  readonly places: number | undefined;
  readonly adjustments: GapAdjustments;
}

/** Maximum number of decimal places for rounding. Prices with more places are not rounded. */
const MOST_PLACES = 10;

/**
 * Returns the bars of a market as shapes.
 *
 * @param first clock index of the first simulated bar; at least 1, because the first bar has no previous bar
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

/** Returns the number of decimal places that represents every price exactly. */
function placesOf(columns: readonly Float64Array[]): number | undefined {
  let places = 0;
  for (const column of columns) {
    for (const value of column) {
      while (rounded(value, places) !== value) if (++places > MOST_PLACES) return undefined;
    }
  }
  return places;
}

/**
 * Rounds a price to decimal places; the result is above 0. Rounding is monotonic, so a high stays the highest
 * price.
 */
export function rounded(price: number, places: number | undefined): number {
  if (places === undefined) return price;
  const scale = 10 ** places;
  const whole = Math.round(price * scale);
  // Above 2^53 every float64 is already a whole number of ticks.
  return whole > Number.MAX_SAFE_INTEGER ? price : Math.max(1, whole) / scale;
}

/** Returns true if a symbol has a bar at an instant of the clock and a previous bar. */
export function hasReturn({ barAt }: SymbolBase, at: number): boolean {
  return barAt[at]! > 0;
}

/** Returns the instants from the first simulated one at which every symbol has a return. */
export function commonInstants({ market, first, symbols }: WorldBase): Int32Array {
  const common: number[] = [];
  for (let at = first; at < market.clock.length; at++) {
    if (symbols.every((symbol) => hasReturn(symbol, at))) common.push(at);
  }
  return Int32Array.from(common);
}
