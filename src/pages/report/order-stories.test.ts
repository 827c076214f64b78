import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../test/support/records.ts';
import type { RunEvent } from '../../engine/index.ts';
import { storiesOf } from './stories.ts';

const order = (orderId: number, own: object = {}) => ({
  ...{ type: 'order_accepted', bar: 0, orderId, symbol: 'A', action: 'buy', orderType: 'market', ...own },
});
const note = (bar: number, text: string) => ({ type: 'note', bar, text });
const call = (given: unknown, result: unknown, bar = 0) => ({
  ...{ type: 'tool_called', bar, sequence: 1, name: 'compute', arguments: given, result },
});
function stories(orderIds: readonly number[], events: readonly object[]) {
  const record = runRecord({
    equity: [100, 100, 100],
    fills: orderIds.map((orderId) => ({ bar: 1, orderId, quantity: '4', price: '4.5' })),
    events: events as RunEvent[],
  });
  return storiesOf(record, (bar) => bar * 60);
}

describe('the filled orders of a report', () => {
  it('are described by their size, type, prices and time in force', () => {
    const sizes = [
      { quantity: '5', notional: '9' },
      ...[
        { notional: '9' },
        { equityFraction: '0.5' },
        { targetQuantity: '-3' },
        { targetFraction: '0.25' },
        {},
      ],
      { orderType: 'stop_limit', limitPrice: '9', stopPrice: '8', timeInForce: 'DAY' },
    ];
    const { orders } = stories(
      [1, 2, 3, 4, 5, 6, 7],
      [...sizes.map((size, at) => order(at + 1, size)), order(8)],
    );
    expect(orders.map(({ text }) => text)).toEqual([
      ...['buy 5 A market', 'buy 9 in money A market', 'buy 0.5 of equity A market', 'buy to -3 A market'],
      ...['buy to 0.25 of equity A market', 'buy A market', 'buy A stop_limit limit 9 stop 8 DAY'],
    ]);
    const exit = order(1, { bar: 2, role: 'stop-loss', reason: 'fell' });
    expect(stories([1], [exit]).orders[0]).toEqual({
      ...{ id: 1, bar: 2, time: 120, text: 'buy A market', role: 'stop-loss', reason: 'fell' },
    });
    expect(stories([1], [order(1)]).orders[0]).toMatchObject({ role: '', reason: '' });
  });

  it('list their later adjustments, cancellations and rejections', () => {
    const event = (type: string, orderId: number | null, own: object = {}) => ({
      ...{ type, bar: 2, orderId, symbol: 'A', code: 'c', message: 'm', ...own },
    });
    const { orderEvents } = stories(
      [1],
      [
        event('order_adjusted', 1, { quantity: '10', stopPrice: '3' }),
        event('order_adjusted', 2, { quantity: '10' }),
        ...[event('order_cancelled', 1), event('order_rejected', 1), event('order_rejected', null)],
      ],
    );
    expect(orderEvents).toEqual([
      { id: 1, time: 120, text: 'changed by a split: quantity 10, stop 3' },
      { id: 1, time: 120, text: 'the rest was cancelled: m' },
      { id: 1, time: 120, text: 'the rest was refused: m' },
    ]);
  });
});

describe('the notes and tool calls on the bar of a filled order', () => {
  const decidedOf = (...events: readonly object[]) => stories([1], [order(1), ...events]).decided;

  it('show each tool call with its result, and a single text argument as plain text', () => {
    expect(
      decidedOf(
        ...[
          call({ code: ' df.close ' }, 5),
          call({ a: 'x', b: 1 }, { y: 1 }),
          call({ n: 1 }, null),
          call('x', 1),
        ],
        ...[call({ code: 'later' }, 1, 1), note(0, ' ')],
      ),
    ).toEqual([
      {
        ...{ bar: 0, words: '' },
        calls: [
          ...['compute(df.close) → 5', 'compute({"a":"x","b":1}) → {"y":1}', 'compute({"n":1}) → null'],
          'compute("x") → 1',
        ],
      },
    ]);
    expect(decidedOf()).toEqual([]);
  });

  it('are cut to 1,200 characters for a note and 500 for a call', () => {
    const [found] = decidedOf(
      note(0, 'x'.repeat(1194)),
      note(0, 'y'.repeat(1195)),
      call({ code: 'z'.repeat(500) }, 5),
    );
    const [first, second] = found!.words.split('\n\n');
    expect(first).toBe(`Note: ${'x'.repeat(1194)}`);
    expect(second).toBe(`Note: ${'y'.repeat(1194)} …`);
    expect(found!.calls).toEqual([`compute(${'z'.repeat(492)} …`]);
    expect(decidedOf(call({ code: 'z'.repeat(487) }, 5))[0]!.calls[0]).toHaveLength(500);
  });

  it('have at most 400,000 characters together', () => {
    // Each note has 1,000 characters with its label.
    const notes = Array.from({ length: 402 }, () => note(0, 'x'.repeat(994)));
    expect(decidedOf(...notes)[0]!.words.split('\n\n')).toHaveLength(400);
  });

  it('show the text of a role once if the decision repeats the text', () => {
    const usage = { input: 1, cached: 0, output: 1, reasoning: 0 };
    const spoke = { type: 'role_spoke', bar: 0, role: 'bear', text: 'Sell.', usage, cost: null };
    const made = (text: string) => ({ ...spoke, type: 'decision_made', text });
    expect(decidedOf(spoke, made('Sell.'))[0]!.words).toBe('bear: Sell.');
    expect(decidedOf(spoke, made('Buy.'))[0]!.words).toBe('bear: Sell.\n\nBuy.');
  });
});
