import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../kernel/random.ts';
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

  it('are limited to the given sessions, from the first session with a trend on', () => {
    const total = (from: number, to: number): number =>
      found(regimesOf(own, market, 250, { from, to })).reduce((sum, { sessions }) => sum + sessions, 0);
    expect(total(0, 209)).toBe(10);
    expect(total(205, 209)).toBe(5);
    expect(total(890, 5_000)).toBe(10);
  });

  it('omit sessions without a return of the benchmark, and without 200 returns before', () => {
    const holes = market.map((value, at) => (at >= 210 && at < 215 ? Number.NaN : value));
    const total = (from: number, to: number): number =>
      found(regimesOf(own, holes, 250, { from, to })).reduce((sum, { sessions }) => sum + sessions, 0);
    expect(total(200, 219)).toBe(10);
    expect(total(410, 419)).toBe(5);
  });

  it('of a benchmark that begins later are those of the sessions with the benchmark', () => {
    const late = (series: Float64Array): Float64Array =>
      Float64Array.of(...Array(30).fill(Number.NaN), ...series);
    expect(regimesOf(late(own), late(market), 250)).toEqual(regimesOf(own, market, 250));
  });

  it('need 260 returns of the benchmark', () => {
    const late = (count: number) => market.map((value, at) => (at < 900 - count ? Number.NaN : value));
    expect(regimesOf(own, late(259), 250)).toEqual(
      undefinedBecause('259 session returns are too few: 200 go before the first of them'),
    );
    expect(regimesOf(own, late(260), 250)).not.toHaveProperty('reason');
  });

  it('are falling and calm in a market that does not move', () => {
    const [only, ...others] = found(regimesOf(new Float64Array(300).fill(0.01), new Float64Array(300), 100));
    expect(others).toEqual([]);
    expect(only).toEqual({
      name: 'falling, calm',
      sessions: 100,
      share: 1,
      own: expect.closeTo(1, 12),
      benchmark: 0,
      sharpe: null,
      worst: 0.01,
    });
  });

  it('require 260 sessions, a benchmark and returns', () => {
    expect(regimesOf(own.subarray(0, 259), market.subarray(0, 259), 250)).toHaveProperty('reason');
    expect(regimesOf(own.subarray(0, 260), market.subarray(0, 260), 250)).not.toHaveProperty('reason');
    expect(regimesOf(own, undefined, 250)).toHaveProperty('reason');
    expect(regimesOf(undefinedBecause('no bar'), market, 250)).toEqual(undefinedBecause('no bar'));
  });

  it('equal a direct calculation from the definitions', () => {
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    const deviation = (values: readonly number[]): number =>
      Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1));
    for (const seed of [1, 2, 3]) {
      const random = createRandom(seed, 'regimes');
      const held = Array.from({ length: 330 }, () => 0.01 * random.normal());
      const returns = Array.from({ length: 330 }, () => 0.01 * random.normal());
      const closes = [1];
      for (const value of held) closes.push(closes.at(-1)! * (1 + value));
      const spreadBefore = (session: number): number => deviation(held.slice(session - 20, session));
      const spreads = held.flatMap((_, at) => (at < 20 ? [] : [spreadBefore(at)])).sort((a, b) => a - b);
      const usual = (spreads[154]! + spreads[155]!) / 2;
      const groups = new Map<string, number[]>();
      for (let session = 200; session < 330; session++) {
        const isRising = closes[session]! > mean(closes.slice(session - 199, session + 1));
        const isRestless = spreadBefore(session) > usual;
        const name = `${isRising ? 'rising' : 'falling'}, ${isRestless ? 'restless' : 'calm'}`;
        groups.set(name, [...(groups.get(name) ?? []), session]);
      }
      const expected = [...groups].map(([name, sessions]) => {
        const values = sessions.map((session) => returns[session]!);
        return {
          name,
          sessions: sessions.length,
          share: sessions.length / 130,
          own: expect.closeTo(mean(values) * 252, 9),
          benchmark: expect.closeTo(mean(sessions.map((session) => held[session]!)) * 252, 9),
          sharpe: expect.closeTo((mean(values) / deviation(values)) * Math.sqrt(252), 9),
          worst: Math.min(...values),
        };
      });
      const regimes = found(regimesOf(Float64Array.from(returns), Float64Array.from(held), 252));
      const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
      expect([...regimes].sort(byName)).toEqual(expected.filter(({ sessions }) => sessions > 1).sort(byName));
    }
  });
});
