import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { summarise } from '../summary/summary.ts';
import { runSummarySchema } from '../summary/summary-schema.ts';
import { deepestDrawdowns, drawdownCurve, drawdownsOf, firstLargest } from './drawdown.ts';
import { equityColumns } from './equity.ts';
import { computeMetrics } from './metrics.ts';

const days = (count: number) =>
  Array.from({ length: count }, (_, index) => `2024-01-${String(index + 1).padStart(2, '0')}`);

describe('drawdowns', () => {
  it('can be deepest and longest in different periods', () => {
    // Peak at 120, deep drawdown to 60, recovery at 120. Then a peak at 130, a shallow and longer drawdown to
    // 125, and recovery at 131.
    const equity = [100, 120, 60, 120, 130, 125, 126, 127, 128, 131];
    const metrics = computeMetrics(runRecord({ equity, dates: days(10) }));
    expect(metrics.deepestDrawdown).toEqual({
      depth: -0.5,
      peakDate: '2024-01-02',
      troughDate: '2024-01-03',
      endDate: '2024-01-04',
      days: 2,
      recovered: true,
    });
    expect(metrics.longestDrawdown).toMatchObject({
      peakDate: '2024-01-05',
      endDate: '2024-01-10',
      days: 5,
      recovered: true,
    });
    expect(metrics.maxDrawdown.value).toBe(-0.5);
    expect(metrics.drawdownDuration).toMatchObject({ value: 5, recovered: true });
  });

  it('are listed in the summary, the ten deepest first, with null if not recovered', () => {
    const falls = Array.from({ length: 12 }, (_, index) => [100 + index, 99 - 2 * index]).flat();
    const record = runRecord({ equity: [...falls, 120, 119], dates: days(26) });
    const { drawdowns, drawdownCount } = summarise(record, { runId: 'run' });
    expect(drawdownCount).toBe(13);
    expect(drawdowns).toHaveLength(10);
    expect(drawdowns?.slice(0, 2)).toEqual([
      {
        start: '2024-01-23',
        trough: '2024-01-24',
        recovery: '2024-01-25',
        depth: 77 / 111 - 1,
        days: 2,
      },
      {
        start: '2024-01-21',
        trough: '2024-01-22',
        recovery: '2024-01-23',
        depth: 79 / 110 - 1,
        days: 2,
      },
    ]);
    const open = summarise(runRecord({ equity: [100, 90, 95], dates: days(3) }), { runId: 'run' }).drawdowns;
    expect(open).toEqual([
      { start: '2024-01-01', trough: '2024-01-02', recovery: null, depth: 90 / 100 - 1, days: 2 },
    ]);
    // Summaries of earlier versions do not have the list `drawdowns`.
    const { drawdowns: _, ...older } = summarise(record, { runId: 'run' });
    expect(runSummarySchema.safeParse(older).success).toBe(true);
  });

  it('begin at the last bar of a flat peak and last to the end without recovery', () => {
    const metrics = computeMetrics(runRecord({ equity: [100, 100, 100, 75, 80], dates: days(5) }));
    expect(metrics.longestDrawdown).toEqual({
      depth: -0.25,
      peakDate: '2024-01-03',
      troughDate: '2024-01-04',
      endDate: '2024-01-05',
      days: 2,
      recovered: false,
    });
  });

  it('that share a peak are separate', () => {
    const metrics = computeMetrics(runRecord({ equity: [100, 50, 100, 25, 100], dates: days(5) }));
    expect(metrics.deepestDrawdown).toMatchObject({ depth: -0.75, peakDate: '2024-01-03', days: 2 });
    // Both of the longest drawdowns last two days. The first one is reported.
    expect(metrics.longestDrawdown).toMatchObject({ depth: -0.5, peakDate: '2024-01-01' });
  });

  it('may begin at the initial cash', () => {
    const metrics = computeMetrics(runRecord({ cash: '100', equity: [90, 95], dates: days(2) }));
    expect(metrics.maxDrawdown.value).toBeCloseTo(-0.1, 12);
    expect(metrics.deepestDrawdown).toMatchObject({
      peakDate: '2024-01-01',
      troughDate: '2024-01-01',
      days: 1,
    });
  });

  it('are absent if the equity never falls', () => {
    const metrics = computeMetrics(runRecord({ equity: [100, 100, 101, 105], dates: days(4) }));
    expect(metrics.maxDrawdown.value).toBe(0);
    expect(metrics.deepestDrawdown).toBeNull();
    expect(metrics.drawdownDuration).toMatchObject({
      value: null,
      reason: 'there was no drawdown',
      recovered: true,
    });
  });
});

