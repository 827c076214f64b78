import { describe, expect, it } from 'vitest';
import { type CorporateAction, simulateMarket } from '../market/index.ts';
import { runBacktest } from './run.ts';

const market = simulateMarket({ seed: 1, bars: 10, symbols: ['AAA'] });
const time = market.clock[4]!;
const run = (action: object) =>
  runBacktest({
    market,
    actions: [{ symbol: 'AAA', time, ...action } as CorporateAction],
    decider: { decide: () => undefined },
  });

describe('corporate actions from code', () => {
  it.each([
    [{ kind: 'dividend', amount: '-5' }, 'amount is -5, no amount above 0'],
    [{ kind: 'dividend', amount: -5 }, 'amount is -5, no amount above 0'],
    [{ kind: 'dividend' }, 'amount is undefined, no amount above 0'],
    [{ kind: 'split', to: '0', from: '1' }, 'to is 0, no amount above 0'],
    [{ kind: 'split', to: '2', from: 'NaN' }, 'from is NaN, no amount above 0'],
    [{ kind: 'delisting', price: '-1' }, 'price is -1, no price of at least 0'],
  ])('are held to the rules of a file: %j', async (action, message) => {
    await expect(run(action)).rejects.toMatchObject({
      code: 'bad_actions',
      message: expect.stringContaining(message),
    });
  });

  it('pass where a file would', async () => {
    expect(await run({ kind: 'dividend', amount: '0.00000001' })).toMatchObject({ outcome: 'completed' });
  });
});
