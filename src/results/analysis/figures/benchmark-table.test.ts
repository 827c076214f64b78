import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { createRandom } from '../../../kernel/index.ts';
import { capacityOf } from '../alarms/alarms.ts';
import { costMultiples } from '../series/capacity.ts';
import { comparedOwn } from '../series/index.ts';
import { regimesOf } from '../series/regimes.ts';
import { benchmarkTable } from './benchmark-table.ts';
import { equityColumns } from './equity.ts';
import { computeMetrics } from './metrics.ts';

/**
 * Creates a run with half of its equity in the market. The run gains `edge` more than this half per session.
 */
function sketch(edge: number, sessions = 300) {
  const random = createRandom(11, 'spine');
  let [close, worth] = [100, 1000];
  const [closes, equity] = [[close], [worth]];
  for (let session = 1; session < sessions; session++) {
    const change = 0.01 * random.normal();
    close *= 1 + change;
    worth *= 1 + change / 2 + edge;
    closes.push(close);
    equity.push(worth);
  }
  return runRecord({
    cash: '1000',
    equity,
    exposure: equity.map(() => 0.5),
    prices: closes.map((price) => [[price, price, price, price, 1000] as const]),
  });
}

describe('the table against the benchmark', () => {
  it('has the figures of the run and of buy-and-hold, and their differences', () => {
    const record = sketch(0);
    const metrics = computeMetrics(record);
    const rows = new Map(benchmarkTable(record, metrics).map((row) => [row.name, row]));
    expect(rows.get('sharpe')!.own).toBe(metrics.sharpe.value);
    expect(rows.get('maxDrawdown')!.own).toBe(metrics.maxDrawdown.value);
    expect(rows.get('totalReturn')!.benchmark).toBeCloseTo(metrics.benchmarkReturn.value!, 12);
    expect(rows.get('totalReturn')!.scaled).toBeCloseTo(metrics.benchmarkAtEqualVolatility.value!, 12);
    expect(rows.get('exposure')).toMatchObject({ own: 0.5, benchmark: 1 });
    expect(rows.get('exposure')!.scaled).toBeCloseTo(0.5, 12);
    const volatility = rows.get('volatility')!;
    expect(volatility.difference).toBeCloseTo(volatility.own! - volatility.benchmark!, 12);
    for (const { name, supports } of rows.values()) expect(supports, name).toBeNull();
  });

  it.each([
    [0.003, 'better'],
    [-0.003, 'worse'],
  ] as const)('reports for an edge of %f per session that it is %s', (edge, expected) => {
    const record = sketch(edge);
    const rows = new Map(benchmarkTable(record, computeMetrics(record)).map((row) => [row.name, row]));
    for (const name of ['totalReturn', 'cagr', 'sharpe', 'sortino'] as const)
      expect(rows.get(name)!.supports, name).toBe(expected);
    expect(rows.get('volatility')!.supports).toBeNull();
  });

  it('has the figures of the whole run and compares the part that the benchmark covers', () => {
    const record = sketch(0.001);
    const { times } = equityColumns(record);
    const part = {
      name: 'B',
      times: times.subarray(150),
      closes: times.subarray(150).map((_, at) => 100 + at),
    };
    const metrics = computeMetrics(record, { benchmark: part });
    const { ownReturn, bars } = metrics.commonPeriod!;
    expect(bars).toBe(150);
    const rows = new Map(benchmarkTable(record, metrics, { benchmark: part }).map((row) => [row.name, row]));
    for (const name of ['totalReturn', 'cagr', 'volatility', 'sharpe', 'sortino', 'maxDrawdown'] as const)
      expect(rows.get(name)!.own, name).toBe(metrics[name].value);
    const row = rows.get('totalReturn')!;
    expect(row.own).not.toBeCloseTo(ownReturn!, 3);
    expect(row.benchmark).toBeCloseTo(metrics.benchmarkReturn.value!, 12);
    expect(row.difference).toBeCloseTo(ownReturn! - row.scaled!, 12);
    expect(comparedOwn(row, false)).toBeCloseTo(ownReturn!, 12);
    expect(comparedOwn(row, true)).toBe(row.own);
  });

  it('compares exposure and turnover of the part that the benchmark covers', () => {
    const bars = Array.from({ length: 300 }, (_, bar) => bar);
    const record = runRecord({
      cash: '1000',
      equity: bars.map((bar) => 1000 + (bar % 7)),
      exposure: bars.map((bar) => (bar < 150 ? 0 : 0.8)),
      prices: bars.map(() => [[10, 10, 10, 10, 1000] as const]),
      fills: [
        { bar: 10, quantity: '50', price: '10', priceBeforeSlippage: '10', commission: '0' },
        { bar: 200, quantity: '20', price: '10', priceBeforeSlippage: '10', commission: '0' },
      ],
    });
    const { times } = equityColumns(record);
    const closes = times.subarray(149).map((_, at) => 100 + (at % 5));
    const part = { name: 'B', times: times.subarray(149), closes };
    const metrics = computeMetrics(record, { benchmark: part });
    const rows = new Map(benchmarkTable(record, metrics, { benchmark: part }).map((row) => [row.name, row]));
    const [exposure, turnover] = [rows.get('exposure')!, rows.get('turnover')!];
    expect(exposure.own).toBeCloseTo(0.4, 12);
    expect(exposure.difference).toBeCloseTo(0.8 - exposure.scaled!, 12);
    expect(turnover.own).toBe(metrics.turnover.value);
    // 200 of the 700 traded are in the second half of the run, which the benchmark covers. Annualised, the
    // turnover of this half is about 2 × 200 / 700 of the turnover of the run.
    const compared = turnover.benchmark! + turnover.difference!;
    expect(compared / turnover.own!).toBeGreaterThan(0.4);
    expect(compared / turnover.own!).toBeLessThan(0.7);
  });

  it('has no interval for few sessions, and no comparison without prices', () => {
    const few = sketch(0.003, 30);
    for (const row of benchmarkTable(few, computeMetrics(few)))
      expect([row.low, row.supports]).toEqual([null, null]);
    const alone = runRecord({ equity: [100, 110, 105] });
    const [first] = benchmarkTable(alone, computeMetrics(alone));
    expect(first).toMatchObject({ benchmark: null, scaled: null, difference: null });
    expect(first!.own).toBeCloseTo(0.05, 12);
  });
});

