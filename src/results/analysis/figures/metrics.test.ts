import { describe, expect, it } from 'vitest';
import { skipBecause } from '../../../../test/missing.ts';
import { businessDays, runRecord, sharedBars } from '../../../../test/support/records.ts';
import { computeMetrics } from './metrics.ts';

// Four business days. The equity is 100, 110, 99 and 108.9, so the returns are +0.1, −0.1 and +0.1, and their
// mean is 0.1 / 3.
const UP_DOWN_UP = { cash: '100', equity: ['100', '110', '99', '108.9'] };

describe('metrics calculated by hand', () => {
  const metrics = computeMetrics(runRecord(UP_DOWN_UP));

  it('total return is from the initial cash to the last bar', () => {
    // Final equity / initial cash − 1 = 108.9 / 100 − 1
    expect(metrics.totalReturn.value).toBeCloseTo(0.089, 12);
    // The first bar counts even if it is below the cash (fills at its own close): 90 / 100 − 1.
    expect(computeMetrics(runRecord({ cash: '100', equity: [95, 90] })).totalReturn.value).toBeCloseTo(
      -0.1,
      12,
    );
  });

  it('CAGR uses calendar days and marks periods under a year', () => {
    // Monday to Thursday is 3 days: 1.089^(365.25 / 3) − 1
    expect(metrics.cagr.value).toBeCloseTo(1.089 ** 121.75 - 1, 6);
    expect(metrics.underAYear).toBe(true);
    expect(metrics.cagr.convention).toContain('under a year');
    // 2023-01-01 to 2025-01-01 is 731 days: 1.21^(365.25 / 731) − 1 = 0.09992…
    const twoYears = computeMetrics(
      runRecord({ cash: '100', equity: [100, 121], dates: ['2023-01-01', '2025-01-01'] }),
    );
    expect(twoYears.cagr.value).toBeCloseTo(1.21 ** (365.25 / 731) - 1, 12);
    expect(twoYears.underAYear).toBe(false);
  });

  it('volatility, Sharpe and Sortino', () => {
    // Deviations 0.0667, −0.1333, 0.0667: squares sum to 0.026667, over 2 is 0.013333, sd = 0.115470.
    expect(metrics.volatility.value).toBeCloseTo(Math.sqrt(0.08 / 6) * Math.sqrt(252), 10);
    // Mean return / standard deviation · √252 = 0.033333 / 0.115470 · √252 = 4.582576
    expect(metrics.sharpe.value).toBeCloseTo(4.582576, 6);
    // Downside deviation √((0 + 0.01 + 0) / 3) = 0.057735. Sortino ratio 0.033333 / 0.057735 · √252 =
    // 9.165151
    expect(metrics.sortino.value).toBeCloseTo(9.165151, 6);
  });

  it('a risk-free rate and a minimum acceptable return are converted to the period', () => {
    // 2.52 per year is 0.01 per period: (0.033333 − 0.01) / 0.115470 · √252 = 3.207803
    const options = { riskFreeRate: 2.52, minimumAcceptableReturn: 2.52 };
    const other = computeMetrics(runRecord(UP_DOWN_UP), options);
    expect(other.sharpe.value).toBeCloseTo(3.207803, 6);
    // Shortfall 0.11: √(0.0121 / 3) = 0.063509; 0.023333 / 0.063509 · √252 = 5.832369
    expect(other.sortino.value).toBeCloseTo((0.07 / 3 / Math.sqrt(0.0121 / 3)) * Math.sqrt(252), 6);
    expect(other.sharpe.convention).toContain('rf 252% a year');
  });

  it('drawdown, its duration, and Calmar', () => {
    // Drawdown from 110 to 99: 99 / 110 − 1 = −0.1. It starts on Tuesday and has not recovered by Thursday.
    expect(metrics.maxDrawdown.value).toBeCloseTo(-0.1, 12);
    expect(metrics.drawdownDuration).toMatchObject({ value: 2, recovered: false });
    expect(metrics.calmar.value).toBeCloseTo(metrics.cagr.value! / 0.1, 3);
  });

  it('exposure and turnover', () => {
    const record = runRecord({
      ...UP_DOWN_UP,
      exposure: [0, 0.5, 1.5, 0],
      fills: [
        { quantity: '2', price: '50' },
        { quantity: '2', price: '60', side: 'sell' },
      ],
    });
    const figures = computeMetrics(record);
    expect(figures.timeInMarket.value).toBe(0.5);
    expect(figures.meanExposure.value).toBe(0.5);
    // 100 + 120 are traded in 3 / 365.25 years. The mean equity is 417.9 / 4 = 104.475.
    expect(figures.turnover.value).toBeCloseTo((220 / 104.475) * (365.25 / 3), 9);
  });

  it('costs, and the return before costs', () => {
    const figures = computeMetrics(
      runRecord({
        ...UP_DOWN_UP,
        fills: [
          { quantity: '2', price: '50.1', priceBeforeSlippage: '50', commission: '0.3' },
          { quantity: '2', price: '59.8', priceBeforeSlippage: '60', commission: '0.6', side: 'sell' },
        ],
      }),
    );
    // Slippage 2 × 0.1 + 2 × 0.2, exactly
    expect(figures.slippage.value).toBe('0.6');
    expect(figures.commission.value).toBe('0.9');
    expect(figures.returnBeforeCommission.value).toBeCloseTo(0.098, 12);
    expect(figures.returnBeforeCosts.value).toBeCloseTo(0.104, 12);
  });
});

