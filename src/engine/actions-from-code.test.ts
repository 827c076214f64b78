import { describe, expect, it } from 'vitest';
import { DAY } from '../kernel/index.ts';
import { type CorporateAction, simulateMarket } from '../market/index.ts';
import { runBacktest } from './run.ts';

const market = simulateMarket({ seed: 1, bars: 10, symbols: ['AAA'] });
const time = market.clock[4]!;
const SPLIT = { kind: 'split', to: '2', from: '1' };
const DIVIDEND = { kind: 'dividend', amount: '1' };
const run = (...actions: object[]) =>
  runBacktest({
    market,
    actions: actions.map((action) => ({ symbol: 'AAA', time, ...action }) as CorporateAction),
    decider: { decide: () => undefined },
  });

describe('corporate actions from code', () => {
  it.each([
    [{ kind: 'dividend', amount: '-5' }, 'amount is "-5": give an amount above 0'],
    [{ kind: 'dividend', amount: -5 }, 'amount is "-5": give an amount above 0'],
    [{ kind: 'dividend', amount: '1e-3' }, 'amount is "1e-3": give an amount above 0'],
    [{ kind: 'dividend' }, 'amount is empty: give an amount above 0'],
    [{ kind: 'dividend', amount: '1', time: Number.NaN }, 'time is NaN, which is not an instant'],
    [{ kind: 'split', to: '0', from: '1' }, 'ratio is "0:1": give a ratio such as 3:1'],
    [{ kind: 'split', to: '2', from: 'NaN' }, 'ratio is "2:NaN": give a ratio such as 3:1'],
    [{ kind: 'split', to: '2', from: '2.0' }, 'ratio is "2:2.0": it changes nothing'],
    [{ kind: 'split', to: '2', from: '1', amount: '1' }, 'amount is "1": belongs to another kind'],
    [{ kind: 'delisting', price: '-1' }, 'price is "-1": give a price of at least 0'],
    [{ kind: 'bonus' }, 'kind is "bonus": use dividend, split or delisting'],
  ])('are checked by the rules for files: %j', async (action, message) => {
    await expect(run(action)).rejects.toMatchObject({
      code: 'bad_actions',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['a split twice', [SPLIT, { ...SPLIT, to: '3' }], 'repeats the split of AAA'],
    ['one dividend twice', [DIVIDEND, DIVIDEND], 'repeats the dividend of AAA'],
    [
      'a dividend after a delisting',
      [{ kind: 'delisting' }, { ...DIVIDEND, time: time + DAY }],
      'AAA was already delisted',
    ],
  ])('are refused for the same contradictions as in a file: %s', async (_, actions, message) => {
    await expect(run(...actions)).rejects.toMatchObject({
      code: 'bad_actions',
      message: expect.stringContaining(message),
    });
  });

  it('may contain two different dividends on one day', async () => {
    expect(await run(DIVIDEND, { ...DIVIDEND, amount: '2' })).toMatchObject({ outcome: 'completed' });
  });

  it('are accepted if a file with them would be', async () => {
    expect(await run({ kind: 'dividend', amount: '0.00000001' })).toMatchObject({ outcome: 'completed' });
  });
});
