import { decimal } from '../../kernel/index.ts';
import type { BarSeries, CorporateAction, Market } from '../../market/index.ts';

/** Market from which worlds (artificial markets) are made. */
export interface WorldBase {
  readonly market: Market;
  /** Clock index of the first simulated bar. Earlier bars are history and do not change. */
  readonly first: number;
  readonly symbols: readonly SymbolBase[];
}

/**
 * Bars of a symbol as ratios of prices. A world (artificial market) combines these ratios in another order,
 * or uses other ratios.
 */
export interface SymbolBase {
  readonly series: BarSeries;
  /** Index of the symbol's bar at each instant of the clock. −1 if the symbol has no bar at that instant. */
  readonly barAt: Int32Array;
  /** Open divided by the previous close, adjusted for splits and dividends. NaN for the first bar. */
  readonly gap: Float64Array;
  /** High, low and close, divided by the open. */
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /**
   * Decimal places to which prices are rounded. `undefined` if the data has more than `MOST_PLACES` decimal
   * places. Prices are then not rounded.
   */
  readonly places: number | undefined;
  readonly adjustments: GapAdjustments;
}

/** Maximum number of decimal places for rounding. Prices with more places are not rounded. */
const MOST_PLACES = 10;

/**
 * Converts the bars of a market to ratios of prices.
 *
 * @param first clock index of the first simulated bar; at least 1, because the first bar has no previous
 *   bar
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

/**
 * Returns the number of decimal places that represents every price exactly. `undefined` if this number
 * exceeds `MOST_PLACES`.
 */
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
 * Rounds a price to decimal places. The result is above 0. Rounding preserves the order of prices, so the
 * high remains the highest price of a bar.
 */
export function rounded(price: number, places: number | undefined): number {
  if (places === undefined) return price;
  const scale = 10 ** places;
  const whole = Math.round(price * scale);
  // Above 2^53, float64 cannot represent every whole number of steps, so the price is not rounded.
  return whole > Number.MAX_SAFE_INTEGER ? price : Math.max(1, whole) / scale;
}

/** Returns true if a symbol has a bar at an instant of the clock and also an earlier bar. */
export function hasReturn({ barAt }: SymbolBase, at: number): boolean {
  return barAt[at]! > 0;
}

/** Returns the clock indices, from the first simulated bar on, at which every symbol has a return. */
export function commonInstants({ market, first, symbols }: WorldBase): Int32Array {
  const common: number[] = [];
  for (let at = first; at < market.clock.length; at++) {
    if (symbols.every((symbol) => hasReturn(symbol, at))) common.push(at);
  }
  return Int32Array.from(common);
}

/**
 * Changes of a symbol's price that are caused by splits, rolls and dividends, between a close and the next
 * open.
 */
interface GapAdjustments {
  /** Number of units at each bar for one unit at the previous bar, for example 2 for a split of 2:1. */
  readonly units: Float64Array;
  /** Dividend at each bar, per unit at the previous close. */
  readonly cash: Float64Array;
}

/**
 * Returns the adjustments of a symbol for each bar. A corporate action takes effect at the first bar at or
 * after its date.
 *
 * Actions of one bar apply in the given order. A dividend after a split is therefore paid on the new units.
 */
function adjustmentsOf({ symbol, time }: BarSeries, actions: readonly CorporateAction[]): GapAdjustments {
  const units = new Float64Array(time.length).fill(1);
  const cash = new Float64Array(time.length);
  for (const action of ofSymbol(actions, symbol)) {
    const bar = time.findIndex((instant) => instant >= action.time);
    if (bar < 1) continue;
    // A roll changes the number of units by the ratio of the old contract's price to the new contract's
    // price. The roll therefore causes neither profit nor loss.
    if (action.kind === 'roll') units[bar]! *= Number(action.oldPrice) / Number(action.newPrice);
    if (action.kind === 'split') units[bar]! *= Number(action.to) / Number(action.from);
    if (action.kind === 'dividend') cash[bar]! += Number(action.amount) * units[bar]!;
  }
  return { units, cash };
}

/**
 * Adapts the corporate actions of the data to a world (artificial market). The ratio of a dividend to the
 * previous close, and of a delisting payment to the last close, is the same as in the data. A roll retains
 * its date and its price ratio. Splits and funding rates do not change.
 *
 * @param made bars of the world, with the symbols in the same order as `actual`
 */
export function actionsOfWorld(
  actions: readonly CorporateAction[],
  actual: readonly BarSeries[],
  made: readonly BarSeries[],
): CorporateAction[] {
  return actions.map((action) => {
    const index = actual.findIndex(({ symbol }) => symbol === action.symbol);
    const series = actual[index];
    if (series === undefined) return action;
    const next = series.time.findIndex((instant) => instant >= action.time);
    const before = next === -1 ? series.time.length - 1 : next - 1;
    if (before < 0) return action;
    if (action.kind === 'roll' && next > 0) {
      const open = made[index]!.open[next]!;
      const oldPrice = scaledText(action.oldPrice, open / series.open[next]!);
      return { ...action, oldPrice, newPrice: decimal(open).toString() };
    }
    const scale = made[index]!.close[before]! / series.close[before]!;
    if (action.kind === 'dividend') return { ...action, amount: scaledText(action.amount, scale) };
    if (action.kind === 'delisting' && action.price !== undefined)
      return { ...action, price: scaledText(action.price, scale) };
    return action;
  });
}

function ofSymbol(actions: readonly CorporateAction[], symbol: string): CorporateAction[] {
  return actions.filter((action) => action.symbol === symbol);
}

/** Scales an amount of money and rounds it to ten decimal places. An amount above 0 stays above 0. */
function scaledText(amount: string, scale: number): string {
  if (scale === 1) return amount;
  const text = (Number(amount) * scale).toFixed(10).replace(/\.?0+$/, '');
  return text === '0' && Number(amount) > 0 ? '0.0000000001' : text;
}

/**
 * Returns logarithmic close-to-close returns, adjusted for splits and dividends, at the given instants of the
 * clock.
 */
export function logReturns({ barAt, gap, close }: SymbolBase, instants: Int32Array): Float64Array {
  return Float64Array.from(instants, (at) => {
    const bar = barAt[at]!;
    return Math.log(gap[bar]! * close[bar]!);
  });
}
