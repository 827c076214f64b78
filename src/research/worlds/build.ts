import { type BarSeries, type Market, mapColumns, marketOf } from '../../market/index.ts';
import { rounded, type SymbolBase, type WorldBase } from './base.ts';

/** A bar relative to the close before it: what a kind of world decides of each bar. */
export interface BarShape {
  gap: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  /** The bar that further columns, such as a quoted spread, are taken from. */
  extraFrom: number;
}

/** Fills in the shape of a symbol's bar at an instant of the clock; false leaves the bar's own shape. */
export type ShapeOf = (symbol: SymbolBase, index: number, at: number, shape: BarShape) => boolean;

const NO_SHAPE: BarShape = { gap: 1, high: 1, low: 1, close: 1, volume: 0, extraFrom: 0 };

/** No price falls below this share of the first, nor rises above its inverse: float64 and decimals hold both. */
const LARGEST_MOVE = 1e9;

/**
 * Chains shapes into bars, on the dates of the data: prices above 0, the high and the low around open and close, rounded
 * to the decimal places that the data have.
 *
 * Every symbol comes to the last price of the data, all its returns moved by the same little: a world that drifted
 * otherwise would have more of the luck, or less, that a strategy which is simply long had.
 */
export function buildWorld(base: WorldBase, shapeOf: ShapeOf): Market {
  return marketOf(base.symbols.map((symbol, index) => buildSeries(base, symbol, index, shapeOf)));
}

/** The factor of every bar's gap that leads a symbol to its last price. */
function driftOf(base: WorldBase, symbol: SymbolBase, index: number, shapeOf: ShapeOf): number {
  const shape: BarShape = { ...NO_SHAPE };
  let [missing, bars] = [0, 0];
  for (let at = base.first; at < symbol.barAt.length; at++) {
    const bar = symbol.barAt[at]!;
    if (bar < 1 || !shapeOf(symbol, index, at, shape)) continue;
    missing += Math.log(symbol.gap[bar]! * symbol.close[bar]!) - Math.log(shape.gap * shape.close);
    bars += 1;
  }
  // What rounding leaves of the same returns in another order would move prices for nothing.
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
  // The close before, not rounded: errors would add up.
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
    // As a share of the close before: in another world the dividend is another amount.
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
      // Spreads and quotes are prices: they keep their share of the price.
      const from = shape.extraFrom;
      column[bar] = (series.extra![name]![from]! / series.open[from]!) * made.open[bar]!;
    }
    level = close;
  }
  return made;
}

/** The shape that a bar of the data has. */
export function takeShape(symbol: SymbolBase, bar: number, shape: BarShape): void {
  shape.gap = symbol.gap[bar]!;
  shape.high = symbol.high[bar]!;
  shape.low = symbol.low[bar]!;
  shape.close = symbol.close[bar]!;
  shape.volume = symbol.series.volume[bar]!;
  shape.extraFrom = bar;
}