describe('undefined metrics are null with a reason', () => {
  const valueAndReason = ({ value, reason }: { value: unknown; reason?: string }) => [value, reason];

  it('without a bar', () => {
    const metrics = computeMetrics(runRecord({ cash: '100', equity: [] }));
    for (const name of [
      'totalReturn',
      'cagr',
      'maxDrawdown',
      'timeInMarket',
      'meanExposure',
      'turnover',
    ] as const) {
      expect(valueAndReason(metrics[name])).toEqual([null, 'no bar was processed']);
    }
  });

  it('with one bar', () => {
    const metrics = computeMetrics(runRecord({ equity: [100] }));
    expect(metrics.totalReturn.value).toBe(0);
    expect(metrics.maxDrawdown.value).toBe(0);
    expect(metrics.cagr.reason).toBe('the run covers a single instant');
    expect(metrics.turnover.reason).toBe('the run covers a single instant');
    expect(metrics.volatility.reason).toBe('fewer than two session returns');
    expect(metrics.drawdownDuration.reason).toBe('there was no drawdown');
  });

  it('with constant equity', () => {
    const metrics = computeMetrics(runRecord({ equity: [100, 100, 100, 100] }));
    expect(metrics.volatility.value).toBe(0);
    expect(valueAndReason(metrics.sharpe)).toEqual([null, 'session returns do not vary']);
    expect(valueAndReason(metrics.sortino)).toEqual([
      null,
      'no session return is below the minimum acceptable',
    ]);
    expect(valueAndReason(metrics.calmar)).toEqual([null, 'there was no drawdown']);
  });

  it('with a constant growth that float64 cannot represent exactly', () => {
    const metrics = computeMetrics(
      runRecord({ equity: ['100', '110', '121', '133.1', '146.41', '161.051'] }),
    );
    expect(metrics.volatility.value).toBe(0);
    expect(metrics.sharpe.value).toBeNull();
  });

  it('with negative equity', () => {
    const metrics = computeMetrics(
      runRecord({
        equity: [100, -20, 50, -10],
        exposure: [0, null, 0.5, null],
        cashPath: [100, 300, 0, -10],
      }),
    );
    expect(metrics.sharpe.reason).toBe('equity was not positive on 2024-01-02');
    expect(metrics.cagr.reason).toBe('the final equity is not positive');
    expect(metrics.calmar.reason).toBe('the final equity is not positive');
    expect(metrics.meanExposure.reason).toBe('equity was not positive on 2 of 4 bars');
    // The lowest equity is −20, the peak 100: −20 / 100 − 1
    expect(metrics.maxDrawdown.value).toBeCloseTo(-1.2, 12);
    expect(metrics.totalReturn.value).toBeCloseTo(-1.1, 12);
    // Two bars have no exposure because their equity is not positive. One of them has a position.
    expect(metrics.timeInMarket.value).toBe(0.5);
    expect(computeMetrics(runRecord({ cash: '100', equity: [100, -300] })).turnover.reason).toBe(
      'mean equity is not positive',
    );
  });

  it('with zero equity only at the very end', () => {
    const metrics = computeMetrics(runRecord({ equity: [100, 120, 110, 130, -1], outcome: 'insolvent' }));
    const { volatility, sharpe, sortino, bestDay } = metrics;
    for (const { value, reason } of [volatility, sharpe, sortino, bestDay])
      expect([value, reason]).toEqual([null, 'equity was not positive on 2024-01-05']);
  });

  it('with a growth above the range of float64', () => {
    const dates = ['2024-01-01', '2024-01-01T00:00:01'];
    expect(computeMetrics(runRecord({ equity: [100, 200], dates })).cagr).toMatchObject({
      value: null,
      reason: 'too large for a number',
    });
  });
});

