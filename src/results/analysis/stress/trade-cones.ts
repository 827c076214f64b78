import type { Random } from '../../../kernel/index.ts';
import { quantileOf } from '../series/ratios.ts';
import { type Quantiles, quantilesOf } from './distribution.ts';

/** Quantiles over the simulated equity paths. Each array has one element per point of `TradeCones.points`. */
export interface Cone {
  readonly q05: readonly number[];
  readonly q25: readonly number[];
  readonly q50: readonly number[];
  readonly q75: readonly number[];
  readonly q95: readonly number[];
}

/** Results of the run's closed trades in random order, or of random draws of these trades. */
export interface TradePaths {
  /** Final equity relative to the initial cash, minus one. */
  readonly totalReturn: Quantiles;
  /** Lowest equity relative to its previous maximum, minus one. Measured after each trade. */
  readonly maxDrawdown: Quantiles;
  /**
   * Share of simulated paths whose deepest drawdown is at least as deep as with the trades in their actual
   * order.
   */
  readonly asDeep: number;
  /** Share of simulated paths that end below the initial cash. */
  readonly losing: number;
  /**
   * Equity relative to the initial cash, at each point of `TradeCones.points`. `drawdown` is the deepest
   * drawdown so far.
   */
  readonly equity: Cone;
  readonly drawdown: Cone;
}

/** Monte Carlo simulation of a run's closed trades. */
export interface TradeCones {
  readonly trades: number;
  readonly repeats: number;
  /** Number of closed trades at each point of the cones. The first point is 0. */
  readonly points: readonly number[];
  readonly actual: {
    readonly totalReturn: number;
    readonly maxDrawdown: number;
    readonly equity: readonly number[];
    readonly drawdown: readonly number[];
  };
  /**
   * All closed trades of the run in random order. The final equity equals the run's, but the path differs.
   */
  readonly shuffled: TradePaths;
  /** As many trades as the run closed, drawn from the closed trades with replacement. */
  readonly resampled: TradePaths;
}

const MOST_POINTS = 120;

/**
 * Simulates the closed trades of a run in random order, and random draws of these trades.
 *
 * Each trade is converted to a relative change of the closed equity, which is the initial cash plus the
 * profit of all earlier closed trades. In the original order, the changes reproduce the closed equity of the
 * run. `undefined` for fewer than two trades, or if the closed trades lost all of the initial cash.
 *
 * @param initialCash in account currency
 * @param netPnls net profits of the closed trades in order of their exits, in account currency
 */
export function tradeCones(
  initialCash: number,
  netPnls: readonly number[],
  repeats: number,
  random: Random,
): TradeCones | undefined {
  if (netPnls.length < 2) return undefined;
  const growth = new Float64Array(netPnls.length);
  let equity = initialCash;
  for (const [index, pnl] of netPnls.entries()) {
    growth[index] = 1 + pnl / equity;
    equity += pnl;
    if (!(equity > 0)) return undefined;
  }
  const points = pointsOf(growth.length);
  const actual = follow(growth, points);
  const shuffling = random.fork('shuffled');
  const drawing = random.fork('resampled');
  const order = growth.slice();
  const draws = new Float64Array(growth.length);
  return {
    trades: growth.length,
    repeats,
    points,
    actual: {
      totalReturn: actual.end - 1,
      maxDrawdown: actual.deepest,
      equity: [...actual.equity],
      drawdown: [...actual.drawdown],
    },
    shuffled: pathsOf(repeats, points, actual.deepest, () => shuffle(order, shuffling)),
    resampled: pathsOf(repeats, points, actual.deepest, () => {
      for (let index = 0; index < draws.length; index++)
        draws[index] = growth[drawing.integer(0, growth.length - 1)]!;
      return draws;
    }),
  };
}

function shuffle(values: Float64Array, random: Random): Float64Array {
  for (let left = values.length - 1; left > 0; left--) {
    const chosen = random.integer(0, left);
    const kept = values[left]!;
    values[left] = values[chosen]!;
    values[chosen] = kept;
  }
  return values;
}

interface Growth {
  readonly equity: Float64Array;
  readonly drawdown: Float64Array;
  readonly end: number;
  readonly deepest: number;
}

/**
 * Returns the equity after each number of trades in `points`, relative to the initial cash, and the deepest
 * drawdown until then.
 */
function follow(growth: Float64Array, points: readonly number[]): Growth {
  const equity = new Float64Array(points.length);
  const drawdown = new Float64Array(points.length);
  let [now, peak, deepest, point] = [1, 1, 0, 0];
  for (let done = 0; done <= growth.length; done++) {
    if (done > 0) now *= growth[done - 1]!;
    peak = Math.max(peak, now);
    deepest = Math.min(deepest, now / peak - 1);
    if (points[point] !== done) continue;
    equity[point] = now;
    drawdown[point] = deepest;
    point += 1;
  }
  return { equity, drawdown, end: now, deepest };
}

function pathsOf(
  repeats: number,
  points: readonly number[],
  actualDeepest: number,
  next: () => Float64Array,
): TradePaths {
  const ends = new Float64Array(repeats);
  const deepest = new Float64Array(repeats);
  const equity = points.map(() => new Float64Array(repeats));
  const drawdown = points.map(() => new Float64Array(repeats));
  for (let repeat = 0; repeat < repeats; repeat++) {
    const path = follow(next(), points);
    ends[repeat] = path.end - 1;
    deepest[repeat] = path.deepest;
    for (let point = 0; point < points.length; point++) {
      equity[point]![repeat] = path.equity[point]!;
      drawdown[point]![repeat] = path.drawdown[point]!;
    }
  }
  const asDeep = deepest.filter((value) => value <= actualDeepest + 1e-12).length / repeats;
  const losing = ends.filter((value) => value < -1e-12).length / repeats;
  return {
    totalReturn: quantilesOf(ends.sort()),
    maxDrawdown: quantilesOf(deepest.sort()),
    asDeep,
    losing,
    equity: coneOf(equity),
    drawdown: coneOf(drawdown),
  };
}

function coneOf(columns: readonly Float64Array[]): Cone {
  for (const column of columns) column.sort();
  const band = (share: number): number[] => columns.map((column) => quantileOf(column, share));
  return { q05: band(0.05), q25: band(0.25), q50: band(0.5), q75: band(0.75), q95: band(0.95) };
}

/** Returns evenly spaced integers from 0 to `count`, both included. */
function pointsOf(count: number): number[] {
  const steps = Math.min(count, MOST_POINTS);
  return Array.from({ length: steps + 1 }, (_, step) => Math.round((step * count) / steps));
}
