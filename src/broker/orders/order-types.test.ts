import { describe, expect, it } from 'vitest';
import { Exchange, flat } from '../../../test/support/exchange.ts';
import { requestFaults } from './exit-sides.ts';
import type { OrderRequest } from './request.ts';

const at100 = (): Exchange => new Exchange({ A: flat(100, 3) }).next();

function outcome(request: OrderRequest): string {
  const receipt = at100().broker.submit(request);
  return receipt.accepted ? 'accepted' : `${receipt.refusal.code}: ${receipt.refusal.message}`;
}

describe('required and optional fields of an order type', () => {
  const buy = { action: 'buy', quantity: 10 } as const;

  it.each<[string, OrderRequest, string]>([
    [
      'a trigger',
      { ...buy, type: 'market_if_touched' },
      'bad_price: A market_if_touched order needs a stopPrice',
    ],
    [
      'a limit',
      { ...buy, type: 'limit_if_touched', stopPrice: 95 },
      'bad_price: A limit_if_touched order needs a limitPrice',
    ],
    [
      'a limit on open',
      { ...buy, type: 'limit_on_open' },
      'bad_price: A limit_on_open order needs a limitPrice',
    ],
    [
      'no time of its own',
      { ...buy, type: 'limit_on_close', limitPrice: 99, timeInForce: 'DAY' },
      'bad_order: A limit_on_close order is valid for one close',
    ],
    [
      'no bars of its own',
      { ...buy, type: 'limit_on_open', limitPrice: 99, validBars: 3 },
      'bad_order: A limit_on_open order is valid for one open',
    ],
    [
      'an offset',
      { ...buy, type: 'trailing_stop_limit', trailAmount: 5 },
      'bad_price: A trailing_stop_limit needs a limitOffset of 0 or more; it is missing.',
    ],
    [
      'an offset that is none',
      { ...buy, type: 'trailing_stop_limit', trailAmount: 5, limitOffset: -1 },
      'bad_price: A trailing_stop_limit needs a limitOffset of 0 or more; it is -1.',
    ],
    [
      'no limit beside it',
      { ...buy, type: 'trailing_stop_limit', trailAmount: 5, limitOffset: 1, limitPrice: 90 },
      'bad_order: A trailing_stop_limit order does not allow limitPrice.',
    ],
    [
      'an offset elsewhere',
      { ...buy, type: 'trailing_stop', trailAmount: 5, limitOffset: 1 },
      'bad_order: A trailing_stop order does not allow limitOffset.',
    ],
    [
      'an activation elsewhere',
      { ...buy, type: 'limit', limitPrice: 95, activationPrice: 90 },
      'bad_order: A limit order does not allow activationPrice.',
    ],
    [
      'an activation of 0',
      { ...buy, type: 'trailing_stop', trailAmount: 5, activationPrice: 0 },
      'bad_price: The activationPrice is 0',
    ],
    [
      'post-only elsewhere',
      { ...buy, type: 'stop', stopPrice: 105, postOnly: true },
      'bad_order: A stop order cannot be postOnly.',
    ],
    [
      'post-only at once',
      { ...buy, type: 'limit', limitPrice: 95, postOnly: true, timeInForce: 'IOC' },
      'bad_order: An order cannot be both postOnly and IOC',
    ],
    [
      'a stop loss at a price that trails',
      { ...buy, stopLoss: { price: 95, trail: true } as never },
      'bad_price: stopLoss at a price cannot trail',
    ],
    [
      'a take profit that trails',
      { ...buy, takeProfit: { distance: 5, trail: true } },
      'bad_price: takeProfit cannot trail',
    ],
    ['no targets', { ...buy, takeProfit: [] }, 'bad_price: takeProfit has 0 targets.'],
    [
      'shares above one',
      {
        ...buy,
        takeProfit: [
          { price: 105, share: 0.6 },
          { price: 110, share: 0.5 },
        ],
      },
      'bad_quantity: The shares of the take profits sum to 1.1.',
    ],
    [
      'nothing left for the last',
      { ...buy, takeProfit: [{ price: 105, share: 1 }, { price: 110 }] },
      'bad_quantity: The shares of the take profits sum to 1 without the last.',
    ],
    [
      'a share for all but the last',
      { ...buy, takeProfit: [{ price: 105 }, { price: 110, share: 0.5 }] },
      'bad_quantity: takeProfit[0] has a share of undefined',
    ],
    [
      'targets on the winning side',
      { ...buy, takeProfit: [{ price: 105, share: 0.5 }, { price: 99 }] },
      'bad_price: The takeProfit[1] of 99 must be above the last close of 100',
    ],
    [
      'the trigger as the entry',
      { ...buy, type: 'market_if_touched', stopPrice: 95, stopLoss: 96 },
      'bad_price: The stopLoss of 96 must be below the trigger price of 95',
    ],
    [
      'a trail with a target',
      {
        ...buy,
        action: 'target',
        quantity: undefined,
        targetQuantity: 5,
        type: 'limit_if_touched',
        limitPrice: 99,
        stopPrice: 98,
      },
      'bad_order: A target order cannot have type limit_if_touched',
    ],
  ])('%s', (_, request, expected) => {
    expect(outcome(request)).toContain(expected);
  });

  it('accept complete orders', () => {
    const good: readonly OrderRequest[] = [
      { ...buy, type: 'market_if_touched', stopPrice: 95 },
      { ...buy, type: 'limit_if_touched', stopPrice: 95, limitPrice: 96 },
      { ...buy, type: 'trailing_stop_limit', trailFraction: 0.05, limitOffset: 0, activationPrice: 95 },
      { ...buy, type: 'limit_on_open', limitPrice: 101 },
      { ...buy, type: 'limit_on_close', limitPrice: 101 },
      { ...buy, type: 'limit', limitPrice: 99, postOnly: true, validBars: 3 },
      {
        ...buy,
        stopLoss: { fraction: 0.05, trail: true },
        takeProfit: [{ price: 105, share: '0.5' }, { distance: 9 }],
      },
    ];
    for (const request of good) expect([request, outcome(request)]).toEqual([request, 'accepted']);
  });

  it('are checked before a market exists', () => {
    const faults = requestFaults({
      action: 'buy',
      quantity: 1,
      type: 'trailing_stop_limit',
      trailAmount: 2,
      activationPrice: -1,
      takeProfit: [{ price: 105, share: 2 }],
    });
    expect(faults.map(({ field, refusal }) => [field, refusal.code])).toEqual([
      ['limitOffset', 'bad_price'],
      ['activationPrice', 'bad_price'],
      ['takeProfit', 'bad_quantity'],
    ]);
  });
});

describe('the public view of an order', () => {
  it('contains its trail, limit and activation price', () => {
    const exchange = at100();
    const receipt = exchange.broker.submit({
      action: 'sell',
      quantity: 10,
      type: 'trailing_stop_limit',
      trailAmount: 5,
      limitOffset: 1,
      activationPrice: 106,
    });
    if (!receipt.accepted) throw new Error(receipt.refusal.message);
    expect([receipt.order.stopPrice, receipt.order.limitPrice, receipt.order.activationPrice]).toEqual([
      Number.NaN,
      Number.NaN,
      106,
    ]);
  });
});
