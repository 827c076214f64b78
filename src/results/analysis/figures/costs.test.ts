import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { decimal, Exact } from '../../../kernel/index.ts';
import {
  cashMoved,
  costStepSchema,
  costSteps,
  fillAmounts,
  meanExposure,
  pointValueOf,
  returnAfterModel,
  returnBefore,
  timeInMarket,
  tradingCosts,
  turnover,
} from './costs.ts';
import { equityColumns } from './equity.ts';

const fills = [
  { quantity: '2', price: '50.1', priceBeforeSlippage: '50', commission: '0.3' },
  { quantity: '2', price: '60', commission: '0.6', side: 'sell' },
  {
    ...{ quantity: '3', price: '9.9', priceBeforeSlippage: '10', commission: '0' },
    ...({ side: 'sell', rate: '1.5', multiplier: '4' } as const),
  },
] as const;
const texts = (amounts: object) =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, String(amount)]));

describe('the costs of fills', () => {
  const record = runRecord({ cash: '100', equity: [100, 101], fills });

  it('are exact, with slippage against the trader as a positive amount', () => {
    expect(record.fills.map((fill) => texts(fillAmounts(fill)))).toEqual([
      { commission: '0.3', slippage: '0.2', notional: '100.2' },
      { commission: '0.6', slippage: '0', notional: '120' },
      // 3 units × 4 × 1.5 = 18 per point. The price is 0.1 lower than before slippage.
      { commission: '0', slippage: '1.8', notional: '178.2' },
    ]);
    expect(texts(tradingCosts(record))).toEqual({
      commission: '0.9',
      slippage: '2',
      tradedNotional: '398.4',
    });
  });

  it('are negative for a price that is better than without slippage', () => {
    const better = { quantity: '2', price: '9', priceBeforeSlippage: '10' };
    const [bought, sold] = runRecord({ equity: [1, 1], fills: [better, { ...better, side: 'sell' }] }).fills;
    expect(String(fillAmounts(bought!).slippage)).toBe('-2');
    expect(String(fillAmounts(sold!).slippage)).toBe('2');
  });

  it('use the total commission of a complete journal', () => {
    expect(String(tradingCosts({ ...record, commissionPaid: '7.5' }).commission)).toBe('7.5');
    expect(String(tradingCosts({ ...record, commissionPaid: null }).commission)).toBe('0.9');
  });

  it('are converted by the multiplier and the exchange rate', () => {
    const value = (terms: Parameters<typeof pointValueOf>[1]) => String(pointValueOf(Exact.of('3'), terms));
    expect(value({})).toBe('3');
    expect(value({ multiplier: '50' })).toBe('150');
    expect(value({ rate: '0.5' })).toBe('1.5');
    expect(value({ rate: '0.5', multiplier: '50' })).toBe('75');
  });
});

const entry = (kind: string, amount: string) => ({
  ...{ type: 'cash_entry', bar: 1, kind, symbol: 'AAA', amount, cash: '0' },
});

it('cash movements are summed by kind', () => {
  const events = [
    ...[entry('dividend', '2'), entry('dividend', '0.5'), entry('borrow_fee', '-1'), entry('interest', '3')],
    ...[entry('margin_interest', '-4'), entry('funding', '-0.1'), entry('funding', '-0.2')],
  ] as never;
  expect(texts(cashMoved(runRecord({ equity: [1, 1], events })))).toEqual({
    ...{ dividend: '2.5', borrow_fee: '-1', interest: '3', margin_interest: '-4', funding: '-0.3' },
  });
  expect(texts(cashMoved(runRecord({ equity: [1] })))).toEqual({
    ...{ dividend: '0', borrow_fee: '0', interest: '0', margin_interest: '0', funding: '0' },
  });
});

it('the return before costs adds the costs to the final equity', () => {
  expect(returnBefore(decimal('4'), '106', decimal('100'))).toBe(0.1);
  expect(returnBefore(decimal('0'), '80', decimal('100'))).toBe(-0.2);
  expect(returnBefore(decimal('4'), undefined, decimal('100'))).toEqual({ reason: 'no bar was processed' });
});

