import { expect, it } from 'vitest';
import { runRecord } from '../../../test/support/records.ts';
import type { RunEvent } from '../../engine/index.ts';
import { storiesOf } from './stories.ts';

const spoke = (role: string, step: number, text: string) =>
  ({
    type: 'role_spoke',
    bar: 0,
    sample: 1,
    role,
    step,
    outcome: 'answered',
    rounds: 1,
    toolCalls: 0,
    text,
    usage: { input: 1, cached: 0, output: 1, reasoning: 0 },
    cost: null,
  }) as const;

const EVENTS = [
  {
    type: 'order_accepted',
    bar: 0,
    orderId: 1,
    symbol: 'AAA',
    action: 'buy',
    orderType: 'limit',
    quantity: '5',
    limitPrice: '9',
    timeInForce: 'GTC',
  },
  { type: 'note', bar: 0, text: 'It looks cheap.' },
  spoke('analyst', 0, 'Prices fell.'),
  spoke('trader', 1, 'Buy five.'),
  { ...spoke('trader', 1, 'Buy five.'), type: 'decision_made' },
  { type: 'note', bar: 1, text: 'Nothing was ordered here.' },
  { type: 'order_adjusted', bar: 1, orderId: 1, symbol: 'AAA', quantity: '10', limitPrice: '4.5' },
  {
    type: 'order_cancelled',
    bar: 2,
    orderId: 1,
    symbol: 'AAA',
    code: 'expired',
    message: 'Its day is over.',
  },
] as unknown as RunEvent[];

it('shows notes, the words of each role, and the outcome of an order with its fills', () => {
  const record = runRecord({
    equity: [100, 100, 100],
    fills: [{ bar: 1, orderId: 1, quantity: '4', price: '4.5' }],
    events: EVENTS,
  });
  const { orders, orderEvents, decided } = storiesOf(record, (bar) => bar * 60);
  expect(orders.map(({ id, text }) => [id, text])).toEqual([[1, 'buy 5 AAA limit limit 9 GTC']]);
  expect(decided).toEqual([
    { bar: 0, words: 'Note: It looks cheap.\n\nanalyst: Prices fell.\n\ntrader: Buy five.', calls: [] },
  ]);
  expect(orderEvents).toEqual([
    { id: 1, time: 60, text: 'changed by a split: quantity 10, limit 4.5' },
    { id: 1, time: 120, text: 'the rest was cancelled: Its day is over.' },
  ]);
});
