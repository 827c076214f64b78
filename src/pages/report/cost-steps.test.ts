import { describe, expect, it } from 'vitest';
import { type RecordSketch, runRecord } from '../../../test/support/records.ts';
import type { RunEvent } from '../../engine/index.ts';
import { computeMetrics, summarise } from '../../results/analysis/index.ts';
import { summaryText } from '../terminal/summary-text.ts';
import { reportPage } from './report-page.ts';

const FILLS = [
  { quantity: '2', price: '50.1', priceBeforeSlippage: '50', commission: '0.3' },
  { quantity: '2', price: '59.8', priceBeforeSlippage: '60', commission: '0.6', side: 'sell' as const },
];
// Equity grows from 100 to 118.5. Profit from prices is 20, minus 0.9 commission and 0.6 slippage. A dividend
// of 2 and a fee of 2 offset each other.
const RUN: RecordSketch = {
  cash: '100',
  equity: ['100', '110', '118.5'],
  fills: FILLS,
  events: [
    { type: 'cash_entry', bar: 1, kind: 'dividend', symbol: 'AAA', amount: '2', cash: '0' },
    { type: 'cash_entry', bar: 1, kind: 'borrow_fee', symbol: 'AAA', amount: '-2', cash: '0' },
  ],
};

/** Returns the event that configures a model, and one event of a model request for each cost. */
function asked(costs: readonly (string | null)[], price: { table: string } | null): RunEvent[] {
  const configured: RunEvent = {
    type: 'model_configured',
    bar: 0,
    model: 'm',
    provider: 'p',
    api: 'chat',
    tools: [],
    configuration: {},
    price,
  };
  const usage = { input: 10, cached: 0, output: 5, reasoning: 0 };
  return [
    configured,
    ...costs.map(
      (cost, round): RunEvent => ({
        type: 'model_called',
        bar: 0,
        sample: 1,
        round,
        attempt: 1,
        added: [],
        request: '',
        reply: {},
        usage,
        cost,
      }),
    ),
  ];
}

describe('the steps from gross to net', () => {
  it('add up exactly, each with the return before and after it', () => {
    const { costSteps } = computeMetrics(runRecord(RUN));
    expect(costSteps).toEqual([
      { name: 'From prices', amount: '20', returnBefore: 0, returnAfter: 0.2 },
      { name: 'Commission', amount: '-0.9', returnBefore: 0.2, returnAfter: 0.191 },
      { name: 'Slippage', amount: '-0.6', returnBefore: 0.191, returnAfter: 0.185 },
      { name: 'Borrow fees', amount: '-2', returnBefore: 0.185, returnAfter: 0.165 },
      { name: 'Dividends', amount: '2', returnBefore: 0.165, returnAfter: 0.185 },
    ]);
  });

  it('end with the model tokens, which are not part of the equity', () => {
    const metrics = computeMetrics(
      runRecord({ ...RUN, events: asked(['1.25', '0.25'], { table: '2026-01' }) }),
    );
    expect(metrics.costSteps.at(-1)).toEqual({
      name: 'Model tokens',
      amount: '-1.5',
      returnBefore: 0.185,
      returnAfter: 0.17,
    });
    expect(metrics.totalReturn.value).toBeCloseTo(0.185, 12);
    expect(metrics.returnAfterModel.value).toBe(0.17);
    const text = summaryText(
      summarise(runRecord({ ...RUN, events: asked(['1.25', '0.25'], { table: '2026-01' }) }), { runId: 'r' }),
      { width: 100, colour: false, ascii: false, equity: [] },
    );
    expect(text).toContain('Cost      $1.50; return after it 17.00%');
  });

  it.each([
    [[null], null, 'USD', 'the price of m is not known'],
    [['1', null], { table: '2026-01' }, 'USD', 'the tokens of some replies are not known'],
    [['1'], { table: '2026-01' }, 'EUR', 'tokens are paid in USD and the account is in EUR'],
  ])('report an unknown cost as null and never as zero: %j at %j in %s', (costs, price, currency, reason) => {
    const record = runRecord({ ...RUN, events: asked(costs, price) });
    const own = { ...record, started: { ...record.started, settings: { cash: '100', currency } } };
    const metrics = computeMetrics(own);
    expect(metrics.costSteps.at(-1)).toMatchObject({ amount: null, returnAfter: null, reason });
    expect(metrics.returnAfterModel).toMatchObject({ value: null, reason });
    const page = reportPage({ runId: 'r', record: own, manifest: undefined });
    expect(page).toContain(`Their cost is unknown: ${reason}.`);
  });

  it('are empty without a bar, and zero for the model in a run without one', () => {
    const empty = computeMetrics(runRecord({ cash: '100', equity: [] }));
    expect(empty.costSteps).toEqual([]);
    expect(empty.returnAfterModel.reason).toBe('no bar was processed');
    const plain = computeMetrics(runRecord({ ...RUN, events: [] }));
    expect(plain.returnAfterModel.value).toBeCloseTo(plain.totalReturn.value!, 12);
  });
});