describe('options and damaged journals', () => {
  it('refuses invalid numbers', () => {
    expect(() => computeMetrics(runRecord(UP_DOWN_UP), { periodsPerYear: 0 })).toThrow(/0 periods per year/);
    expect(() => computeMetrics(runRecord(UP_DOWN_UP), { riskFreeRate: Number.NaN })).toThrow(
      /risk-free rate NaN/,
    );
  });

  it('refuses a journal whose bars cannot be read', () => {
    expect(() => computeMetrics(runRecord({ cash: '100', equity: ['lots'] }))).toThrow(
      /equity of bar 0, "lots"/,
    );
    expect(() => computeMetrics(runRecord({ equity: [100], dates: ['someday'] }))).toThrow(
      /date of bar 0, "someday"/,
    );
    expect(() => computeMetrics(runRecord({ cash: '0', equity: [100] }))).toThrow(
      /no positive settings.cash/,
    );
  });
});

describe('sessions and periods per year', () => {
  const periods = (dates: readonly string[]) =>
    computeMetrics(runRecord({ equity: dates.map(() => 100), dates }));
  const every = (days: number, count: number, start = '2023-01-02') =>
    Array.from({ length: count }, (_, index) =>
      new Date(Date.parse(start) + index * days * 86_400_000).toISOString().slice(0, 10),
    );

  it('use the last value of each UTC day of intraday bars', () => {
    const dates = ['01T09:00:00', '01T16:00:00', '02T09:00:00', '02T16:00:00', '03T09:00:00'].map(
      (text) => `2024-01-${text}`,
    );
    const metrics = computeMetrics(runRecord({ cash: '100', equity: [100, 104, 80, 130, 65], dates }));
    // Equity at the ends of the sessions: 104, 130, 65. Returns: +0.25, −0.5. Mean −0.125, sd √(2 × 0.375²) =
    // 0.530330.
    expect(metrics.sessions).toBe(3);
    expect(metrics.sharpe.value).toBeCloseTo((-0.125 / 0.5303300859) * Math.sqrt(252), 8);
    // The drawdown is computed from bars: 65 / 130 − 1 is deeper than 80 / 104 − 1 within the second day.
    expect(metrics.maxDrawdown.value).toBe(-0.5);
    expect(metrics.sharpe.convention).toContain('by the UTC day');
    const dip = computeMetrics(runRecord({ cash: '100', equity: [100, 104, 26, 130, 117], dates }));
    expect(dip.maxDrawdown.value).toBe(-0.75);
  });

  it('use each bar of a day or longer, even two of one UTC day around a clock change', () => {
    const dates = ['2024-03-29', '2024-03-30', '2024-03-31', '2024-03-31T23:00:00', '2024-04-01T23:00:00'];
    expect(periods(dates).sessions).toBe(5);
  });

  it.each([
    // 300 weekdays from a Monday span 417 days. The last day is included, so the result is 300 / (418 /
    // 365.25).
    ['daily without weekends', businessDays(300), 300 / (418 / 365.25)],
    ['daily with weekends', every(1, 300), 365.25],
    ['weekly', every(7, 60), 365.25 / 7],
    ['every third day', every(3, 100), 365.25 / 3],
    ['yearly', ['2019-12-31', '2020-12-31', '2021-12-31', '2022-12-31'], 4 / ((1096 + 365) / 365.25)],
    ['Sunday to Friday, as currencies trade', currencyDays(300), 300 / (350 / 365.25)],
  ])('are counted if the data cover half a year: %s', (_, dates, expected) => {
    const { periodsPerYear, sharpe, periodsInWords } = periods(dates);
    expect(periodsPerYear).toBeCloseTo(expected, 9);
    expect(periodsInWords).toMatch(/^counted: [\d,]+ sessions in [\d.]+ years$/);
    expect(sharpe.convention).toContain(periodsInWords);
  });

  it.each([
    ['daily without weekends', businessDays(100), 252],
    ['daily with weekends', every(1, 100), 365],
    ['Sunday to Friday, as currencies trade', currencyDays(100), 252],
    ['weekly', every(7, 20), 52],
    ['a day in every month', Array.from({ length: 4 }, (_, month) => monthEnd(2020, month)), 12],
    ['one bar', ['2024-01-01'], 252],
    ['no bar', [], 252],
  ])('have usual values for shorter data: %s', (_, dates, expected) => {
    expect(periods(dates).periodsPerYear).toBe(expected);
    expect(periods(dates).periodsInWords).toBe('the usual number, for under half a year of data');
  });

  it('count a month that ends on a Sunday like any other', () => {
    const dates = Array.from({ length: 24 }, (_, month) => monthEnd(2020, month));
    expect(dates.filter((date) => new Date(date).getUTCDay() === 0).length).toBeGreaterThan(2);
    expect(periods(dates).periodsPerYear).toBeCloseTo(12, 1);
  });

  it('can be set', () => {
    const metrics = computeMetrics(runRecord(UP_DOWN_UP), { periodsPerYear: 1 });
    expect(metrics.volatility.value).toBeCloseTo(0.115470054, 8);
    expect(metrics.volatility.convention).toContain('1 a year (as set)');
  });

  function currencyDays(count: number): string[] {
    return every(1, count * 2)
      .filter((date) => new Date(date).getUTCDay() !== 6)
      .slice(0, count);
  }

  function monthEnd(year: number, month: number): string {
    return new Date(Date.UTC(year, month + 1, 0)).toISOString().slice(0, 10);
  }
});

describe('real bars', () => {
  it.each([
    // 2,148 sessions from 2004-08-19 to 2013-03-01, both days included.
    ['goog-daily.csv', 2148 / (3117 / 365.25)],
    // 251 days, including short Sunday sessions, in 294.25 days and one hour.
    ['eurusd-hourly.csv', 251 / ((294.25 + 1 / 24) / 365.25)],
    ['btcusd-monthly.csv', 156 / ((4718 + 31) / 365.25)],
  ])('%s', (name, expected) => {
    const bars = sharedBars(name, 'X');
    if (bars === undefined) return skipBecause(`Not tested: there is no ../shared/data/${name}.`);
    const dates = Array.from(bars.time, (time) => new Date(time).toISOString().slice(0, 19));
    const { periodsPerYear } = computeMetrics(runRecord({ equity: Array.from(bars.close), dates }));
    expect(periodsPerYear).toBeCloseTo(expected, 9);
  });
});
