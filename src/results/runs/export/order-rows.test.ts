import { expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import type { RunEvent } from '../../../engine/index.ts';
import { orderRows } from './order-rows.ts';

const order = (orderId: number, quantity?: string) => ({
  ...{ type: 'order_accepted', bar: 0, orderId, symbol: 'AAA', action: 'buy', orderType: 'limit' },
  ...(quantity === undefined ? {} : { quantity }),
});
const fill = (orderId: number, bar: number, quantity: string) => ({ orderId, bar, quantity, price: '10' });
const cancelled = (orderId: number, bar: number) => ({
  ...{ type: 'order_cancelled', bar, orderId, symbol: 'AAA', code: 'expired', message: `at ${bar}` },
});
const rejected = (orderId: number | null, bar: number) => ({
  ...{ type: 'order_rejected', bar, orderId, symbol: 'BBB', action: 'sell', code: 'no_cash', message: 'no' },
  remedy: 'less',
});

it('each order has its status, filled quantity and end', () => {
  const { bars, ...record } = runRecord({
    equity: [100, 101, 102],
    fills: [
      ...[fill(1, 1, '0.4'), fill(1, 2, '0.6'), fill(2, 1, '0.3'), fill(3, 1, '2'), fill(4, 1, '0.1')],
      fill(8, 1, '1'),
    ],
    events: [
      ...[order(1, '1'), order(2, '1'), order(3), order(4, '1'), order(5, '1'), order(6, '1'), order(7)],
      ...[order(8, '1'), cancelled(4, 2), cancelled(5, 2), rejected(6, 1), rejected(8, 2)],
      ...[rejected(null, 1), rejected(99, 9)],
    ] as unknown as RunEvent[],
  });
  const ends = orderRows({ ...record, bars }).map((row) => {
    const { endBar, endDate, endCode, endMessage } = row as Record<string, unknown>;
    return [row.orderId, row.date, row.status, row.filledQuantity, endBar, endDate, endCode, endMessage];
  });
  const [first, second, third] = bars.map(({ date }) => date);
  const none = [undefined, undefined, undefined, undefined];
  expect(ends).toEqual([
    [1, first, 'filled', '1', 2, third, undefined, undefined],
    [2, first, 'partly_filled', '0.3', ...none],
    [3, first, 'filled', '2', 1, second, undefined, undefined],
    [4, first, 'partly_filled', '0.1', 2, third, 'expired', 'at 2'],
    [5, first, 'cancelled', '0', 2, third, 'expired', 'at 2'],
    [6, first, 'refused', '0', 1, second, 'no_cash', 'no'],
    [7, first, 'resting', '0', ...none],
    [8, first, 'partly_filled', '1', 2, third, 'no_cash', 'no'],
    [null, second, 'refused', '0', 1, second, 'no_cash', 'no'],
    [99, undefined, 'refused', '0', 9, undefined, 'no_cash', 'no'],
  ]);
  expect(orderRows({ ...record, bars })[8]).toMatchObject({ bar: 1, symbol: 'BBB', action: 'sell' });
});
