import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../journal/index.ts';
import { OrderLifecycles, partsOf, whoseEvent } from './order-lifecycles.ts';

const event = (type: string, bar: number, fields: object = {}): JournalEvent =>
  ({ type, bar, ...fields }) as JournalEvent;
const order = (orderId: number, bar: number, fields: object = {}) =>
  event('order_accepted', bar, { orderId, symbol: 'A', action: 'buy', ...fields });
const fill = (orderId: number, bar: number, quantity: string, fields: object = {}) =>
  event('order_filled', bar, { orderId, symbol: 'A', side: 'buy', quantity, price: '10', ...fields });
const closed = (id: number, bar: number, fields: object = {}) =>
  event('trade_closed', bar, {
    ...{ id, symbol: 'A', side: 'long', entryBar: 1, netPnl: '5', exitReason: 'target', ...fields },
  });
function follow(...events: readonly JournalEvent[]): OrderLifecycles {
  const lifecycles = new OrderLifecycles();
  for (const one of events) lifecycles.follow(one);
  return lifecycles;
}

describe('the history of an order', () => {
  it('contains its terms, fills, exits, trades and net profit', () => {
    const lifecycles = follow(
      order(1, 0, { quantity: '5', limitPrice: '11', stopPrice: '9', reason: 'cheap' }),
      fill(1, 1, '2'),
      fill(1, 1, '1.5', { price: '10.5' }),
      order(2, 1, { role: 'stop-loss', parentId: 1, action: 'sell', quantity: '3.5' }),
      event('order_cancelled', 2, { orderId: 1, message: 'expired' }),
      fill(2, 3, '3.5', { side: 'sell' }),
      closed(7, 3),
      closed(8, 3, { netPnl: '-1.25' }),
    );
    expect(lifecycles.orders.get(1)).toEqual({
      ...{ orderId: 1, placedBar: 0, symbol: 'A', role: '', parentId: undefined, side: 'buy', size: '5' },
      ...{ terms: 'from 9 on, at 11 or better', reason: 'cheap', units: [{ bar: 0, rest: '5' }] },
      quantity: '3.5',
      fills: [
        { bar: 1, quantity: '2', price: '10' },
        { bar: 1, quantity: '1.5', price: '10.5' },
      ],
      ...{ end: 'cancelled', endBar: 2, endText: 'expired', trades: [7, 8], net: '', exits: [2] },
    });
    expect(lifecycles.orders.get(2)).toMatchObject({
      ...{
        role: 'stop-loss',
        parentId: 1,
        side: 'sell',
        units: [],
        end: 'waiting',
        endBar: undefined,
        endText: '',
      },
      ...{ trades: [7, 8], net: '3.75', exits: [], terms: '' },
    });
  });

  it.each([
    [{ quantity: '5' }, '5'],
    [{ notional: '100' }, 'for 100'],
    [{ equityFraction: '0.123456789' }, '12.3457% of equity'],
    [{ targetQuantity: '-3' }, 'to -3'],
    [{ targetFraction: '0.5' }, 'to 50% of equity'],
    [{}, ''],
  ])('shows the size of an order with the fields %j', (fields, size) => {
    expect(follow(order(1, 0, fields)).orders.get(1)!.size).toBe(size);
  });

  it('has the side that follows from the position, until a fill shows the side', () => {
    const sideOf = (fields: object, ...before: JournalEvent[]) =>
      follow(...before, order(9, 5, { action: 'target', ...fields })).orders.get(9)!.side;
    const [long, short] = [fill(1, 1, '5'), fill(1, 1, '5', { side: 'sell' })];
    expect(sideOf({ action: 'buy' }, long)).toBe('buy');
    expect(sideOf({ action: 'sell' }, short)).toBe('sell');
    expect(sideOf({ action: 'close' }, long)).toBe('sell');
    expect(sideOf({ action: 'close' }, short)).toBe('buy');
    expect(sideOf({ action: 'close' })).toBe('sell');
    expect(sideOf({ targetQuantity: '6' }, long)).toBe('buy');
    expect(sideOf({ targetQuantity: '5' }, long)).toBe('sell');
    expect(sideOf({ targetQuantity: '4' }, long)).toBe('sell');
    expect(sideOf({ targetQuantity: '-6' }, short)).toBe('sell');
    expect(sideOf({ targetFraction: '0.1' }, long)).toBe('buy');
    expect(sideOf({ targetFraction: '-0.1' }, short)).toBe('sell');
    expect(sideOf({ targetFraction: '0' }, long)).toBe('sell');
    expect(sideOf({ targetFraction: '0' }, short)).toBe('buy');
    expect(sideOf({ symbol: 'B' }, short)).toBe('sell');
    const filled = follow(order(1, 0, { action: 'close' }), fill(1, 1, '5'));
    expect(filled.orders.get(1)!.side).toBe('buy');
  });

  it('omits orders without a number, and tolerates invalid quantities, in a damaged journal', () => {
    const lifecycles = follow(
      event('order_accepted', 0, { symbol: 'A' }),
      event('order_filled', 1, { symbol: 'A', quantity: '1' }),
      event('order_cancelled', 1),
      event('order_adjusted', 1),
      fill(3, 1, '1'),
    );
    expect([...lifecycles.orders, ...lifecycles.trades]).toEqual([]);
    const odd = follow(order(1, 0, { quantity: 'many' }), fill(1, 1, 'some'), closed(1, 1, { netPnl: 'x' }));
    expect(odd.orders.get(1)).toMatchObject({ units: [], quantity: 'some', net: 'x' });
  });
});

