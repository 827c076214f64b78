import { type BarSeries, type Market, mapColumns, marketOf } from '../../market/index.ts';
import { rounded, type SymbolBase, type WorldBase } from './base.ts';

/** Bar relative to the previous close, as determined by a kind of world. */
export interface BarShape {
  gap: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  /** Bar from which other columns, such as a quoted spread, are taken. */
  extraFrom: number;
}

/** Sets the shape of a symbol's bar at an instant of the clock. Returns false to retain the actual shape. */
export type ShapeOf = (symbol: SymbolBase, index: number, at: number, shape: BarShape) => boolean;

const NO_SHAPE: BarShape = { gap: 1, high: 1, low: 1, close: 1, volume: 0, extraFrom: 0 };

/**
 * Prices stay between the first price divided and multiplied by this factor, so that float64 and decimals can
 * represent them.
 */
const LARGEST_MOVE = 1e9;

/**
 * Chains shapes into bars on the dates of the data. Prices are above 0, high and low enclose open and close,
 * and prices are rounded to the decimal places of the data.
 *
 * Every symbol ends at the last price of the data: all its returns are shifted by the same small amount.
 * Otherwise the drift of a world would favour or penalise a strategy that is simply long.
 */
export function buildWorld(base: WorldBase, shapeOf: ShapeOf): Market {
  return marketOf(base.symbols.map((symbol, index) => buildSeries(base, symbol, index, shapeOf)));
}

/** Returns the factor on every bar's gap that leads a symbol to its last price. */
function driftOf(base: WorldBase, symbol: SymbolBase, index: number, shapeOf: ShapeOf): number {
  const shape: BarShape = { ...NO_SHAPE };
  let [missing, bars] = [0, 0];
  for (let at = base.first; at < symbol.barAt.length; at++) {
    const bar = symbol.barAt[at]!;
    if (bar < 1 || !shapeOf(symbol, index, at, shape)) continue;
    missing += Math.log(symbol.gap[bar]! * symbol.close[bar]!) - Math.log(shape.gap * shape.close);
    bars += 1;
  }
  // Ignores rounding errors of equal returns in another order.
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
  // Unrounded previous close, so that rounding errors do not accumulate.
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
    // Dividend as a share of the previous close, because its amount differs between worlds.
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
      // Spreads and quotes are prices and retain their ratio to the price.
      const from = shape.extraFrom;
      column[bar] = (series.extra![name]![from]! / series.open[from]!) * made.open[bar]!;
    }
    level = close;
  }
  return made;
}

/** Copies the shape of a bar of the data. */
export function takeShape(symbol: SymbolBase, bar: number, shape: BarShape): void {
  shape.gap = symbol.gap[bar]!;
  shape.high = symbol.high[bar]!;
  shape.low = symbol.low[bar]!;
  shape.close = symbol.close[bar]!;
  shape.volume = symbol.series.volume[bar]!;
  shape.extraFrom = bar;
}
