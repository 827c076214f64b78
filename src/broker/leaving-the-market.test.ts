import { describe, expect, it } from 'vitest';
import { Exchange, flat } from '../../test/support/exchange.ts';
import { Exact } from '../kernel/index.ts';

const limit = { action: 'buy', quantity: 1, type: 'limit', limitPrice: 90 } as const;

describe('a symbol that leaves the market', () => {
  const leave = (why: 'delisting' | 'expiry', settings: ConstructorParameters<typeof Exchange>[1] = {}) => {
    const exchange = new Exchange(
      { A: flat(100, 6), B: flat(10, 6) },
      { commissionRate: 0.01, ...settings },
    ).next();
    exchange.broker.buy(5);
    exchange.broker.submit({ ...limit, symbol: 'B', limitPrice: 5 });
    exchange.next();
    exchange.broker.submit(limit);
    exchange.broker.leave(0, Exact.of(50), why);
    exchange.broker.leave(1, Exact.of(7), why);
    const cancels = exchange.events.flatMap((event) =>
      event.type === 'order_cancelled' ? [`${event.orderId} ${event.code}: ${event.message}`] : [],
    );
    const receipt = exchange.broker.buy(1);
    return { exchange, cancels, text: receipt.accepted ? '' : receipt.refusal.message };
  };

  it('has its orders cancelled and its position closed without costs', () => {
    const { exchange, cancels, text } = leave('delisting');
    expect(cancels).toEqual(['3 delisted: The symbol was delisted.', '2 delisted: The symbol was delisted.']);
    expect(exchange.fills).toEqual(['1 buy 5 A @ 100 + 5', '1 sell 5 A @ 50']);
    expect([exchange.cash, exchange.held, text]).toEqual(['9745', {}, 'A is delisted.']);
  });

  it('is named with its last trading day in rejections after its expiry', () => {
    const { cancels, text } = leave('expiry');
    expect(cancels[0]).toBe('3 contract_expired: The contract has expired.');
    expect(text).toBe('A has expired.');
    const dated = leave('expiry', { instruments: { A: { expiry: '1970-01-02' } } });
    expect(dated.text).toBe('A has expired: its last trading day was 1970-01-02.');
  });
});

describe('an insolvent account', () => {
  it('has its orders cancelled and its positions closed at their marks, with commission', () => {
    const exchange = new Exchange({ A: flat(100, 6), B: flat(10, 6) }, { commissionRate: 0.01 }).next();
    exchange.broker.buy(5);
    exchange.broker.sell(10, { symbol: 'B' });
    exchange.next();
    exchange.broker.submit(limit);
    exchange.broker.closeInsolvent();
    expect(exchange.broker.pending()).toEqual([]);
    expect(exchange.fills.slice(2)).toEqual(['1 sell 5 A @ 100 + 5', '1 buy 10 B @ 10 + 1']);
    expect([exchange.held, exchange.cash]).toEqual([{}, '9988']);
  });
});

describe('a broker that fills at the close', () => {
  it('fills new market orders immediately, and no other orders', () => {
    const exchange = new Exchange(
      { A: [...flat(100, 1), [100, 110, 100, 105]], B: [...flat(10, 1), null] },
      { fillOn: 'close' },
    );
    exchange.next();
    exchange.broker.buy(2, { symbol: 'B' });
    exchange.next();
    exchange.broker.buy(3);
    exchange.broker.submit({ action: 'target', targetQuantity: 3 });
    exchange.broker.submit({ ...limit, limitPrice: 200 });
    exchange.broker.buy(1, { symbol: 'B' });
    exchange.broker.fillAtClose();
    expect(exchange.fills).toEqual(['1 buy 3 A @ 105']);
    expect(exchange.broker.pending().map(({ id }) => id)).toEqual([1, 4, 5]);
    expect(exchange.events.at(-1)).toMatchObject({ type: 'order_cancelled', orderId: 3, code: 'at_target' });
    expect(exchange.broker.fillsAtClose).toBe(true);
    expect(new Exchange({ A: flat(1, 1) }).broker.fillsAtClose).toBe(false);
  });
});
