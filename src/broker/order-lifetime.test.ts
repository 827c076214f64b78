import { describe, expect, it } from 'vitest';
import { type Candle, Exchange, flat } from '../../test/support/exchange.ts';
import type { OrderRequest } from './orders/request.ts';

const limit = { action: 'buy', quantity: 1, type: 'limit', limitPrice: 90 } as const;

/** Returns the cancellations of a run without any fill, as `bar code`. */
function cancelled(request: object, candles: readonly Candle[] = flat(100, 7)): string[] {
  const exchange = new Exchange({ A: candles }).next();
  expect(exchange.broker.submit({ ...limit, ...request } as OrderRequest).accepted).toBe(true);
  for (let bar = 1; bar < candles.length; bar++) exchange.next();
  expect(exchange.fills).toEqual([]);
  return exchange.events.flatMap((event) =>
    event.type === 'order_cancelled' ? [`${event.bar} ${event.code}`] : [],
  );
}

describe('the life of an order that does not fill', () => {
  it('does not end by default', () => {
    expect(cancelled({})).toEqual([]);
  });

  it('ends after its day, its last date or its number of bars', () => {
    expect(cancelled({ timeInForce: 'DAY' })).toEqual(['2 expired']);
    expect(cancelled({ timeInForce: 'GTD', goodTill: '1970-01-04' })).toEqual(['4 expired']);
    expect(cancelled({ timeInForce: 'GTD', goodTill: '1970-01-04T00:00' })).toEqual(['4 expired']);
    expect([1, 2, 4].map((validBars) => cancelled({ validBars }))).toEqual([
      ['1 expired'],
      ['2 expired'],
      ['4 expired'],
    ]);
  });

  it('counts only bars in which its symbol trades', () => {
    const gap: Candle[] = [...flat(100, 2), null, null, ...flat(100, 3)];
    expect(cancelled({ validBars: 2 }, gap)).toEqual(['4 expired']);
    const silent: Candle[] = [...flat(100, 1), [100, 100, 100, 100, 0], ...flat(100, 3)];
    expect(cancelled({ timeInForce: 'DAY' }, silent)).toEqual(['3 expired']);
  });

  it('ends at the open or the close that its type or time in force selects', () => {
    expect(cancelled({ timeInForce: 'IOC' })).toEqual(['1 ioc']);
    expect(cancelled({ timeInForce: 'FOK' })).toEqual(['1 fok']);
    expect(cancelled({ type: 'limit_on_open' })).toEqual(['1 on_open']);
    expect(cancelled({ type: 'limit_on_close' })).toEqual(['1 on_close']);
  });
});

describe('an order larger than the volume', () => {
  const volume = (units: number): Candle => [100, 100, 100, 100, units];
  const run = (request: object): string[] => {
    const exchange = new Exchange(
      { A: flat(100, 1).concat([volume(100), volume(50), volume(100)]) },
      { participation: 0.1 },
    );
    exchange.next().broker.submit({ action: 'buy', quantity: 14, ...request } as OrderRequest);
    exchange.next().next().next();
    const ends = exchange.events.flatMap((event) =>
      event.type === 'order_cancelled' ? [`${event.bar} ${event.code}`] : [],
    );
    return [...exchange.fills, ...ends];
  };

  it('fills in parts over several bars, or only at the next open with IOC and FOK', () => {
    expect(run({})).toEqual(['1 buy 10 A @ 100', '2 buy 4 A @ 100']);
    expect(run({ timeInForce: 'IOC' })).toEqual(['1 buy 10 A @ 100', '1 ioc']);
    expect(run({ timeInForce: 'FOK' })).toEqual(['1 fok']);
    expect(run({ timeInForce: 'FOK', quantity: 10 })).toEqual(['1 buy 10 A @ 100']);
    expect(run({ quantity: 15 })).toEqual(['1 buy 10 A @ 100', '2 buy 5 A @ 100']);
    expect(run({ quantity: 16 })).toEqual(['1 buy 10 A @ 100', '2 buy 5 A @ 100', '3 buy 1 A @ 100']);
  });
});

