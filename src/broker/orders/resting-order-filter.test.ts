import { describe, expect, it } from 'vitest';
import { Exchange, flat } from '../../../test/support/exchange.ts';

describe('bars that do not affect an order', () => {
  it('count against validBars', () => {
    const exchange = new Exchange({ A: [...flat(100, 6), [100, 100, 40, 60]] }).next();
    exchange.broker.buy(1, { type: 'limit', limitPrice: 50, validBars: 5 });
    exchange.broker.buy(1, { type: 'limit', limitPrice: 45, validBars: 6 });
    for (let bar = 1; bar <= 6; bar++) exchange.next();
    expect(exchange.fills).toEqual(['6 buy 1 A @ 45']);
    expect(exchange.events.flatMap((event) => (event.type === 'order_cancelled' ? [event.bar] : []))).toEqual(
      [5],
    );
  });

  it('are distinguished from bars that reach a price, on both sides', () => {
    const candles = [...flat(100, 4), [100, 120, 80, 100]] as const;
    const exchange = new Exchange({ A: candles }, { cash: '100000' }).next();
    exchange.broker.buy(10);
    exchange.next();
    exchange.broker.sell(1, { type: 'limit', limitPrice: 120 });
    exchange.broker.sell(2, { type: 'stop', stopPrice: 80 });
    exchange.broker.buy(3, { type: 'limit', limitPrice: 81 });
    exchange.broker.buy(4, { type: 'stop', stopPrice: 119 });
    exchange.next().next().next();
    expect(exchange.fills.slice(1).sort()).toEqual([
      '4 buy 3 A @ 81',
      '4 buy 4 A @ 119',
      '4 sell 1 A @ 120',
      '4 sell 2 A @ 80',
    ]);
  });

  it('are counted correctly after another order is cancelled or placed', () => {
    const exchange = new Exchange({ A: flat(100, 9) }).next();
    const first = exchange.broker.buy(1, { type: 'limit', limitPrice: 50, validBars: 4 });
    exchange.next().next();
    exchange.broker.buy(1, { type: 'limit', limitPrice: 50, validBars: 4 });
    for (let bar = 3; bar <= 8; bar++) exchange.next();
    expect(first.accepted).toBe(true);
    expect(
      exchange.events.flatMap((event) =>
        event.type === 'order_cancelled' ? [`${event.orderId} on ${event.bar}`] : [],
      ),
    ).toEqual(['1 on 4', '2 on 6']);
  });
});
