import { describe, expect, it } from 'vitest';
import { undefinedBecause } from './ratios.ts';
import { type Regime, regimesOf } from './regimes.ts';

/** Returns session returns: alternately up and down, with a drift. */
function swinging(sessions: number, drift: number, swing: number): number[] {
  return Array.from({ length: sessions }, (_, at) => drift + (at % 2 === 0 ? swing : -swing));
}

const found = (regimes: ReturnType<typeof regimesOf>): readonly Regime[] => {
  if ('reason' in regimes) throw new Error(regimes.reason);
  return regimes;
};

// Four periods of a market: rising and calm, rising and volatile, falling and volatile, falling and calm.
const market = Float64Array.from([
  ...swinging(300, 0.001, 0.002),
  ...swinging(100, 0.001, 0.02),
  ...swinging(300, -0.003, 0.02),
  ...swinging(200, -0.003, 0.002),
]);
const own = market.map((value, at) => value / 2 + (at % 3) * 1e-4);

describe('market regimes', () => {
  it('are determined for each session from the previous close', () => {
    const regimes = found(regimesOf(own, market, 250));
    expect(regimes.map(({ name }) => name)).toEqual([
      'rising, calm',
      'rising, restless',
      'falling, calm',
      'falling, restless',
    ]);
    expect(regimes.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(700);
    expect(regimes.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    // The last 200 sessions are calm. The first 20 of them follow volatile sessions and count as volatile, so
    // 180 sessions count as calm.
    const calm = regimes.find(({ name }) => name === 'falling, calm')!;
    expect(calm.sessions).toBe(180);
    expect(calm.share).toBe(calm.sessions / 700);
    expect(calm.benchmark).toBeCloseTo(-0.003 * 250, 1);
  });

  it('have the metrics of their sessions', () => {
    const steady = Float64Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? 0.02 : 0.01));
    const returns = Float64Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? 0.03 : -0.01));
    const [only, ...others] = found(regimesOf(returns, steady, 100));
    expect(others).toEqual([]);
    expect(only).toMatchObject({ name: 'rising, calm', sessions: 100, share: 1, worst: -0.01 });
    expect(only!.own).toBeCloseTo(1, 12);
    expect(only!.benchmark).toBeCloseTo(1.5, 12);
    // Fifty returns of 0.03 and fifty of −0.01 have a standard deviation of 0.02 · √(100 / 99).
    expect(only!.sharpe! / (0.5 * 10)).toBeGreaterThan(0.99);
    expect(only!.sharpe! / (0.5 * 10)).toBeLessThanOrEqual(1);
    expect(found(regimesOf(new Float64Array(300).fill(0.25), steady, 100))[0]!.sharpe).toBeNull();
  });

  it('are reported from two sessions on', () => {
    const countOf = (from: number, to: number): number[] =>
      found(regimesOf(own, market, 250, { from, to })).map(({ sessions }) => sessions);
    expect(countOf(250, 251)).toEqual([2]);
    expect(countOf(250, 250)).toEqual([]);
  });

  it('are determined within the given sessions, and never before the first with a trend', () => {
    const total = (from: number, to: number): number =>
      found(regimesOf(own, market, 250, { from, to })).reduce((sum, { sessions }) => sum + sessions, 0);
    expect(total(0, 209)).toBe(10);
    expect(total(205, 209)).toBe(5);
    expect(total(890, 5_000)).toBe(10);
  });

  it('omit sessions without a return of the benchmark', () => {
    const holes = market.map((value, at) => (at >= 210 && at < 215 ? Number.NaN : value));
    const all = found(regimesOf(own, holes, 250, { from: 200, to: 219 }));
    expect(all.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(15);
  });

  it('require 260 sessions, a benchmark and returns', () => {
    expect(regimesOf(own.subarray(0, 259), market.subarray(0, 259), 250)).toHaveProperty('reason');
    expect(regimesOf(own.subarray(0, 260), market.subarray(0, 260), 250)).not.toHaveProperty('reason');
    expect(regimesOf(own, undefined, 250)).toHaveProperty('reason');
    expect(regimesOf(undefinedBecause('no bar'), market, 250)).toEqual(undefinedBecause('no bar'));
  });
});
