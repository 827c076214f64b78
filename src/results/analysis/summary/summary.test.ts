import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { benchmarkTable } from '../figures/benchmark-table.ts';
import { computeMetrics } from '../figures/metrics.ts';
import { summarise } from './summary.ts';
import { runSummarySchema } from './summary-schema.ts';

const dates = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04'];
const sketch = {
  cash: '100',
  equity: [100, 110, 99, 105],
  dates,
  symbols: ['A', 'B'],
  prices: dates.map((_, at) => [[1, 1, 1, 1 + at, 1] as const, [1, 1, 1, 2 + at * at, 1] as const]),
};
const record = runRecord(sketch);
const of = (run: RunRecord, options: Partial<Parameters<typeof summarise>[1]> = {}) =>
  summarise(run, { runId: 'r', ...options });

describe('the summary of a run', () => {
  it('names its benchmark, or has null if it is all symbols of the run', () => {
    const series = { times: dates.map(Date.parse), closes: [100, 101, 103, 102] };
    const names = [
      undefined,
      'B',
      { ...series, name: 'INDEX' },
      { ...series, name: 'B', held: true },
      { ...series, name: 'all symbols', held: true },
      { ...series, name: 'B' },
    ].map((benchmark) => of(record, benchmark === undefined ? {} : { benchmark }).benchmark);
    expect(names).toEqual([null, 'B', 'INDEX', 'B', null, 'B']);
  });

  it('states the first evaluated bar only if the figures omit bars', () => {
    const from = (date: string) => of(runRecord({ ...sketch, settings: { evaluateFrom: date } }));
    expect(from('2024-01-03')).toMatchObject({
      evaluatedFrom: '2024-01-03',
      firstBar: '2024-01-01',
      bars: 4,
    });
    expect(from('2024-01-01')).not.toHaveProperty('evaluatedFrom');
  });

  it('lists the ways of outside influence that the run and the machine leave open', () => {
    const sealed = { ...record, started: { ...record.started, openDoors: [] } };
    expect(of(sealed)).toMatchObject({ sealed: true, openDoors: [] });
    expect(of(sealed, { platformDoors: ['network'] })).toMatchObject({
      sealed: false,
      openDoors: ['network'],
    });
    const open = { ...sealed, started: { ...sealed.started, openDoors: ['files'] } };
    expect(of(open, { platformDoors: ['network'] }).openDoors).toEqual(['files', 'network']);
  });

  it('states the date of a drawdown halt and the number of daily loss stops', () => {
    const halt = (bar: number, code: string) => ({
      type: 'risk_halted',
      bar,
      code,
      limit: 0.1,
      from: '1',
      equity: '1',
    });
    const halted = (...halts: object[]) => of({ ...record, halts: halts as unknown as RunRecord['halts'] });
    expect(of(record)).toMatchObject({ drawdownHalt: null, dailyLossStops: 0 });
    expect(
      halted(
        halt(0, 'risk_daily_loss'),
        halt(1, 'risk_daily_loss'),
        halt(2, 'risk_drawdown'),
        halt(3, 'risk_drawdown'),
      ),
    ).toMatchObject({ drawdownHalt: '2024-01-03', dailyLossStops: 2 });
    expect(halted(halt(9, 'risk_drawdown')).drawdownHalt).toBeNull();
  });

  it('includes its rates, warnings, drawdowns and benchmark table', () => {
    const options = { riskFreeRate: 0.03, minimumAcceptableReturn: 0.05 };
    const stamped = { ...record, started: { ...record.started, stamps: ['same-bar fills'] } };
    const metrics = computeMetrics(stamped, options);
    const spine = benchmarkTable(stamped, metrics, options);
    const summary = of(stamped, { ...options, metrics, spine });
    expect(summary).toMatchObject({ ...options, stamps: ['same-bar fills'], symbols: ['A', 'B'], spine });
    expect(summary.drawdowns).toEqual([
      { start: '2024-01-02', trough: '2024-01-03', recovery: null, depth: expect.closeTo(-0.1, 12), days: 2 },
    ]);
    const recovered = of(runRecord({ ...sketch, equity: [100, 90, 100, 105] }));
    expect(recovered.drawdowns).toMatchObject([{ start: '2024-01-01', recovery: '2024-01-03', days: 2 }]);
    expect(of(record)).toMatchObject({ riskFreeRate: 0, minimumAcceptableReturn: 0, stamps: [] });
    expect(of(record)).not.toHaveProperty('spine');
  });

  it('counts fills, trades and rejections, and states reduced orders only if there are any', () => {
    const fill = { quantity: '1', price: '10', commission: '0.5', priceBeforeSlippage: '9' };
    const busy = runRecord({
      ...sketch,
      fills: [
        { ...fill, orderId: 1, requestedQuantity: '2', ambiguous: true, gainIfOther: '0.75' },
        { ...fill, orderId: 2 },
      ],
      trades: [{ netPnl: '3' }, { netPnl: '0' }, { netPnl: '-1' }],
    });
    const summary = of({ ...busy, rejections: [{}, {}] as never, uncoveredBars: 3, damage: ['a note'] });
    expect(summary).toMatchObject({
      reducedOrders: 1,
      ambiguousBars: 1,
      ambiguousFills: 1,
      ambiguityDifference: '0.75',
      uncoveredBars: 3,
      tradeCount: 3,
      breakevens: 1,
      bestTrade: '3',
      worstTrade: '-1',
      commissionPaid: '1',
      slippagePaid: '2',
      rejectedOrders: 2,
      finalEquity: '105',
      damage: ['a note'],
      modelCutoff: null,
    });
    expect(of(record)).not.toHaveProperty('reducedOrders');
    expect(of(record)).toMatchObject({ tradeCount: 0, breakevens: 0, commissionPaid: '0', bestTrade: null });
  });

  it('splits its figures at the cutoff of the model', () => {
    expect(of(record, { modelCutoff: '2024-01-02' }).modelCutoff).toMatchObject({
      date: '2024-01-02',
      before: { bars: 2 },
      after: { bars: 2 },
    });
  });

  it('must contain amounts as decimal strings and counts as whole numbers', () => {
    const summary = of(record);
    const accepts = (fields: object) => runSummarySchema.safeParse({ ...summary, ...fields }).success;
    expect(accepts({})).toBe(true);
    for (const finalEquity of ['1.', '1e3', '.5', '', '+1', 100])
      expect(accepts({ finalEquity })).toBe(false);
    for (const finalEquity of ['-1', '0.50', '12345678901234567890.1'])
      expect(accepts({ finalEquity })).toBe(true);
    for (const bars of [-1, 1.5, '1']) expect(accepts({ bars })).toBe(false);
    expect(accepts({ periodsPerYear: 0 })).toBe(false);
    expect(accepts({ unknown: 1 })).toBe(false);
    expect(accepts({ runId: '' })).toBe(false);
    expect(accepts({ verdict: { ...summary.verdict, because: [] } })).toBe(false);
  });
});