describe('summary figures of drawdowns', () => {
  const figuresOf = (equity: readonly number[], dates: readonly string[], riskFreeRate = 0) =>
    computeMetrics(runRecord({ cash: '100', equity, dates }), { riskFreeRate });
  const dates = ['2024-01-31', '2024-02-15', '2024-02-29', '2024-03-15', '2024-03-31'];

  it('equal a calculation by hand', () => {
    // A fall of 10 % in 29 days, and one of 50 % in 31 days that did not recover.
    const metrics = figuresOf([110, 99, 121, 60.5, 90.75], dates, 0.02);
    expect(metrics.drawdownCount.value).toBe(2);
    expect(metrics.averageDrawdown.value).toBeCloseTo(-0.3, 12);
    expect(metrics.averageDrawdownDays.value).toBe(30);
    const ulcer = Math.sqrt((0.1 ** 2 + 0.5 ** 2 + 0.25 ** 2) / 5);
    expect(metrics.ulcerIndex.value).toBeCloseTo(ulcer, 12);
    // 60 days from the first bar to the last.
    expect(metrics.ulcerPerformanceIndex.value).toBeCloseTo((0.9075 ** (365.25 / 60) - 1 - 0.02) / ulcer, 12);
    expect(metrics.recoveryFactor.value).toBeCloseTo(-9.25 / 60.5, 12);
    // Monthly returns of 10 %, 10 % and −25 %.
    expect(metrics.gainToPain.value).toBeCloseTo(-0.2, 12);
    // The first peak is the initial cash.
    expect(figuresOf([80, 90], dates.slice(0, 2)).recoveryFactor.value).toBeCloseTo(-0.5, 12);
    expect(figuresOf([80, 90], dates.slice(0, 2)).ulcerIndex.value).toBeCloseTo(Math.sqrt(0.025), 12);
  });

  it('have a reason if they are undefined', () => {
    const NAMES = [
      ...(['drawdownCount', 'averageDrawdown', 'ulcerIndex'] as const),
      ...(['ulcerPerformanceIndex', 'recoveryFactor', 'gainToPain'] as const),
    ];
    const reasons = (equity: readonly number[]) => {
      const figures = figuresOf(equity, dates.slice(0, equity.length));
      return NAMES.map((name) => figures[name]).map(({ value, reason }) => reason ?? value);
    };
    const [bars, none] = ['no bar was processed', 'there was no drawdown'];
    expect(reasons([])).toEqual(Array(6).fill(bars));
    expect(reasons([100, 110])).toEqual([0, none, 0, none, none, 'no month lost money']);
    expect(reasons([100])[3]).toBe('the run covers a single instant');
    expect(reasons([50, 0, 60])[5]).toBe('equity was not positive');
  });
});

describe('the drawdown curve', () => {
  it('is the distance to the highest equity so far, and begins at the initial cash', () => {
    const columns = equityColumns(runRecord({ cash: '100', equity: [50, 200, 100, 200, 400, 300] }));
    expect([...drawdownCurve(columns)]).toEqual([-0.5, 0, -0.5, 0, 0, -0.25]);
  });

  it('has gaps where a benchmark has no equity, and continues after them', () => {
    const columns = equityColumns(runRecord({ cash: '100', equity: [1, 1, 1, 1] }));
    const equity = Float64Array.of(Number.NaN, 200, Number.NaN, 150);
    expect([...drawdownCurve({ ...columns, equity })]).toEqual([Number.NaN, 0, Number.NaN, -0.25]);
  });

  it('has drawdowns whose trough is the first of equal lows', () => {
    const columns = equityColumns(runRecord({ equity: [100, 50, 60, 50, 100, 90], dates: days(6) }));
    const found = drawdownsOf(columns, drawdownCurve(columns));
    expect(found).toEqual([
      {
        ...{ depth: -0.5, peakDate: '2024-01-01', troughDate: '2024-01-02', endDate: '2024-01-05' },
        ...{ days: 4, recovered: true },
      },
      {
        ...{ depth: expect.closeTo(-0.1, 12), peakDate: '2024-01-05', troughDate: '2024-01-06' },
        ...{ endDate: '2024-01-06', days: 1, recovered: false },
      },
    ]);
    expect(firstLargest(found, ({ days }) => -days)).toBe(found[1]);
    expect(firstLargest([], ({ days }) => days)).toBeUndefined();
    expect(deepestDrawdowns([...found].reverse())).toEqual(found);
  });
});
