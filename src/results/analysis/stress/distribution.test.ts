import { describe, expect, it } from 'vitest';
import {
  definedValues,
  emptyFigures,
  type FigureValues,
  quantilesOf,
  STRESS_FIGURE_NAMES,
  shareInterval,
  stressDistribution,
  type WorldRow,
} from './distribution.ts';

const figures = (own: Partial<FigureValues>): FigureValues => ({ ...emptyFigures(), ...own });
const row = (own: Partial<FigureValues>, outcome: WorldRow['outcome'] = 'completed'): WorldRow => ({
  ...{ world: 1, outcome, figures: figures(own) },
});
const among = (own: Partial<FigureValues>, rows: readonly WorldRow[], isNull = true, isInsolvent = false) =>
  stressDistribution({ isInsolvent, figures: figures(own) }, rows, isNull);

it('quantiles are interpolated between the sorted values', () => {
  const hundred = Float64Array.from({ length: 101 }, (_, at) => at);
  expect(quantilesOf(hundred)).toEqual({ q01: 1, q05: 5, q25: 25, q50: 50, q75: 75, q95: 95, q99: 99 });
  expect(quantilesOf([0, 10])).toEqual({
    ...{ q01: expect.closeTo(0.1, 12), q05: 0.5, q25: 2.5, q50: 5, q75: 7.5, q95: 9.5, q99: 9.9 },
  });
});

describe('a figure among worlds', () => {
  it('has its quantiles, its rank and the interval of the rank', () => {
    const rows = [3, 1, 2].map((sharpe) => row({ sharpe }));
    const { sharpe } = among({ sharpe: 2 }, [...rows, row({})]);
    expect(sharpe).toEqual({
      ...{ actual: 2, better: 1, defined: 3, quantiles: quantilesOf([1, 2, 3]) },
      // The figure of the last world is undefined. Its total return of 0 equals that of the run.
      ...{ p: 4 / 5, asGood: 3, interval: shareInterval(3, 4) },
    });
    expect(among({ sharpe: 2 }, rows, false).sharpe).toEqual({
      ...{ actual: 2, better: 1, defined: 3, quantiles: quantilesOf([1, 2, 3]) },
    });
  });

  it('has no rank if it is undefined, without worlds, or without a better direction', () => {
    const none = { p: null, asGood: null, interval: null };
    const rows = [row({ sharpe: 1, tradeCount: 5 })];
    expect(among({ tradeCount: 3 }, rows).tradeCount).toEqual({
      ...{ actual: 3, better: 0, defined: 1, quantiles: quantilesOf([5]), ...none },
    });
    expect(among({}, rows).sharpe).toMatchObject({ actual: null, defined: 1, ...none });
    expect(among({ sharpe: 1 }, []).sharpe).toEqual({
      ...{ actual: 1, better: 1, defined: 0, quantiles: null, ...none },
    });
    expect(Object.keys(among({}, rows))).toEqual([...STRESS_FIGURE_NAMES]);
  });

  it('counts worlds that differ only by rounding as equally good', () => {
    const good = (value: number, actual = 2) =>
      among({ sharpe: actual }, [row({ sharpe: value })]).sharpe.asGood;
    expect([2, 2.1, 2 - 1e-9, 2 - 1.9e-9].map((value) => good(value))).toEqual([1, 1, 1, 1]);
    expect([2 - 3e-9, 1.9, -2].map((value) => good(value))).toEqual([0, 0, 0]);
    expect([good(-1000.0000005, -1000), good(-1000.000002, -1000)]).toEqual([1, 0]);
  });

  it('counts smaller values as better for figures such as drawdown days', () => {
    const days = (drawdownDays: number) =>
      among({ drawdownDays: 20 }, [row({ drawdownDays })]).drawdownDays.asGood;
    expect([10, 20, 21].map(days)).toEqual([1, 1, 0]);
  });

  it('is compared by total return if it is undefined, and an unknown total return is 0', () => {
    const good = (actual: number | null, totalReturn: number | null) =>
      among({ sqn: 1, totalReturn: actual }, [row({ totalReturn })]).sqn.asGood;
    expect([good(0.2, 0.3), good(0.2, 0.2), good(0.2, 0.1)]).toEqual([1, 1, 0]);
    expect([good(0.2, null), good(-0.2, null), good(null, 0.1), good(null, -0.1)]).toEqual([0, 1, 1, 0]);
  });

  it('counts insolvent worlds as worse than a solvent run, and failed worlds as good', () => {
    const good = (outcome: WorldRow['outcome'], isInsolvent: boolean) =>
      among({ sharpe: 1 }, [row({ sharpe: 5 }, outcome), row({ sharpe: 0 })], true, isInsolvent).sharpe
        .asGood;
    expect([good('completed', false), good('insolvent', false), good('failed', false)]).toEqual([1, 0, 1]);
    expect([good('completed', true), good('insolvent', true), good('failed', true)]).toEqual([2, 2, 2]);
  });
});

it('undefined and endless values of a figure are omitted', () => {
  const rows = [1, null, Number.POSITIVE_INFINITY, Number.NaN, 0, -2].map((sharpe) => row({ sharpe }));
  expect(definedValues('sharpe', rows)).toEqual([1, 0, -2]);
});

it('the interval of a share solves the equation of Wilson', () => {
  for (const [count, of] of [
    [1, 7],
    [3, 40],
    [39, 40],
  ] as const) {
    const { low, high, confidence } = shareInterval(count, of);
    expect(confidence).toBe(0.95);
    expect(low).toBeLessThan(count / of);
    expect(high).toBeGreaterThan(count / of);
    for (const limit of [low, high])
      expect((count / of - limit) ** 2 / ((limit * (1 - limit)) / of)).toBeCloseTo(1.959964 ** 2, 4);
  }
  expect(shareInterval(0, 1).low).toBe(0);
  expect(shareInterval(1, 1).high).toBe(1);
  // The outer bound is 0 or 1. The inner bound is z² / (n + z²) from it.
  expect(shareInterval(0, 1).high).toBeCloseTo(3.841459 / 4.841459, 6);
  expect(shareInterval(1, 1).low).toBeCloseTo(1 / 4.841459, 6);
});