describe('the events of an entry and its exits', () => {
  it('contain all prices, costs and quantities', () => {
    const exchange = new Exchange(
      {
        A: [
          [100, 100, 100, 100],
          [102, 110, 101, 105],
          [100, 101, 97, 99],
        ],
      },
      { slippageBps: 100, commissionRate: 0.001, instruments: { A: { multiplier: 2 } } },
    ).next();
    exchange.broker.buy(10, { reason: 'why', stopLoss: { distance: 5 }, takeProfit: { price: 130 } });
    exchange.next().next();
    const exit = { type: 'order_accepted', bar: 1, symbol: 'A', action: 'sell', quantity: '10', parentId: 1 };
    // 102 × 1.01 = 103.02, and 98.02 × 0.99 = 97.0398. One point is worth 2.
    const filled = { type: 'order_filled', symbol: 'A', quantity: '10', multiplier: '2' };
    expect(exchange.events).toEqual([
      {
        type: 'order_accepted',
        bar: 0,
        orderId: 1,
        symbol: 'A',
        action: 'buy',
        orderType: 'market',
        quantity: '10',
        reason: 'why',
      },
      {
        ...filled,
        bar: 1,
        orderId: 1,
        side: 'buy',
        price: '103.02',
        priceBeforeSlippage: '102',
        commission: '2.0604',
        cash: '7937.5396',
        reason: 'why',
      },
      { ...exit, orderId: 2, orderType: 'stop', stopPrice: '98.02', role: 'stop-loss' },
      { ...exit, orderId: 3, orderType: 'limit', limitPrice: '130', role: 'take-profit' },
      {
        ...filled,
        bar: 2,
        orderId: 2,
        side: 'sell',
        price: '97.0398',
        priceBeforeSlippage: '98.02',
        commission: '1.940796',
        cash: '9876.394804',
        reason: 'stop-loss',
      },
      {
        type: 'trade_closed',
        bar: 2,
        id: 1,
        symbol: 'A',
        side: 'long',
        quantity: '10',
        entryBar: 1,
        entryTime: '1970-01-02',
        entryPrice: '103.02',
        exitTime: '1970-01-03',
        exitPrice: '97.0398',
        grossPnl: '-119.604',
        commission: '4.001196',
        netPnl: '-123.605196',
        exitReason: 'stop-loss',
        multiplier: '2',
      },
      {
        type: 'order_cancelled',
        bar: 2,
        orderId: 3,
        symbol: 'A',
        code: 'position_closed',
        message: 'The position it belongs to is closed.',
      },
    ]);
  });
});

describe('the exits of a fill at 100', () => {
  /** Returns the exits of an entry as `type quantity price`. */
  const exitsOf = (action: 'buy' | 'sell', exits: object, quantity = 10): string[] => {
    const exchange = new Exchange({ A: flat(100, 3) }, { tick: 0.5 }).next();
    exchange.broker.submit({ action, quantity, ...exits } as OrderRequest);
    exchange.next();
    return exchange.broker
      .pending()
      .map(({ type, size, stopPrice, limitPrice, action: side, reduceOnly }) => {
        expect([side, reduceOnly]).toEqual([action === 'buy' ? 'sell' : 'buy', true]);
        return `${type} ${size.kind === 'units' ? size.units : ''} ${Number.isNaN(stopPrice) ? limitPrice : stopPrice}`;
      });
  };

  it('are above and below the entry, rounded to the tick away from the entry', () => {
    const exits = { stopLoss: { distance: 3.3 }, takeProfit: { fraction: 0.033 } };
    expect(exitsOf('buy', exits)).toEqual(['stop 10 96.5', 'limit 10 103.5']);
    expect(exitsOf('sell', exits)).toEqual(['stop 10 103.5', 'limit 10 96.5']);
    expect(exitsOf('buy', { stopLoss: 96.7, takeProfit: 103.3 })).toEqual(['stop 10 96.5', 'limit 10 103.5']);
  });

  it('that trail are not rounded to the tick', () => {
    const trail = { stopLoss: { distance: 3.3, trail: true } };
    expect(exitsOf('buy', trail)).toEqual(['trailing_stop 10 96.7']);
    expect(exitsOf('sell', trail)).toEqual(['trailing_stop 10 103.3']);
    expect(exitsOf('sell', { stopLoss: { fraction: 0.05, trail: true } })).toEqual(['trailing_stop 10 105']);
    expect(exitsOf('buy', { stopLoss: { distance: 3.3, trail: false } })).toEqual(['stop 10 96.5']);
  });

  it('with several targets have whole lots, and the last target gets the remaining units', () => {
    const targets = (quantity: number, ...shares: readonly (number | undefined)[]): string[] =>
      exitsOf(
        'buy',
        {
          takeProfit: shares.map((share, index) => ({
            price: 110 + index,
            ...(share === undefined ? {} : { share }),
          })),
        },
        quantity,
      ).map((text) => text.split(' ').slice(1).join(' '));
    expect(targets(10, 0.25, 0.25, undefined)).toEqual(['2 110', '2 111', '6 112']);
    expect(targets(5, 0.5, 0.5)).toEqual(['2 110', '3 111']);
    expect(targets(10, 0.3, 0.3)).toEqual(['3 110', '3 111']);
    expect(targets(3, 0.3, 0.3, undefined)).toEqual(['3 112']);
  });
});

describe('cancel and replace', () => {
  const exchange = new Exchange({ A: flat(100, 6) }).next();
  exchange.broker.buy(5, { stopLoss: 90 });
  exchange.next();
  const refusal = (receipt: object): string => {
    const { message, remedy } = (receipt as { refusal: { message: string; remedy: string } }).refusal;
    return `${message} ${remedy}`;
  };

  it('are refused for an order that is not resting, and replace also for an exit', () => {
    expect(exchange.broker.pending().map(({ id }) => id)).toEqual([2]);
    expect(refusal(exchange.broker.cancel(1))).toBe('Order 1 is not resting. Resting: 2.');
    expect(refusal(exchange.broker.replace(1, {}))).toBe('Order 1 is not resting. Resting: 2.');
    expect(refusal(exchange.broker.replace(2, { stopPrice: 95 }))).toBe(
      'Order 2 is an exit, and exits cannot be replaced. Cancel the exit and place another order.',
    );
    expect(exchange.broker.cancel(2)).toEqual({ cancelled: true });
    expect(refusal(exchange.broker.cancel(2))).toBe('Order 2 is not resting. No orders are resting.');
  });
});