describe('the units of an order that are not filled yet', () => {
  const lifecycles = follow(
    order(1, 2, { quantity: '10' }),
    fill(1, 3, '4'),
    event('order_adjusted', 5, { orderId: 1, quantity: '12' }),
    fill(1, 5, '2'),
    event('order_cancelled', 7, { orderId: 1 }),
    order(2, 2, { quantity: '3' }),
    fill(2, 4, '3'),
    order(3, 2, { notional: '3' }),
  );
  const rests = (orderId: number) => [1, 2, 3, 4, 5, 6, 7, 8].map((bar) => lifecycles.toFillOn(bar, orderId));

  it('are the units after the last split minus later fills, until the order ends', () => {
    expect(rests(1)).toEqual([undefined, 10, 6, 6, 10, 10, undefined, undefined]);
    expect(rests(2)).toEqual([undefined, 3, 3, ...Array(5).fill(undefined)]);
    expect(rests(3)).toEqual(Array(8).fill(undefined));
    expect(rests(9)).toEqual(Array(8).fill(undefined));
  });
});

describe('the history of a trade', () => {
  it('has the bars on which its orders were placed and filled', () => {
    const lifecycles = follow(
      order(1, 0),
      order(2, 1),
      fill(1, 1, '1'),
      fill(2, 1, '1'),
      order(3, 4, { action: 'sell' }),
      fill(3, 6, '2', { side: 'sell' }),
      fill(4, 6, '2', { symbol: 'B' }),
    );
    const trade = {
      ...{ id: 7, symbol: 'A', side: 'long', entryBar: 1, exitBar: 6, netPnl: '5', exitReason: 'target' },
      bars: [0, 1, 4, 6],
    };
    expect(lifecycles.follow(closed(7, 6))).toEqual(trade);
    expect(lifecycles.follow(event('note', 6))).toBeUndefined();
    expect(lifecycles.trades.get(7)).toEqual(trade);
    expect([1, 2, 3].map((id) => lifecycles.orders.get(id)!.trades)).toEqual([[7], [7], [7]]);
    expect([1, 2, 3].map((id) => lifecycles.orders.get(id)!.net)).toEqual(['', '', '5']);
  });

  it('has no exit while it is open', () => {
    const lifecycles = follow(order(1, 0, { action: 'sell' }), fill(1, 1, '1', { side: 'sell' }));
    expect(
      lifecycles.trade({ id: 7, symbol: 'A', side: 'short', entryBar: 1, netPnl: '2' }, undefined),
    ).toEqual({
      ...{ id: 7, symbol: 'A', side: 'short', entryBar: 1, exitBar: undefined, netPnl: '2' },
      ...{ exitReason: 'open at the end', bars: [0, 1] },
    });
    expect(lifecycles.orders.get(1)).toMatchObject({ trades: [7], net: '' });
    expect(lifecycles.trade({}, undefined)).toMatchObject({ id: 0, entryBar: 0, bars: [0] });
  });
});

describe('the origin of an event', () => {
  it.each<[string, object, string]>([
    ...[
      'order_filled',
      'order_adjusted',
      'trade_closed',
      'risk_halted',
      'cash_entry',
      'split',
      'rolled',
      'delisted',
    ].map((type): [string, object, string] => [type, {}, 'market']),
    ...[
      ...['bar', 'decision_missed', 'run_started', 'features_known', 'context_known', 'documents_known'],
      ...['fundamentals_known', 'universe_changed'],
    ].map((type): [string, object, string] => [type, {}, 'neither']),
    ['order_accepted', {}, 'decider'],
    ['order_accepted', { role: 'stop-loss' }, 'market'],
    ['order_cancelled', { code: 'cancelled' }, 'decider'],
    ['order_cancelled', { code: 'replaced' }, 'decider'],
    ['order_cancelled', { code: 'expired' }, 'market'],
    ['order_rejected', { orderId: null }, 'decider'],
    ['order_rejected', { orderId: 4 }, 'market'],
    ['file_written', {}, 'decider'],
    ['file_written', { availableAt: '2024' }, 'neither'],
    ['tool_called', {}, 'decider'],
  ])('of %s with the fields %j is: %s', (type, fields, whose) => {
    expect(whoseEvent(event(type, 0, fields))).toBe(whose);
  });

  it('splits the events of a bar at the first event of the decider', () => {
    const [filled, note, later] = [fill(1, 1, '1'), event('note', 1), fill(2, 1, '1')];
    expect(partsOf([filled, note, later])).toEqual({ before: [filled], decided: [note, later] });
    expect(partsOf([filled, later])).toEqual({ before: [filled, later], decided: [] });
    expect(partsOf([])).toEqual({ before: [], decided: [] });
  });
});
