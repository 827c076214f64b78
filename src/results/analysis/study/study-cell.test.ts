import { describe, expect, it } from 'vitest';
import { openTrade, runRecord } from '../../../../test/support/records.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { cellReturns, episodesOf, studyCell, studyCellSchema } from './cell.ts';

type Summary = Parameters<typeof studyCell>[1];

const activity = { orders: 7, toolErrors: 3, decisions: 2 };
const summary = {
  ...{ totalReturn: 0.1, sharpe: 1.5, maxDrawdown: -0.2, volatility: 0.3, tradeCount: 4 },
  ...{ exposure: 9, meanExposure: 0.6, turnover: 8, ambiguousFills: 5, model: null, activity },
} as unknown as Summary;

const fill = (bar: number, quantity: string, price: string, more: object = {}) => ({
  ...{ bar, quantity, price, commission: '0.5', ...more },
});
const sketch = {
  cash: '1000',
  equity: [1000, 1010, 1020, 990],
  fills: [
    fill(0, '2', '10', { priceBeforeSlippage: '9.5' }),
    fill(1, '3', '10', { side: 'sell', priceBeforeSlippage: '10.1', rate: '2', multiplier: '5' }),
    fill(3, '4', '10'),
    fill(9, '5', '10'),
  ],
  trades: [
    { symbol: 'B', netPnl: '1.5', bar: 3, entryBar: 1, entryPrice: '101', quantity: '2' },
    { symbol: 'A', netPnl: '-1', bar: 2, entryBar: 0, entryPrice: '50', side: 'short' as const },
  ],
  openTrades: [openTrade({ symbol: 'A', netPnl: '4', entryBar: 3, entryPrice: '99', quantity: '1' })],
};

describe('the data of a run in a study', () => {
  it('are its sessions, traded amounts, positions and counts', () => {
    const record = {
      ...runRecord(sketch),
      rejections: [{}, {}],
      toolCalls: [{}],
      decisions: [{ bar: 1 }],
      orders: [{ bar: 1, action: 'buy', symbol: 'A', quantity: '2' }],
    } as unknown as RunRecord;
    const cell = studyCell(record, summary);
    expect(cell).toEqual({
      outcome: 'completed',
      dates: ['2024-01-02', '2024-01-03', '2024-01-04'],
      equity: [1010, 1020, 990],
      start: 1000,
      periodsPerYear: 252,
      figures: {
        ...{ totalReturn: 0.1, sharpe: 1.5, maxDrawdown: -0.2, volatility: 0.3, tradeCount: 4 },
        ...{ exposure: 0.6, turnover: 8 },
      },
      // The fills of the first two bars belong to the first return: 2 × 10, and 3 × 2 × 5 × 10.
      traded: [320, 0, 40],
      paid: [expect.closeTo(5, 12), 0, 0.5],
      episodes: [
        { symbol: 'A', from: 0, to: 2, weight: -0.05 },
        { symbol: 'B', from: 1, to: 3, weight: 0.2 },
        { symbol: 'A', from: 3, to: 4, weight: 0.1 },
      ],
      bars: 4,
      profits: { A: 3, B: 1.5 },
      ...{ orders: 7, refused: 2, fills: 4, ambiguous: 5, toolCalls: 1, toolErrors: 3 },
      decisions: [{ bar: 1, date: '2024-01-02', action: 'buy A 2' }],
      model: null,
    });
    expect(Object.keys(cell.profits)).toEqual(['A', 'B']);
    expect(studyCellSchema.safeParse(cell).success).toBe(true);
  });

  it('begin at the initial cash if earlier bars are not evaluated', () => {
    const record = runRecord({
      ...sketch,
      settings: { evaluateFrom: '2024-01-03' },
      fills: [fill(2, '1', '7')],
    });
    expect(studyCell(record, summary)).toMatchObject({
      ...{ dates: ['2024-01-03', '2024-01-04'], equity: [1020, 990], start: 1000, bars: 2 },
      ...{ traded: [7, 0], paid: [0.5, 0] },
    });
    expect(studyCell(runRecord({ cash: '5', equity: [] }), summary)).toMatchObject({
      ...{ dates: [], equity: [], start: 5, bars: 0, traded: [], paid: [], episodes: [], profits: {} },
    });
  });

  it('include the first alarm of each kind, and forecasts if requested', () => {
    const alarm = (kind: string, nextStep: string) => ({
      kind,
      nextStep,
      count: 1,
      problem: '',
      meaning: '',
    });
    const alarms = [alarm('no_costs', 'a'), alarm('no_costs', 'b'), alarm('refusals', 'c')];
    const cell = studyCell(runRecord(sketch), { ...summary, alarms } as Summary, {
      ...{ field: 'sure', states: 'up', horizon: 1 },
    });
    expect(cell).toMatchObject({ forecasts: [], unusable: 0 });
    expect(cell.alarms).toEqual([
      { kind: 'no_costs', nextStep: 'a' },
      { kind: 'refusals', nextStep: 'c' },
    ]);
  });
});

