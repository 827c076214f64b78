import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../kernel/index.ts';
import { type TradePaths, tradeCones } from './trade-cones.ts';

/** Returns a quantile by linear interpolation. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)]!;
  return low + (sorted[Math.ceil(place)]! - low) * (place % 1);
}

/** Returns the equity after each trade, and the deepest drawdown so far. */
function pathOf(growth: readonly number[]) {
  const equity = [1];
  for (const factor of growth) equity.push(equity.at(-1)! * factor);
  const falls = equity.map((now, at) => now / Math.max(...equity.slice(0, at + 1)) - 1);
  return { equity, drawdown: falls.map((_, at) => Math.min(...falls.slice(0, at + 1))) };
}

describe('cones of closed trades', () => {
  const pnls = [50, -30, 20, -60, 45, 10, -25];
  const cash = 200;
  const growth = pnls.map(
    (pnl, at) => 1 + pnl / (cash + pnls.slice(0, at).reduce((sum, one) => sum + one, 0)),
  );
  const repeats = 40;
  const cones = tradeCones(cash, pnls, repeats, createRandom(5, 'cones'))!;

  it('contain the actual path', () => {
    expect(cones).toMatchObject({ trades: 7, repeats, points: [0, 1, 2, 3, 4, 5, 6, 7] });
    const { equity, drawdown } = pathOf(growth);
    expect(cones.actual.totalReturn).toBeCloseTo(10 / 200, 12);
    // The deepest fall is from 250 to 180.
    expect(cones.actual.maxDrawdown).toBeCloseTo(180 / 250 - 1, 12);
    for (const [at, value] of equity.entries()) {
      expect(cones.actual.equity[at]).toBeCloseTo(value, 12);
      expect(cones.actual.drawdown[at]).toBeCloseTo(drawdown[at]!, 12);
    }
  });

  const drawing = createRandom(5, 'cones').fork('resampled');
  const drawn = Array.from({ length: repeats }, () => growth.map(() => growth[drawing.integer(0, 6)]!));
  const shuffling = createRandom(5, 'cones').fork('shuffled');
  let order = [...growth];
  const shuffled = Array.from({ length: repeats }, () => {
    order = [...order];
    for (let left = 6; left > 0; left--) {
      const chosen = shuffling.integer(0, left);
      [order[left], order[chosen]] = [order[chosen]!, order[left]!];
    }
    return order;
  });

  it.each<[keyof typeof cones & ('shuffled' | 'resampled'), readonly (readonly number[])[]]>([
    ['shuffled', shuffled],
    ['resampled', drawn],
  ])('summarise the paths of trades that were %s', (name, factors) => {
    const found: TradePaths = cones[name];
    const paths = factors.map(pathOf);
    const ends = paths.map(({ equity }) => equity.at(-1)! - 1);
    const deepest = paths.map(({ drawdown }) => drawdown.at(-1)!);
    for (const [quantileName, share] of [
      ['q01', 0.01],
      ['q05', 0.05],
      ['q25', 0.25],
      ['q50', 0.5],
      ['q75', 0.75],
      ['q95', 0.95],
      ['q99', 0.99],
    ] as const) {
      expect(found.totalReturn[quantileName]).toBeCloseTo(quantile(ends, share), 12);
      expect(found.maxDrawdown[quantileName]).toBeCloseTo(quantile(deepest, share), 12);
      if (quantileName === 'q01' || quantileName === 'q99') continue;
      for (let point = 0; point <= 7; point++)
        for (const kind of ['equity', 'drawdown'] as const)
          expect(found[kind][quantileName][point]).toBeCloseTo(
            quantile(
              paths.map((path) => path[kind][point]!),
              share,
            ),
            12,
          );
    }
    expect(found.asDeep).toBe(
      deepest.filter((value) => value <= cones.actual.maxDrawdown + 1e-9).length / repeats,
    );
    expect(found.losing).toBe(ends.filter((value) => value < -1e-9).length / repeats);
  });

  it('have at most 121 points, and are undefined with one trade or without equity', () => {
    const many = tradeCones(100, Array(250).fill(1), 2, createRandom(1, 'many'))!;
    expect(many.points).toHaveLength(121);
    expect([many.points[0], many.points[1], many.points[60], many.points[120]]).toEqual([0, 2, 125, 250]);
    expect(many.actual.equity[60]).toBeCloseTo(2.25, 12);
    expect(tradeCones(100, [5], 2, createRandom(1, 'one'))).toBeUndefined();
    expect(tradeCones(100, [-100, 5], 2, createRandom(1, 'lost'))).toBeUndefined();
    expect(tradeCones(100, [-99, 5], 2, createRandom(1, 'nearly'))).toBeDefined();
  });

  it('tolerate rounding errors when paths are compared with the actual path', () => {
    const equal = tradeCones(100, [-10, -9, -8.1], 20, createRandom(1, 'equal'))!;
    // Each trade loses a tenth, so every order has the same path.
    expect(equal.shuffled).toMatchObject({ asDeep: 1, losing: 1 });
    expect(equal.resampled).toMatchObject({ asDeep: 1, losing: 1 });
    expect(equal.actual.totalReturn).toBeCloseTo(0.9 ** 3 - 1, 12);
    const even = tradeCones(100, [10, -10, 0], 20, createRandom(1, 'even'))!;
    expect(even.shuffled.losing).toBe(0);
    expect(even.actual.maxDrawdown).toBeCloseTo(100 / 110 - 1, 12);
    const flat = tradeCones(100, [0, 0], 5, createRandom(1, 'flat'))!;
    expect(flat.shuffled).toMatchObject({ asDeep: 1, losing: 0 });
    expect(flat.actual).toEqual({ totalReturn: 0, maxDrawdown: 0, equity: [1, 1, 1], drawdown: [0, 0, 0] });
  });

  it('have one point per trade up to 120 trades', () => {
    const points = (count: number) =>
      tradeCones(1e6, Array(count).fill(1), 1, createRandom(1, 'points'))!.points;
    expect(points(2)).toEqual([0, 1, 2]);
    expect(points(120)).toEqual(Array.from({ length: 121 }, (_, at) => at));
    expect(points(121)).toHaveLength(121);
    expect(points(121).at(-1)).toBe(121);
  });
});