it('the regime of a session depends only on the previous close', () => {
  const returns = new Float64Array(400).fill(0.001);
  // Rises for 300 sessions, then falls. The regime of the first falling close depends on the rise before it.
  const market = Float64Array.from({ length: 400 }, (_, at) => (at < 300 ? 0.002 : -0.01));
  const found = regimesOf(returns, market, 250);
  if ('reason' in found) throw new Error(found.reason);
  const sessionsOf = (name: string) =>
    found.filter((one) => one.name.startsWith(name)).reduce((sum, one) => sum + one.sessions, 0);
  expect(sessionsOf('rising') + sessionsOf('falling')).toBe(200);
  expect(sessionsOf('rising')).toBeGreaterThan(100);
  for (const regime of found) expect(regime.own).toBeCloseTo(0.25, 12);
  expect(regimesOf(returns.subarray(0, 100), market.subarray(0, 100), 250)).toHaveProperty('reason');
});

it('the multiples of costs and the capacity of the account are reported', () => {
  const record = runRecord({
    cash: '1000',
    equity: [1000, 1100],
    prices: [[[10, 10, 10, 10, 500]], [[10, 10, 10, 10, 500]]],
    fills: [{ bar: 1, quantity: '5', price: '10.4', priceBeforeSlippage: '10', commission: '23' }],
  });
  const { steps, breakEven } = costMultiples(computeMetrics(record).costSteps)!;
  expect(steps.map(({ totalReturn }) => Math.round(totalReturn * 1e6) / 1e6)).toEqual([0.125, 0.1, 0.075, 0]);
  expect(breakEven).toBeCloseTo(5, 9);
  // 5 of 500 units are 1 %. Five times the account would use 5 % of the volume.
  const capacity = capacityOf(record);
  if ('reason' in capacity) throw new Error(capacity.reason);
  expect(capacity.steps.map(({ usual }) => Math.round(usual))).toEqual([1000, 5000, 10_000, 25_000]);
  expect(capacityOf(runRecord({ equity: [1, 2] }))).toEqual({ reason: 'nothing was traded' });
});