describe('the usage of models in a study', () => {
  const usageOf = (changes: object, exchanges: readonly object[] = []) =>
    studyCell(
      { ...runRecord(sketch), exchanges } as unknown as RunRecord,
      { ...summary, ...changes } as Summary,
    ).model;

  it('is the sum over its requests, with the models that answered', () => {
    const model = { requests: 4, inputTokens: 100, outputTokens: 23, cost: '0.5' };
    const served = [{ model: 'm', fingerprint: 'f' }, { model: 'm' }, {}, { model: 'm', fingerprint: 'f' }];
    expect(usageOf({ model }, [{}, ...served.map((one) => ({ served: one }))])).toEqual({
      ...{ requests: 4, tokens: 123, cost: 0.5 },
      served: [
        { model: 'm', fingerprint: 'f' },
        { model: 'm', fingerprint: '' },
        { model: '', fingerprint: '' },
      ],
    });
    expect(usageOf({ model: { ...model, cost: null } })).toMatchObject({ cost: null, served: [] });
  });

  it('is taken from the agent, with a cost only if every decision reports a cost', () => {
    const agentSaid = {
      inputTokens: 10,
      cachedTokens: 1,
      outputTokens: 5,
      cost: '0.25',
      decisionsWithCost: 2,
    };
    const all = { requests: 2, tokens: 15, cost: 0.25, served: [] };
    expect(usageOf({ activity: { ...activity, agentSaid } })).toEqual(all);
    const some = { ...agentSaid, decisionsWithCost: 1 };
    expect(usageOf({ activity: { ...activity, agentSaid: some } })).toEqual({ ...all, cost: null });
    expect(usageOf({})).toBeNull();
  });
});

describe('the returns of a stored run', () => {
  it('are relative to the previous equity, and 0 after a total loss', () => {
    expect([...cellReturns({ start: 100, equity: [150, 75, 75] })]).toEqual([0.5, -0.5, 0]);
    expect([...cellReturns({ start: 100, equity: [0, 50, 100] })]).toEqual([-1, 0, 1]);
    expect([...cellReturns({ start: 100, equity: [-50, 50] })]).toEqual([-1, 0]);
    expect([...cellReturns({ start: 0, equity: [50] })]).toEqual([0]);
    expect([...cellReturns({ start: 100, equity: [] })]).toEqual([]);
  });
});

describe('periods with a position', () => {
  const lot = (symbol: string, entryBar: number, bar: number, changes: object = {}) => ({
    ...{ symbol, entryBar, bar, quantity: '10', side: 'long', entryPrice: '10', ...changes },
  });
  const episodes = (
    trades: readonly object[],
    openTrades: readonly object[] = [],
    equity: readonly string[] = ['1000', '500', '0'],
  ) =>
    episodesOf({
      ...{ trades, openTrades },
      bars: equity.map((value, at) => ({ bar: 20 + at, equity: value })),
    } as unknown as RunRecord);

  it('have the entry value as a share of the equity, negative for a short position', () => {
    expect(episodes([lot('A', 20, 21)])).toEqual([{ symbol: 'A', from: 0, to: 1, weight: 0.1 }]);
    expect(episodes([lot('A', 21, 22, { side: 'short' })])).toEqual([
      { symbol: 'A', from: 1, to: 2, weight: -0.2 },
    ]);
    expect(episodes([lot('A', 20, 21, { entryRate: '0.5', multiplier: '4' })])[0]!.weight).toBe(0.2);
    // Equity is 0 at the entry.
    expect(episodes([lot('A', 22, 22)])).toEqual([]);
    expect(episodes([], [lot('A', 20, 0)])).toEqual([{ symbol: 'A', from: 0, to: 3, weight: 0.1 }]);
    expect(episodes([], [lot('A', 20, 0)], [])).toEqual([]);
  });

  it('are limited to the bars of the record', () => {
    expect(episodes([lot('A', 5, 21)])).toEqual([{ symbol: 'A', from: 0, to: 1, weight: 0.1 }]);
    expect(episodes([lot('A', 29, 30)], [], ['1000', '200'])).toEqual([
      { symbol: 'A', from: 9, to: 10, weight: 0.5 },
    ]);
  });

  it('are sorted by entry, exit and symbol', () => {
    const found = episodes(
      [lot('C', 21, 22), lot('B', 20, 22), lot('D', 20, 21), lot('A', 20, 22)],
      [lot('A', 20, 0)],
    );
    expect(found.map(({ symbol, from, to }) => `${symbol} ${from} ${to}`)).toEqual([
      ...['D 0 1', 'A 0 2', 'B 0 2', 'A 0 3', 'C 1 2'],
    ]);
  });
});

it('stored counts are whole numbers from 0 on', () => {
  const { bars, orders, decisions, forecasts } = studyCellSchema.shape;
  for (const count of [0, 1, 500]) {
    expect(bars.safeParse(count).success && orders.safeParse(count).success).toBe(true);
    expect(decisions.safeParse([{ bar: count, date: '', action: '' }]).success).toBe(true);
    expect(forecasts.safeParse([{ at: count, probability: 0.5, came: false }]).success).toBe(true);
  }
  for (const wrong of [-1, 0.5]) expect(bars.safeParse(wrong).success).toBe(false);
});
