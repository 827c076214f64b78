import { describe, expect, it } from 'vitest';
import type { TrialResult } from '../sweep/executor.ts';
import type { Period } from '../sweep/figures.ts';
import { readObjective } from '../sweep/objective.ts';
import type { PreparedSweep } from '../sweep/prepare-sweep.ts';
import type { Point } from '../sweep/space.ts';
import type { TrialRunner } from '../sweep/trial-runner.ts';
import { walkForward } from './walk-forward.ts';
import { readWalkForward } from './windows.ts';

const DAY = 86_400_000;
const START = Date.UTC(2020, 0, 1);
const clock = Float64Array.from({ length: 61 }, (_, bar) => START + bar * DAY);
const prepared = {
  files: { market: { clock } },
  period: {},
  objective: readObjective('sharpe'),
  ground: { strategy: 's', data: [], settings: {} },
} as unknown as PreparedSweep;

type Curve = NonNullable<TrialResult['curve']>;

/** Result of one test window. */
interface Tested {
  readonly curve?: Curve;
  readonly sharpe?: number | null;
  readonly totalReturn?: number;
  readonly tradeCount?: number;
}

/**
 * Runs a walk-forward with simulated results. `inSample` contains the best objective of each search, `tested`
 * the result of each test window.
 */
async function run(
  inSample: readonly (number | null)[],
  tested: readonly Tested[],
  terms = 'train=10d,test=10d',
) {
  const searched: Period[] = [];
  const tests: Period[] = [];
  let ran = 0;
  const runner = {
    search(period: Period) {
      const objective = inSample[searched.push(period) - 1] ?? null;
      const trial = { id: 't', parameters: { n: searched.length } as Point, period };
      const best = objective === null ? undefined : { trial, objective };
      return Promise.resolve({ best, tried: [1, 2, 3] });
    },
    run([{ trial }]: readonly [{ readonly trial: { readonly period: Period } }]) {
      tests.push(trial.period);
      const { curve, ...figures } = tested[ran++]!;
      return Promise.resolve([{ figures, curve }]);
    },
  } as unknown as TrialRunner;
  const result = await walkForward(prepared, readWalkForward(terms), runner, (period) => period);
  return { result: result!, searched, tests };
}

const curve = (before: number, equity: readonly number[], times: readonly number[]): Curve => ({
  before,
  equity,
  times: times.map((day) => START + day * DAY),
});

describe('a walk-forward', () => {
  it('searches each training window and tests the next window, with positions closed at the end', async () => {
    const { result, searched, tests } = await run([1, 2, 3, 4, 5], Array(5).fill({ sharpe: 1 }));
    expect(searched.map(({ from, evaluateFrom, to }) => [from, evaluateFrom, to]).slice(0, 2)).toEqual([
      ['2020-01-01', undefined, '2020-01-10'],
      ['2020-01-01', '2020-01-11', '2020-01-20'],
    ]);
    expect(
      tests.map(({ evaluateFrom, to, closeAtEnd }) => [evaluateFrom, to, closeAtEnd]).slice(0, 2),
    ).toEqual([
      ['2020-01-11', '2020-01-20', true],
      ['2020-01-21', '2020-01-30', true],
    ]);
    expect(searched.every(({ closeAtEnd }) => closeAtEnd === undefined)).toBe(true);
    expect(result.windows[1]).toMatchObject({
      parameters: { n: 2 },
      inSample: 2,
      outOfSample: 1,
      trials: 3,
      train: { historyBars: 10 },
      test: { historyBars: 20 },
    });
    expect(result.terms).toEqual({
      carry: false,
      train: '10d',
      test: '10d',
      step: '10d',
      anchored: false,
      embargo: null,
    });
  });

  it('has a window without a result if no trial has an objective', async () => {
    const { result, tests } = await run(
      [null, 2, null, null, null],
      [{ sharpe: 4, totalReturn: 0.5, tradeCount: 3 }],
    );
    expect(tests).toHaveLength(1);
    expect(result.windows[0]).toMatchObject({
      parameters: null,
      inSample: null,
      outOfSample: null,
      tradeCount: null,
    });
    expect(result.windows[1]).toMatchObject({ outOfSample: 4, totalReturn: 0.5, tradeCount: 3 });
    expect(result).toMatchObject({ tradeCount: 3, efficiency: 2 });
  });

  it('joins the test windows into one equity curve that begins at 1', async () => {
    const { result } = await run(
      [1, 1, null, null, null],
      [
        { curve: curve(1_000, [1_100, 990], [10, 11]), tradeCount: 1 },
        { curve: curve(500, [550, 600], [12, 13]), tradeCount: 2 },
      ],
    );
    expect(result.equity.map(([date, value]) => [date, Number(value.toFixed(9))])).toEqual([
      ['2020-01-11', 1.1],
      ['2020-01-12', 0.99],
      ['2020-01-13', 1.089],
      ['2020-01-14', 1.188],
    ]);
    expect(result.totalReturn).toBeCloseTo(0.188, 12);
    expect(result.maxDrawdown).toBeCloseTo(0.99 / 1.1 - 1, 12);
    expect(result.tradeCount).toBe(3);
    const returns = [0.1, -0.1, 0.1, 1.188 / 1.089 - 1];
    const mean = returns.reduce((sum, one) => sum + one, 0) / 4;
    const variance = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 3;
    // Sessions per year: four sessions within three days, from the first to the last session.
    expect(result.sharpe).toBeCloseTo((mean / Math.sqrt(variance)) * Math.sqrt(4 / (3 / 365.25)), 9);
  });

  it('uses the last bar of each day for the Sharpe ratio, and every bar for the drawdown', async () => {
    const daily = await run([1, null], [{ curve: curve(100, [110, 99, 121], [10, 11, 12]) }]);
    const bars = curve(100, [90, 110, 100, 99, 130, 121], [10, 10.5, 11, 11.5, 12, 12.5]);
    const intraday = await run([1, null], [{ curve: bars }]);
    const years = (from: number, to: number): number => (to - from) / 365.25;
    expect(intraday.result.sharpe! * Math.sqrt(years(10, 12.5))).toBeCloseTo(
      daily.result.sharpe! * Math.sqrt(years(10, 12)),
      9,
    );
    expect(intraday.result.maxDrawdown).toBeCloseTo(-0.1, 12);
    expect(daily.result.maxDrawdown).toBeCloseTo(-0.1, 12);
  });

  it('has no figures without a test, and no Sharpe ratio for one session', async () => {
    const none = await run([null], []);
    expect(none.result).toMatchObject({
      equity: [],
      totalReturn: null,
      sharpe: null,
      maxDrawdown: null,
      efficiency: null,
    });
    const one = await run([1, null], [{ curve: curve(100, [105], [10]) }]);
    expect(one.result).toMatchObject({ sharpe: null, maxDrawdown: 0 });
    expect(one.result.totalReturn).toBeCloseTo(0.05, 12);
  });
});
