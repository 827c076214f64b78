import type { Random } from '../../kernel/index.ts';
import { type BarSeries, type Market, mapColumns, marketOf } from '../../market/index.ts';
import { blockLengthOf } from '../../results/analysis/series/block-length.ts';
import { hasReturn, logReturns, rounded, type SymbolBase, type WorldBase } from './base.ts';

/**
 * Bar of a world (artificial market) as ratios of prices. `gap` is the open divided by the previous close.
 * The other prices are divided by the open.
 */
export interface BarShape {
  gap: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  /** Index of the bar from which other columns, such as a quoted spread, are copied. */
  extraFrom: number;
}

/**
 * Sets the ratios for a symbol's bar at an instant of the clock. Returns false to use the ratios of the
 * actual bar.
 */
export type ShapeOf = (symbol: SymbolBase, index: number, at: number, shape: BarShape) => boolean;

const NO_SHAPE: BarShape = { gap: 1, high: 1, low: 1, close: 1, volume: 0, extraFrom: 0 };

/**
 * Limits of a world's prices: the first close of the data divided by this factor, and multiplied by this
 * factor. Float64 or decimals could not represent prices outside these limits.
 */
const LARGEST_MOVE = 1e9;

/**
 * Converts ratios of prices to a market with the dates of the data. Prices are above 0 and are rounded to the
 * decimal places of the data. High and low enclose open and close.
 *
 * Every symbol ends at its last price in the data, because all returns of a symbol are shifted by the same
 * small amount. Without the shift, a world's trend would favour or penalise a strategy that is always long.
 */
export function buildWorld(base: WorldBase, shapeOf: ShapeOf): Market {
  return marketOf(base.symbols.map((symbol, index) => buildSeries(base, symbol, index, shapeOf)));
}

/**
 * Returns the factor by which the gap of every bar must be multiplied so that a symbol ends at its last price
 * in the data.
 */
function driftOf(base: WorldBase, symbol: SymbolBase, index: number, shapeOf: ShapeOf): number {
  const shape: BarShape = { ...NO_SHAPE };
  let [missing, bars] = [0, 0];
  for (let at = base.first; at < symbol.barAt.length; at++) {
    const bar = symbol.barAt[at]!;
    if (bar < 1 || !shapeOf(symbol, index, at, shape)) continue;
    missing += Math.log(symbol.gap[bar]! * symbol.close[bar]!) - Math.log(shape.gap * shape.close);
    bars += 1;
  }
  // `missing` is the sum of the logarithmic returns of the data minus that of the world. If a world only
  // reorders returns, this difference is caused by rounding and is ignored.
  return Math.abs(missing) < 1e-9 ? 1 : Math.exp(missing / bars);
}

function buildSeries(base: WorldBase, symbol: SymbolBase, index: number, shapeOf: ShapeOf): BarSeries {
  const { series, barAt, places, adjustments } = symbol;
  const { clock } = base.market;
  const made = mapColumns(series, (column) => column.slice());
  const shape: BarShape = { ...NO_SHAPE };
  const drift = driftOf(base, symbol, index, shapeOf);
  const floor = series.close[0]! / LARGEST_MOVE;
  const ceiling = series.close[0]! * LARGEST_MOVE;
  // The previous close is stored unrounded, so that rounding errors do not accumulate.
  let level = Number.NaN;
  for (let at = 0; at < clock.length; at++) {
    const bar = barAt[at]!;
    if (bar < 0) continue;
    if (bar === 0 || at < base.first) {
      level = series.close[bar]!;
      continue;
    }
    const isMade = shapeOf(symbol, index, at, shape);
    if (!isMade) takeShape(symbol, bar, shape);
    // Prices differ between worlds, so the dividend is the same share of the previous close as in the data.
    const yielded = adjustments.cash[bar]! / series.close[bar - 1]!;
    const gap = Math.max(
      (shape.gap * (isMade ? drift : 1) - yielded) / adjustments.units[bar]!,
      Number.MIN_VALUE,
    );
    const open = Math.min(ceiling, Math.max(floor, level * gap));
    const close = Math.min(ceiling, Math.max(floor, open * shape.close));
    made.open[bar] = rounded(open, places);
    made.close[bar] = rounded(close, places);
    made.high[bar] = rounded(Math.max(open, close, Math.min(ceiling, open * shape.high)), places);
    made.low[bar] = rounded(Math.min(open, close, Math.max(floor, open * shape.low)), places);
    made.volume[bar] = shape.volume;
    for (const [name, column] of Object.entries(made.extra ?? {})) {
      // Other columns, such as spreads and quotes, are prices. Their ratio to the open is the same as in the
      // data.
      const from = shape.extraFrom;
      column[bar] = (series.extra![name]![from]! / series.open[from]!) * made.open[bar]!;
    }
    level = close;
  }
  return made;
}

/** Copies the ratios of a bar in the data. */
export function takeShape(symbol: SymbolBase, bar: number, shape: BarShape): void {
  shape.gap = symbol.gap[bar]!;
  shape.high = symbol.high[bar]!;
  shape.low = symbol.low[bar]!;
  shape.close = symbol.close[bar]!;
  shape.volume = symbol.series.volume[bar]!;
  shape.extraFrom = bar;
}

/**
 * Returns the market with independent normal noise on open, high, low and close of each bar. High and low are
 * the highest and the lowest of the four prices with noise.
 */
