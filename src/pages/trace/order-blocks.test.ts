import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../journal/index.ts';
import { blockOf } from './blocks.ts';
import { OrderLifecycles } from './order-lifecycles.ts';
import type { Block } from './step.ts';

const event = (type: string, fields: object = {}): JournalEvent =>
  ({ type, bar: 3, ...fields }) as JournalEvent;
const plain = { tone: 'plain', facts: [], texts: [], links: [] };

function lifecyclesOf(...events: readonly JournalEvent[]): OrderLifecycles {
  const lifecycles = new OrderLifecycles();
  for (const one of events) lifecycles.follow(one);
  return lifecycles;
}
const show = (one: JournalEvent, before: readonly JournalEvent[] = []): Block | undefined =>
  blockOf(one, { lifecycles: lifecyclesOf(...before), times: {} });

describe('the blocks of an order', () => {
  const accepted = (orderId: number, own: object = {}) =>
    event('order_accepted', {
      orderId,
      symbol: 'A',
      action: 'buy',
      orderType: 'market',
      quantity: '5',
      ...own,
    });
  const fill = (orderId: number, bar: number, own: object = {}) =>
    event('order_filled', { bar, orderId, symbol: 'A', side: 'buy', quantity: '5', price: '10', ...own });
  const closed = event('trade_closed', {
    ...{ bar: 8, id: 4, symbol: 'A', side: 'long', quantity: '5', entryBar: 4, entryTime: '2024-01-05' },
    ...{ entryPrice: '10', exitTime: '2024-01-09', exitPrice: '12', grossPnl: '10', commission: '1' },
    ...{ netPnl: '9', exitReason: 'target' },
  });
  const exit = accepted(2, { bar: 4, role: 'stop-loss', parentId: 1, action: 'sell', stopPrice: '8' });
  const history = [accepted(1), fill(1, 4), exit, fill(2, 8, { side: 'sell', price: '12' }), closed];

  it('show every term of the order', () => {
    const own = {
      ...{ orderType: 'stop_limit', limitPrice: '9', stopPrice: '8', limitOffset: '1', activationPrice: '7' },
      ...{ postOnly: true, timeInForce: 'GTC', validBars: 2, group: 'g', reason: 'cheap' },
    };
    expect(show(accepted(1, own))).toEqual({
      ...{ ...plain, kind: 'order', title: 'Order 1: buy A' },
      facts: [
        ...[
          ['Type', 'stop_limit'],
          ['Quantity', '5'],
          ['Limit', '9'],
          ['Stop', '8'],
          ['Limit beyond stop', '1'],
        ],
        ...[
          ['Wakes at', '7'],
          ['Post-only', 'yes'],
          ['In force', 'GTC'],
          ['Bars valid', '2'],
          ['Group', 'g'],
        ],
        ['Because', 'cheap'],
      ],
    });
    const sizes = {
      quantity: undefined,
      notional: '1',
      equityFraction: '2',
      targetQuantity: '3',
      targetFraction: '4',
    };
    expect(show(accepted(1, { ...sizes, postOnly: false }))!.facts).toEqual([
      ...[
        ['Type', 'market'],
        ['Notional', '1'],
        ['Fraction of equity', '2'],
        ['Target quantity', '3'],
      ],
      ['Target fraction', '4'],
    ]);
  });

  it('show the later events of the order', () => {
    expect(show(accepted(1), history)).toMatchObject({
      facts: [
        ...[
          ['Type', 'market'],
          ['Quantity', '5'],
        ],
        ['What became of it', 'accepted → filled 5 at 10 on bar 4'],
      ],
      links: [
        { text: 'fill on bar 4', bar: 4 },
        { text: 'trade 4 ended on bar 8, net 9', bar: 8 },
        { text: 'stop-loss 2 placed on bar 4', bar: 4 },
      ],
    });
    expect(show(exit, history)).toMatchObject({
      title: 'Order 2: stop-loss for A',
      links: [
        { text: 'order 1 placed on bar 3', bar: 3 },
        { bar: 8 },
        { text: 'trade 4 ended on bar 8, net 9' },
      ],
    });
    expect(show(accepted(1), [accepted(1)])!.facts.at(-1)).toEqual([
      'What became of it',
      'accepted → never filled by the end of the journal',
    ]);
    const refused = event('order_rejected', {
      bar: 5,
      orderId: 1,
      action: 'buy',
      symbol: 'A',
      message: 'no cash',
    });
    expect(show(accepted(1), [accepted(1), refused])).toMatchObject({
      tone: 'bad',
      facts: [[], [], ['What became of it', 'accepted → rejected on bar 5: no cash']].map((fact) =>
        fact.length === 0 ? expect.anything() : fact,
      ),
      links: [{ text: 'rejected on bar 5', bar: 5 }],
    });
  });

  it('show a rejection and a cancellation', () => {
    const words = { code: 'c', message: 'm', remedy: 'r', action: 'buy', symbol: 'A' };
    expect(show(event('order_rejected', { ...words, orderId: null }))).toEqual({
      ...{ ...plain, kind: 'order', title: 'Order refused: buy A', tone: 'bad' },
      facts: [
        ['Code', 'c'],
        ['Why', 'm'],
        ['What to do', 'r'],
      ],
    });
    expect(show(event('order_rejected', { ...words, orderId: 1 }), history)).toMatchObject({
      title: 'Order 1 refused: buy A',
      links: [{ text: 'order 1 placed on bar 3', bar: 3 }],
    });
    expect(show(event('order_cancelled', { ...words, orderId: 1 }), history)).toEqual({
      ...{ ...plain, kind: 'order', title: 'Order 1 cancelled: A' },
      facts: [
        ['Code', 'c'],
        ['Why', 'm'],
      ],
      links: [{ text: 'order 1 placed on bar 3', bar: 3 }],
    });
  });

  it('show a fill with its costs, and that it is ambiguous', () => {
    const costs = {
      priceBeforeSlippage: '9.9',
      commission: '1',
      cash: '50',
      reason: 'cheap',
      requestedQuantity: '6',
    };
    expect(show(fill(1, 4, costs), history)).toEqual({
      ...{ ...plain, kind: 'fill', title: 'Fill: buy 5 A at 10' },
      facts: [
        ...[
          ['Order', '1'],
          ['Requested, more than buying power carried', '6'],
          ['Before slippage', '9.9'],
        ],
        ...[
          ['Commission', '1'],
          ['Cash after', '50'],
          ['Because', 'cheap'],
        ],
      ],
      links: [
        { text: 'order 1 placed on bar 3', bar: 3 },
        { text: 'trade 4 ended on bar 8, net 9', bar: 8 },
      ],
    });
    const factsOf = (own: object) => show(fill(1, 4, own))!.facts;
    expect(factsOf({ priceBeforeSlippage: '10' })).toEqual([['Order', '1']]);
    const other = 'another outcome of the bar does not have it';
    expect(factsOf({ ambiguous: true })[1]).toEqual(['Ambiguous', other]);
    expect(factsOf({ ambiguous: true, gainIfOther: '3' })[1]).toEqual([
      ...['Ambiguous', `${other}; worse and better differ by 3`],
    ]);
  });

  it('show a closed trade with links to its other bars', () => {
    expect(show(closed, history)).toEqual({
      ...{ kind: 'trade', title: 'Trade 4 closed: long 5 A', tone: 'good', texts: [] },
      facts: [
        ...[
          ['Entry', '10 on 2024-01-05, bar 4'],
          ['Exit', '12 on 2024-01-09'],
          ['Gross', '10'],
        ],
        ...[
          ['Commission', '1'],
          ['Net', '9'],
          ['Exit because', 'target'],
        ],
      ],
      links: [
        { text: 'order on bar 3', bar: 3 },
        { text: 'entry on bar 4', bar: 4 },
      ],
    });
    const toneOf = (netPnl: string) => show({ ...closed, netPnl } as JournalEvent)!.tone;
    expect(['-1', '0', '0.1'].map(toneOf)).toEqual(['bad', 'plain', 'good']);
    expect(show(closed)!.links).toEqual([{ text: 'entry on bar 4', bar: 4 }]);
    const lifecycles = lifecyclesOf(accepted(1), fill(1, 4));
    lifecycles.trade({ ...closed, netPnl: '1' }, undefined);
    expect(blockOf(fill(1, 4), { lifecycles, times: {} })!.links[1]).toEqual({
      ...{ text: 'trade 4, entered on bar 4, open', bar: 4 },
    });
  });
});
