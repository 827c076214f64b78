import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { normalCdf } from '../series/distributions.ts';
import { mean, standardDeviation } from './figures.ts';
import { computeMetrics } from './metrics.ts';

const between = (from: string, to: string) => runRecord({ equity: [100, 80], dates: [from, to] });

describe('metrics of a short run', () => {
  it('are marked with "under a year" if the bars cover less than 365.25 days', () => {
    const short = computeMetrics(between('2023-01-01', '2024-01-01T05:59:59'));
    expect(short.underAYear).toBe(true);
    expect(short.cagr.convention).toBe(
      '(final equity / initial cash)^(365.25 / 365.25 calendar days) − 1; under a year',
    );
    expect(short.calmar.convention).toBe('CAGR / |max drawdown|; under a year');
    expect(short.turnover.convention).toBe('notional of all fills / mean bar equity, a year; under a year');
    const year = computeMetrics(between('2023-01-01', '2024-01-01T06:00:00'));
    expect(year).toMatchObject({ underAYear: false, calendarDays: 365.25 });
    expect(year.cagr.value).toBeCloseTo(-0.2, 12);
    expect(year.calmar).toEqual({ value: expect.closeTo(-1, 12), convention: 'CAGR / |max drawdown|' });
    expect(year.turnover.convention).toBe('notional of all fills / mean bar equity, a year');
  });

  it('state the days in the convention, rounded to two decimal places', () => {
    const { cagr } = computeMetrics(between('2024-01-01', '2024-01-01T08:00:00'));
    expect(cagr.convention).toContain('365.25 / 0.33 calendar days');
  });
});

describe('the conventions of metrics', () => {
  const record = runRecord({ equity: [100, 110, 104.5, 106.59, 109.7877] });
  const returns = [0.1, -0.05, 0.02, 0.03];

  it('name rates as percentages, and 0 % by default', () => {
    const usual = computeMetrics(record);
    const session = 'by the bar, 252 a year (the usual number, for under half a year of data)';
    expect(usual.volatility.convention).toBe(`sd(returns, ddof 1) · √P, ${session}`);
    expect(usual.sharpe.convention).toBe(
      `mean(returns − rf) / sd(returns, ddof 1) · √P, arithmetic, ${session}, rf 0% a year`,
    );
    expect(usual.sortino.convention).toContain('MAR 0% a year');
    const set = { riskFreeRate: 0.01234, minimumAcceptableReturn: 0.05, periodsPerYear: 1.006 };
    const own = computeMetrics(record, set);
    expect(own.sharpe.convention).toContain('by the bar, 1.01 a year (as set), rf 1.23% a year');
    expect(own.omega.convention).toContain('MAR 5% a year');
    expect(own).toMatchObject({ periodsPerYear: 1.006, periodsInWords: 'as set' });
  });

  it('of the probabilistic Sharpe ratio state the shape of the returns', () => {
    const { psr } = computeMetrics(record, { periodsPerYear: 1, riskFreeRate: 0.01 });
    const apart = returns.map((value) => value - mean(returns));
    const moment = (power: number) => mean(apart.map((value) => value ** power));
    const [skewness, kurtosis] = [moment(3) / moment(2) ** 1.5, moment(4) / moment(2) ** 2];
    const ratio = (mean(returns) - 0.01) / standardDeviation(returns);
    const variance = 1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio ** 2;
    expect(psr.value).toBeCloseTo(normalCdf((ratio * Math.sqrt(3)) / Math.sqrt(variance)), 10);
    expect(psr.convention).toBe(
      `probability that the true Sharpe ratio is above 0, by its 4 session returns, skewness ${Number(skewness.toFixed(2))}, Pearson kurtosis ${Number(kurtosis.toFixed(2))}, rf 1% a year`,
    );
  });

  it('of the probabilistic Sharpe ratio omit a shape that is undefined', () => {
    const words = (equity: readonly number[]) => computeMetrics(runRecord({ equity })).psr.convention;
    expect(words([100, 110])).toContain('by its session returns, rf');
    expect(words([100, 0, 10])).toContain('by its session returns, rf');
    expect(words([100, 100, 100])).toContain('by its 2 session returns, rf');
    expect(words([100, 110, 99])).toContain('by its 2 session returns, skewness 0, Pearson kurtosis 1, rf');
  });

  it('describe the final equity, which is exact, or null with a reason', () => {
    const convention = 'cash and positions at the last close';
    expect(computeMetrics(runRecord({ equity: [100, '108.90'] })).finalEquity).toEqual({
      value: '108.9',
      convention,
    });
    const empty = computeMetrics(runRecord({ cash: '100', equity: [] }));
    expect(empty.finalEquity).toEqual({ value: null, reason: 'no bar was processed', convention });
    expect(empty).toMatchObject({ sessions: 0, calendarDays: 0, underAYear: true, costSteps: [] });
  });
});

describe('metrics without options', () => {
  it('use a risk-free rate of 0', () => {
    const metrics = computeMetrics(
      runRecord({ equity: [100, 80, 120], dates: ['2021-01-01', '2022-01-01', '2023-01-01'] }),
    );
    // The drawdowns at the three session closes are 0, 20 % and 0.
    const ulcer = Math.sqrt(0.04 / 3);
    expect(metrics.ulcerPerformanceIndex.value).toBeCloseTo((1.2 ** (365.25 / 730) - 1) / ulcer, 10);
  });

  it('include the kurtosis of two returns, but not the skewness', () => {
    const metrics = computeMetrics(runRecord({ equity: [100, 110, 99] }));
    expect(metrics.kurtosis.value).toBeCloseTo(1, 10);
    expect(metrics.skewness.reason).toBe('fewer than three session returns');
  });

  it('include the attribution of the profit and the benchmark table', () => {
    const metrics = computeMetrics(runRecord({ cash: '100', equity: [90, 120] }));
    expect(metrics.attribution.profit).toBe('20');
    expect(metrics.spine()).toBe(metrics.benchmarkTable());
    expect(metrics.benchmarkTable()[0]).toMatchObject({ name: 'totalReturn', own: expect.closeTo(0.2, 12) });
    expect(metrics.benchmarkEquity).toBeUndefined();
  });
});
