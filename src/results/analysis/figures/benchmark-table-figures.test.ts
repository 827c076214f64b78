import { describe, expect, it } from 'vitest';
import { businessDays, runRecord } from '../../../../test/support/records.ts';
import { type BenchmarkRow, type BenchmarkRowName, comparedOwn } from '../series/benchmark-rows.ts';
import { benchmarkTable } from './benchmark-table.ts';
import { equityColumns } from './equity.ts';
import { mean, standardDeviation } from './figures.ts';
import { computeMetrics, type MetricsOptions } from './metrics.ts';

type Rows = Readonly<Record<BenchmarkRowName, BenchmarkRow>>;
const tableOf = (record: ReturnType<typeof runRecord>, options: MetricsOptions) => {
  const metrics = computeMetrics(record, options);
  const rows = benchmarkTable(record, metrics, options).map((row) => [row.name, row] as const);
  return { metrics, rows: Object.fromEntries(rows) as Rows };
};
/** Expects equal values with a relative tolerance of about 1e-10. */
const agree = (found: number | null, expected: number) => expect(found! / expected).toBeCloseTo(1, 10);

describe('the benchmark of a whole run', () => {
  const closes = [100, 110, 99, 108.9, 120];
  const equity = [1000, 1010, 990, 1030, 1020];
  const record = runRecord({
    cash: '1000',
    equity,
    exposure: [0, 0.5, 0.6, 0.7, 0.7],
    prices: closes.map((close) => [[close, close, close, close, 1000] as const]),
    fills: [{ quantity: '4', price: '100' }],
  });
  const options = { riskFreeRate: 0.0252, minimumAcceptableReturn: 0.0504, periodsPerYear: 252 };
  const { rows, metrics } = tableOf(record, options);
  const years = 4 / 365.25;
  const returns = closes.slice(1).map((close, at) => close / closes[at]! - 1);
  const own = equity.slice(1).map((value, at) => value / equity[at]! - 1);
  const scale = standardDeviation(own) / standardDeviation(returns);

  it('has the figures of buying and holding, at the rates of the run', () => {
    agree(rows.totalReturn.benchmark, 0.2);
    agree(rows.cagr.benchmark, 1.2 ** (1 / years) - 1);
    agree(rows.volatility.benchmark, standardDeviation(returns) * Math.sqrt(252));
    agree(rows.sharpe.benchmark, ((mean(returns) - 0.0001) / standardDeviation(returns)) * Math.sqrt(252));
    const shortfall = Math.sqrt(mean(returns.map((value) => Math.min(value - 0.0002, 0) ** 2)));
    agree(rows.sortino.benchmark, ((mean(returns) - 0.0002) / shortfall) * Math.sqrt(252));
    agree(rows.maxDrawdown.benchmark, -0.1);
    agree(rows.conditionalValueAtRisk.benchmark, -0.1);
    expect(rows.exposure.benchmark).toBe(1);
    // The benchmark trades 1,000 once. Its mean equity is 1,075.8.
    agree(rows.turnover.benchmark, 1000 / 1075.8 / years);
  });

  it('is scaled to the volatility of the run', () => {
    const scaled = returns.map((value) => 0.0001 + scale * (value - 0.0001));
    const growth = scaled.reduce((worth, value) => worth * (1 + value), 1);
    agree(rows.totalReturn.scaled, growth - 1);
    agree(rows.cagr.scaled, growth ** (1 / years) - 1);
    agree(rows.exposure.scaled, scale);
    expect(rows.turnover.scaled).toBeNull();
  });

  it('is compared with the figures of the run', () => {
    for (const [name, row] of Object.entries(rows)) {
      const metric = name === 'exposure' ? metrics.meanExposure : metrics[name as 'turnover'];
      expect(row.own, name).toBe(metric.value);
      const other = row.against === 'scaled' ? row.scaled! : row.benchmark!;
      expect(row.difference, name).toBeCloseTo(row.own! - other, 6);
    }
  });
});

