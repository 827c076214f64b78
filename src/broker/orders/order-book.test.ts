import { describe, expect, it } from 'vitest';
import { restingOrder } from '../../../test/support/resting-order.ts';
import { Exact } from '../../kernel/index.ts';
import { OrderBook } from './book.ts';
import { orderView } from './order.ts';
import { remainderOf } from './order-maker.ts';

const exact = (value: number | string): Exact => Exact.of(value);
const SYMBOLS = ['A', 'B'];

describe('the unfilled rest of an order', () => {
  const request = { action: 'buy', notional: 500, symbol: 'A' } as const;
  const filled = restingOrder({ filled: exact(4) });

  it('is requested in units once a part is filled', () => {
    expect(remainderOf(filled, request)).toEqual({ action: 'buy', symbol: 'A', quantity: '6' });
    expect(remainderOf(filled, { action: 'buy', equityFraction: 1 })).toEqual({
      action: 'buy',
      quantity: '6',
    });
    expect(remainderOf(restingOrder(), request)).toBe(request);
  });

  it('is the whole request for closes, targets and sizes in money', () => {
    for (const action of ['close', 'target'] as const)
      expect(remainderOf({ ...filled, action }, request)).toBe(request);
    const money = { ...filled, size: { kind: 'notional', notional: exact(500) } } as const;
    expect(remainderOf(money, request)).toBe(request);
  });
});

describe('the order book', () => {
  it('numbers orders from 1, and removes finished ones', () => {
    const events: unknown[] = [];
    const book = new OrderBook(SYMBOLS, (event) => events.push(event));
    expect([book.nextId, book.takeId(), book.takeId(), book.nextId]).toEqual([1, 1, 2, 3]);
    const orders = [1, 2, 3, 4].map((id) => restingOrder({ id, symbol: id % 2 }));
    book.orders.push(...orders);
    book.bar = 7;
    expect(book.find(3)).toBe(orders[2]);
    book.cancel(orders[0]!, 'expired', 'Over.');
    book.reject(orders[2]!, { code: 'buying_power', message: 'No.', remedy: 'Less.' });
    expect([book.find(1), book.find(3), book.find(9), book.find(2)]).toEqual([
      undefined,
      undefined,
      undefined,
      orders[1],
    ]);
    book.sweep();
    expect(book.orders.map(({ id }) => id)).toEqual([2, 4]);
    expect(events).toEqual([
      { type: 'order_cancelled', bar: 7, orderId: 1, symbol: 'B', code: 'expired', message: 'Over.' },
      {
        type: 'order_rejected',
        bar: 7,
        orderId: 3,
        symbol: 'B',
        action: 'buy',
        code: 'buying_power',
        message: 'No.',
        remedy: 'Less.',
      },
    ]);
  });
});

describe('the view of an order', () => {
  it('shows later changes, and cannot change the order', () => {
    const order = restingOrder({
      trail: { amount: 2 },
      targets: [{ distance: 3, share: 0.5 }],
      limitPrice: 5,
    });
    const view = orderView(order);
    expect(orderView(order)).toBe(view);
    order.limitPrice = 6;
    order.triggered = true;
    order.filled = exact(4);
    order.size = { kind: 'target-fraction', fraction: exact('0.5') };
    expect([view.limitPrice, view.triggered, `${view.filled}`]).toEqual([6, true, '4']);
    expect(view.size.kind === 'target-fraction' && `${view.size.fraction}`).toBe('0.5');
    expect([view.trail, view.targets, view.stopLoss]).toEqual([
      { amount: 2 },
      [{ distance: 3, share: 0.5 }],
      undefined,
    ]);
    expect(view.trail).not.toBe(order.trail);
    expect(Object.isFrozen(view)).toBe(true);
  });
});
