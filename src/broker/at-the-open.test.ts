import { describe, expect, it } from 'vitest';
import { Exchange, flat } from '../../test/support/exchange.ts';

describe('orders at the open', () => {
  it('an older purchase can use the proceeds of a sale of another symbol', () => {
    const exchange = new Exchange(
      { A: flat(100, 3), B: [...flat(50, 2), [61, 61, 61, 61]] },
      { cash: '1000' },
    ).next();
    exchange.broker.buy(10, { symbol: 'B', type: 'stop', stopPrice: 60 });
    exchange.broker.buy(10, { symbol: 'A' });
    exchange.next();
    exchange.broker.sell(10, { symbol: 'A' });
    exchange.next();
    expect(exchange.refusals).toEqual([]);
    expect(exchange.fills.slice(1)).toEqual(['2 sell 10 A @ 100', '2 buy 10 B @ 61']);
  });

  it('targets of several symbols are reached in any order, with the cash of the sales', () => {
    const exchange = new Exchange(
      { A: flat(100, 3), B: flat(50, 3) },
      { cash: '10000', commission: { model: 'rate', rate: 0.001 } },
    ).next();
    exchange.broker.submit({ action: 'target', symbol: 'B', targetFraction: 0.99 });
    exchange.next();
    exchange.broker.submit({ action: 'target', symbol: 'A', targetFraction: 0.45 });
    exchange.broker.submit({ action: 'target', symbol: 'B', targetFraction: 0.45 });
    exchange.next();
    expect(exchange.refusals).toEqual([]);
    expect(exchange.fills).toEqual([
      '1 buy 198 B @ 50 + 9.9',
      '2 sell 109 B @ 50 + 5.45',
      '2 buy 44 A @ 100 + 4.4',
    ]);
  });

  it('slippage determines whether a size in money only reduces a position', () => {
    // At the open of 100, a notional of 3,000 is 30 units, which is the whole position. At 90, after
    // slippage, it is 33 units, which opens a short.
    const exchange = new Exchange(
      { A: [...flat(100, 2), [100, 110, 90, 100]] },
      { cash: '10000', slippage: { model: 'fixed', amount: 10 } },
    ).next();
    exchange.broker.buy(30);
    exchange.next();
    exchange.broker.buy(5);
    exchange.broker.submit({ action: 'sell', notional: 3_000 });
    exchange.next();
    expect(exchange.fills.slice(1)).toEqual(['2 buy 5 A @ 110', '2 sell 33 A @ 90']);
  });

  it('an immediate-or-cancel close is cancelled if it cannot fill at the open', () => {
    const exchange = new Exchange({ A: flat(90, 3) }).next();
    exchange.broker.sell(1);
    exchange.next();
    exchange.broker.buy(1, { type: 'limit', limitPrice: 80, timeInForce: 'IOC' });
    exchange.broker.close({ type: 'limit', limitPrice: 80, timeInForce: 'IOC' });
    exchange.next();
    const ended = exchange.events.flatMap((event) =>
      event.type === 'order_cancelled' ? [event.orderId] : [],
    );
    expect(ended).toEqual([2, 3]);
  });
});