describe('the position of a run', () => {
  it('is counted if the exposure is positive, or unknown with equity other than cash', () => {
    const share = (exposure: readonly (number | null)[], cashPath?: readonly number[]) =>
      timeInMarket(runRecord({ equity: exposure.map(() => 5), exposure, ...(cashPath && { cashPath }) }));
    expect(share([0, 0, 0])).toBe(0);
    expect(share([0, 0.001, 2, 0])).toBe(0.5);
    expect(share([null, null, 1, 0, 0], [5, 4, 5, 0, 5])).toBe(0.4);
    expect(share([])).toEqual({ reason: 'no bar was processed' });
  });

  it('has a mean exposure only if it is known at every bar', () => {
    const exposed = (exposure: readonly (number | null)[]) =>
      meanExposure(runRecord({ equity: exposure.map(() => 5), exposure }));
    expect(exposed([0, 0.5, 1.6])).toBeCloseTo(0.7, 12);
    expect(exposed([0, null, 1, null])).toEqual({ reason: 'equity was not positive on 2 of 4 bars' });
    expect(exposed([])).toEqual({ reason: 'no bar was processed' });
  });

  it('has a turnover of the traded notional per mean equity and year', () => {
    const columns = (equity: readonly number[]) =>
      equityColumns(
        runRecord({ cash: '100', equity, dates: ['2021-01-01', '2023-01-01'].slice(0, equity.length) }),
      );
    expect(turnover(decimal('600'), columns([100, 200]))).toBeCloseTo((4 * 365.25) / 730, 12);
    expect(turnover(decimal('600'), columns([100, 200]), 0.5)).toBe(8);
    expect(turnover(decimal('600'), columns([100, -100]))).toEqual({ reason: 'mean equity is not positive' });
    expect(turnover(decimal('600'), columns([100, -99]))).toBeGreaterThan(600);
    expect(turnover(decimal('600'), columns([100]))).toEqual({ reason: 'the run covers a single instant' });
    expect(turnover(decimal('600'), columns([]))).toEqual({ reason: 'no bar was processed' });
  });
});

describe('the steps from gross to net profit', () => {
  it('list every kind of cash movement that is not zero, with the return before and after it', () => {
    const events = [
      ...[entry('dividend', '1'), entry('borrow_fee', '-2'), entry('interest', '3')],
      ...[entry('margin_interest', '-4'), entry('funding', '-5')],
    ] as never;
    const record = runRecord({ cash: '100', equity: [100, 110], fills: [fills[0]], events });
    const steps = costSteps(record, tradingCosts(record));
    // The profit is 10. Without the costs of 0.5 and the movements of −7, the profit is 17.5.
    expect(steps).toEqual([
      { name: 'From prices', amount: '17.5', returnBefore: 0, returnAfter: 0.175 },
      { name: 'Commission', amount: '-0.3', returnBefore: 0.175, returnAfter: 0.172 },
      { name: 'Slippage', amount: '-0.2', returnBefore: 0.172, returnAfter: 0.17 },
      { name: 'Borrow fees', amount: '-2', returnBefore: 0.17, returnAfter: 0.15 },
      { name: 'Margin interest', amount: '-4', returnBefore: 0.15, returnAfter: 0.11 },
      { name: 'Funding', amount: '-5', returnBefore: 0.11, returnAfter: 0.06 },
      { name: 'Interest', amount: '3', returnBefore: 0.06, returnAfter: 0.09 },
      { name: 'Dividends', amount: '1', returnBefore: 0.09, returnAfter: 0.1 },
    ]);
    for (const step of steps) expect(costStepSchema.safeParse(step).success).toBe(true);
    expect(returnAfterModel(steps)).toBe(0.1);
  });

  it('show a return of zero without a sign', () => {
    const record = runRecord({ cash: '100', equity: [100] });
    for (const { returnBefore: before, returnAfter } of costSteps(record, tradingCosts(record)))
      expect([Object.is(before, 0), Object.is(returnAfter, 0)]).toEqual([true, true]);
  });

  it('end with the reason if the cost of the model is unknown', () => {
    const step = { name: 'Model tokens', amount: null, returnBefore: 0.1, returnAfter: null };
    expect(returnAfterModel([{ ...step, reason: 'no price' }])).toEqual({ reason: 'no price' });
    expect(returnAfterModel([step])).toEqual({ reason: 'the cost of the model is not known' });
    expect(returnAfterModel([{ ...step, returnAfter: 0 }])).toBe(0);
    expect(returnAfterModel([])).toEqual({ reason: 'no bar was processed' });
  });
});
