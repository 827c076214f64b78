import { describe, expect, it } from 'vitest';
import { pageDataIn } from '../../../test/support/page-data.ts';
import { runRecord } from '../../../test/support/records.ts';
import { formatInstant } from '../../kernel/index.ts';
import { computeMetrics, equityColumns, sessionsOf } from '../../results/analysis/index.ts';
import { reportPage } from './report-page.ts';

const bar = (open: number, close: number) =>
  [[open, Math.max(open, close), Math.min(open, close), close, 1]] as const;

/**
 * Returns a record of four bars. The first two bars are history and have the initial cash as equity. The
 * evaluation begins with a purchase at the open of 3 January. Equity: 100 → 110 → 99. Benchmark price: 20 →
 * 25 → 24.
 */
function record(evaluateFrom?: string) {
  const made = runRecord({
    cash: '100',
    equity: [100, 100, 110, 99],
    prices: [bar(10, 12), bar(12, 16), bar(20, 25), bar(25, 24)],
  });
  const settings = made.started.settings as object;
  return {
    ...made,
    started: { ...made.started, settings: { ...settings, ...(evaluateFrom && { evaluateFrom }) } },
  };
}

describe('metrics from an evaluation date on', () => {
  const metrics = computeMetrics(record('2024-01-03'));

  it('include the first session: fills at its open, and the return since the previous equity', () => {
    const whole = computeMetrics(record());
    // The first session counts: its return is +10%. Otherwise the only return would be −10%.
    expect([metrics.bestDay.value, metrics.worstDay.value]).toEqual([
      expect.closeTo(0.1, 12),
      expect.closeTo(-0.1, 12),
    ]);
    expect([metrics.bestDayDate, metrics.worstDayDate]).toEqual(['2024-01-03', '2024-01-04']);
    expect(metrics.sessions).toBe(2);
    expect(whole.sessions).toBe(4);
    expect(metrics.volatility.value).toBeCloseTo(Math.sqrt(0.02) * Math.sqrt(252), 9);
  });

  it('have a benchmark that is bought at that open', () => {
    expect(metrics.benchmarkReturn.value).toBeCloseTo(24 / 20 - 1, 12);
    // Benchmark returns are 25 / 20 − 1 and 24 / 25 − 1, strategy returns +10% and −10%. The slope is 0.2 /
    // 0.29.
    expect(metrics.beta.value).toBeCloseTo(0.2 / 0.29, 9);
    expect(metrics.upCapture.value).toBeCloseTo(0.1 / 0.25, 9);
    expect(metrics.commonPeriod).toBeNull();
  });

  it('attribute profit only to evaluated months', () => {
    expect(metrics.attribution.byMonth).toMatchObject([{ name: '2024-01', total: '-1' }]);
    expect(metrics.attribution.profit).toBe('-1');
  });

  it('state their start on the page, whose charts include the history', () => {
    const page = reportPage({ runId: 'r', record: record('2024-01-03'), manifest: undefined });
    expect(page).toContain('figures from 2024-01-03 on');
    const data = pageDataIn(page);
    expect(data.equity.close).toEqual([100, 100, 110, 99]);
    expect(data.benchmark).toEqual([100, 100, 125, 120]);
    expect(page).toContain('2 daily returns'.replace('daily', 'bar'));
  });
});

describe('bars with end timestamps', () => {
  const hours = Array.from({ length: 48 }, (_, hour) => Date.UTC(2024, 0, 31) + (hour + 1) * 3_600_000);
  const made = runRecord({
    cash: '100',
    equity: hours.map((_, hour) => 101 + hour),
    dates: hours.map((hour) => formatInstant(hour)),
  });
  const settings = made.started.settings as object;
  const ended = { ...made, started: { ...made.started, settings: { ...settings, barTimes: 'end' } } };

  it('count midnight as part of the day and the month that have ended', () => {
    const { dates, equity } = sessionsOf(equityColumns(ended));
    expect(dates).toEqual(['2024-01-31', '2024-02-01']);
    expect(equity).toEqual([124, 148]);
    const [year] = computeMetrics(ended).months;
    expect(year?.months.slice(0, 3)).toEqual([expect.closeTo(0.24, 12), expect.closeTo(24 / 124, 12), null]);
    // If the timestamps were the starts of the bars, the last hour would belong to a third day.
    expect(sessionsOf(equityColumns(made)).equity).toEqual([123, 147, 148]);
  });
});