export function noisy(base: WorldBase, noise: NoiseSize, random: Random): Market {
  return marketOf(
    base.symbols.map((symbol) => noisySeries(base, symbol, noise, random.fork(symbol.series.symbol))),
  );
}

function noisySeries(
  base: WorldBase,
  { series, barAt, places }: SymbolBase,
  noise: NoiseSize,
  random: Random,
) {
  const made = mapColumns(series, (column) => column.slice());
  const bars = barAt.subarray(base.first).filter((bar) => bar >= 0);
  for (const bar of bars) {
    const range = series.high[bar]! - series.low[bar]!;
    const moved = (price: number): number => {
      const step = random.normal() * noise.size;
      if (noise.unit === 'basis-points') return price * Math.exp(step / 10_000);
      // Noise must not reduce a price below a hundredth of its original value.
      return Math.max(price + step * range, price / 100);
    };
    const four = [series.open, series.high, series.low, series.close].map((column) => moved(column[bar]!));
    made.open[bar] = rounded(four[0]!, places);
    made.close[bar] = rounded(four[3]!, places);
    made.high[bar] = rounded(Math.max(...four), places);
    made.low[bar] = rounded(Math.min(...four), places);
  }
  return made;
}

/** Standard deviation of the noise on prices. */
export type NoiseSize =
  | { readonly unit: 'basis-points'; readonly size: number }
  /** `size` is a share of the bar's range (high minus low): 0.1 is a tenth. */
  | { readonly unit: 'range'; readonly size: number };

/**
 * Parses a noise size. `5bp` means five basis points of each price, `10%` means a tenth of each bar's range.
 * Returns undefined for any other text.
 */
export function readNoise(text: string): NoiseSize | undefined {
  const [, number = '', unit] = /^\s*(\d+\.?\d*|\.\d+)\s*(bps?|%)\s*$/i.exec(text) ?? [];
  const size = Number(number);
  if (!(size > 0)) return undefined;
  if (unit === '%') return size <= 1000 ? { unit: 'range', size: size / 100 } : undefined;
  return size <= 10_000 ? { unit: 'basis-points', size } : undefined;
}

/**
 * Returns the mean block length for a market: the longest length estimated from any symbol's returns or
 * squared returns. Blocks of this length preserve short trends and volatility clusters.
 *
 * @param common instants at which every symbol has a return
 */
export function marketBlockLength(base: WorldBase, common: Int32Array): number {
  let longest = 1;
  for (const symbol of base.symbols) {
    const returns = logReturns(symbol, common);
    const squares = returns.map((value) => value * value);
    longest = Math.max(longest, blockLengthOf(returns), blockLengthOf(squares));
  }
  return Math.round(longest * 100) / 100;
}

/**
 * Returns a market whose bars are drawn from the data by the stationary bootstrap. The lengths of blocks have
 * a geometric distribution. A block that reaches the end of the data continues at the start. All symbols use
 * the same blocks.
 *
 * Source: Politis & Romano, "The Stationary Bootstrap", JASA 89 (1994).
 *
 * @param common clock indices at which every symbol has a return. Bars are drawn from these indices
 * @param blockLength mean length of a block, in bars
 */
export function bootstrapped(
  base: WorldBase,
  common: Int32Array,
  blockLength: number,
  random: Random,
): Market {
  const { clock } = base.market;
  const sourceOf = new Int32Array(clock.length);
  let drawn = -1;
  for (let at = base.first; at < clock.length; at++) {
    const begins = drawn < 0 || random.next() * blockLength < 1;
    drawn = begins ? random.integer(0, common.length - 1) : (drawn + 1) % common.length;
    sourceOf[at] = common[drawn]!;
  }
  return buildWorld(base, (symbol, _index, at, shape) => {
    takeShape(symbol, symbol.barAt[sourceOf[at]!]!, shape);
    return true;
  });
}

/**
 * Groups of clock indices. Bars can be exchanged within a group, because the same symbols have a return at
 * all of its indices.
 */
type Groups = readonly Int32Array[];

/**
 * Groups clock indices by the symbols that have a return. Because bars are exchanged only within a group,
 * every symbol retains its dates, its set of returns and its last price. Simultaneous returns of several
 * symbols stay together.
 */
export function exchangeable(base: WorldBase): Groups {
  const groups = new Map<string, number[]>();
  for (let at = base.first; at < base.market.clock.length; at++) {
    let key = '';
    for (const symbol of base.symbols) key += hasReturn(symbol, at) ? '1' : '0';
    if (!key.includes('1')) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [at]);
    else group.push(at);
  }
  return [...groups.values()].map((group) => Int32Array.from(group));
}

/** Returns a market with permuted bars. The gap, high, low, close and volume of a bar stay together. */
export function permuted(base: WorldBase, groups: Groups, random: Random): Market {
  const sourceOf = new Int32Array(base.market.clock.length).fill(-1);
  for (const group of groups) {
    const order = group.slice();
    // Shuffles the clock indices of the group (Fisher–Yates).
    for (let left = order.length - 1; left > 0; left--) {
      const chosen = random.integer(0, left);
      const kept = order[left]!;
      order[left] = order[chosen]!;
      order[chosen] = kept;
    }
    for (let index = 0; index < group.length; index++) sourceOf[group[index]!] = order[index]!;
  }
  return buildWorld(base, (symbol, _index, at, shape) => {
    const source = sourceOf[at]!;
    if (source < 0) return false;
    takeShape(symbol, symbol.barAt[source]!, shape);
    return true;
  });
}