describe('the benchmark of a part of a run', () => {
  const count = 40;
  const exposure = Array.from({ length: count }, (_, bar) => (bar + 1) / 100);
  const equity = Array.from({ length: count }, (_, bar) => 1000 + 10 * bar + 5 * (bar % 3));
  const bars = [0, 1, 9, 10, 11, 20, 29, 30, 31, 39];
  const record = runRecord({
    cash: '1000',
    equity,
    exposure,
    dates: businessDays(count),
    fills: bars.map((bar) => ({ bar, quantity: String(bar + 1), price: '1' })),
  });
  const { times } = equityColumns(record);
  const part = (from: number, to: number) => ({
    name: 'B',
    times: times.subarray(from, to),
    closes: Array.from({ length: to - from }, (_, at) => 100 + (at % 4)),
  });

  it.each([
    ['at the start', 0, 25],
    ['at the end', 10, 40],
    ['in the middle', 10, 27],
  ])('compares exposure and turnover of the covered bars: %s', (_, from, to) => {
    const { rows, metrics } = tableOf(record, { benchmark: part(from, to), periodsPerYear: 260 });
    const { firstBar, bars: covered } = metrics.commonPeriod!;
    const first = businessDays(count).indexOf(firstBar);
    expect(first).toBe(from);
    const last = first + covered - 1;
    expect(last === count - 1).toBe(to === 40);
    // Exposure begins after the close of the first covered bar, unless the run begins there.
    const inside = ({ bar }: { readonly bar: number }) => bar >= (first === 0 ? 0 : first + 1) && bar <= last;
    const place = Array.from({ length: count }, (_, bar) => ({ bar })).filter(inside);
    agree(comparedOwn(rows.exposure, false), mean(place.map(({ bar }) => exposure[bar]!)));
    const traded = bars.filter((bar) => inside({ bar })).reduce((sum, bar) => sum + bar + 1, 0);
    const years = (last - first) / 260;
    agree(comparedOwn(rows.turnover, false), traded / mean(place.map(({ bar }) => equity[bar]!)) / years);
    expect(rows.exposure.own).toBe(metrics.meanExposure.value);
    // Figures of the benchmark from its session returns.
    const closes = Array.from({ length: covered }, (_, at) => 100 + (Math.min(at, to - from - 1) % 4));
    agree(rows.totalReturn.benchmark! + 1, closes.at(-1)! / closes[0]!);
    agree(rows.cagr.benchmark! + 1, (closes.at(-1)! / closes[0]!) ** (1 / years));
    agree(rows.turnover.benchmark, 1000 / (mean(closes) * 10) / years);
  });
});

it('a benchmark has no annual figures in a run of one bar, and no CAGR after a total loss', () => {
  const one = runRecord({ cash: '100', equity: [100], prices: [[[10, 10, 10, 10, 1]]] });
  const { rows } = tableOf(one, {});
  expect(rows.turnover).toMatchObject({ own: null, benchmark: null, difference: null });
  expect(rows.cagr).toMatchObject({ own: null, benchmark: null });
  expect(rows.totalReturn).toMatchObject({ own: 0, benchmark: 0 });
  expect(rows.maxDrawdown.benchmark).toBe(0);
  const lost = runRecord({
    cash: '100',
    equity: [100, 100, 100],
    prices: [10, 5, 0].map((close) => [[10, 10, 0, close, 1] as const]),
  });
  const { rows: gone } = tableOf(lost, {});
  expect(gone.totalReturn.benchmark).toBe(-1);
  expect(gone.cagr.benchmark).toBeNull();
});

describe('the benchmark of a run with several bars a day', () => {
  // The lowest equity and the lowest close are within the second day.
  const dates = ['01T09', '01T16', '02T09', '02T16', '03T09', '03T16'].map((hour) => `2024-01-${hour}:00:00`);
  const closes = [100, 100, 50, 110, 120, 99];
  const record = runRecord({
    ...{ cash: '1000', equity: [1000, 1000, 700, 1100, 1150, 1035], dates },
    exposure: [0, 0.1, 0.2, 0.3, 0.4, 0.5],
    prices: closes.map((close) => [[close, close, close, close, 9] as const]),
  });

  it('has drawdowns between all bars if it covers the whole run', () => {
    const { rows } = tableOf(record, {});
    agree(rows.maxDrawdown.benchmark, -0.5);
    agree(rows.maxDrawdown.own, -0.3);
    agree(rows.maxDrawdown.difference, -0.3 - rows.maxDrawdown.scaled!);
  });

  it('has drawdowns between session closes if it covers a part', () => {
    const { times } = equityColumns(record);
    const benchmark = { name: 'B', times: times.subarray(1), closes: closes.slice(1) };
    const { rows } = tableOf(record, { benchmark });
    agree(rows.maxDrawdown.benchmark, -0.1);
    agree(rows.maxDrawdown.own, -0.3);
    // Session closes of the run: 1,000, 1,100 and 1,035.
    agree(comparedOwn(rows.maxDrawdown, false), 1035 / 1100 - 1);
  });
});

it('the figures of a partial benchmark are shown for a run that lost everything', () => {
  const record = runRecord({ cash: '100', equity: [100, 0, 50, 50, 60] });
  const { times } = equityColumns(record);
  const benchmark = { name: 'B', times: times.subarray(1), closes: [10, 11, 12, 13] };
  const { rows, metrics } = tableOf(record, { benchmark });
  expect(metrics.commonPeriod).toMatchObject({ bars: 4, ownReturn: null });
  agree(rows.turnover.benchmark, 10 / 11.5 / (4 / 365.25));
  expect(rows.sharpe).toMatchObject({ own: null, benchmark: null, difference: null });
  agree(rows.totalReturn.own, -0.4);
});
