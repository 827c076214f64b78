import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { type RunEvent, runBacktest } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { checkScriptFits, orderScriptDecider, parseOrderScript } from './order-script.ts';

describe('cancel and replace lines of an order script', () => {
  const faultsOf = (...orders: unknown[]) =>
    errorOf(() => parseOrderScript(JSON.stringify({ orders }), 'orders.json')).message;

  it('use the id of the order, which does not change when the order is replaced', async () => {
    const limit = { side: 'buy', units: 10, type: 'limit', limit: 1 };
    const script = parseOrderScript(
      JSON.stringify({
        orders: [
          { bar: 0, ...limit, id: 'low' },
          { bar: 0, ...limit, units: 0.5, id: 'refused' },
          { bar: 1, action: 'replace', order: 'low', limit: 2, units: 5 },
          { bar: 2, action: 'cancel', order: 'low' },
          { bar: 3, action: 'cancel', order: 'low' },
          { bar: 3, action: 'replace', order: 'refused', units: 1 },
        ],
      }),
      'orders.json',
    );
    const events: RunEvent[] = [];
    await runBacktest({
      market: simulateMarket({ seed: 1, bars: 5 }),
      decider: orderScriptDecider(script),
      onEvent: (event) => events.push(event),
    });
    const story = events.flatMap((event) => {
      if (event.type === 'order_accepted')
        return [`${event.bar} ${event.orderId}: ${event.quantity} at ${event.limitPrice}`];
      if (event.type === 'order_cancelled') return [`${event.bar} ${event.orderId}: ${event.code}`];
      if (event.type === 'order_rejected') return [`${event.bar} ${event.code}`];
      return event.type === 'note' ? [`${event.bar} ${event.text}`] : [];
    });
    expect(story).toEqual([
      '0 1: 10 at 1',
      '0 below_lot',
      '1 1: replaced',
      '1 2: 5 at 2',
      '2 2: cancelled',
      expect.stringMatching(/^3 .*2/),
      '3 The order "refused" was refused: there is nothing to replace.',
    ]);
  });

  it('are refused with an unknown, later or duplicate id and with unused fields', () => {
    const buy = { bar: 2, side: 'buy', units: 1 };
    expect(
      faultsOf(
        { ...buy, id: 'entry' },
        { ...buy, id: 'entry' },
        { bar: 1, action: 'cancel', order: 'entry' },
      ),
    ).toBe(
      [
        'orders.json: 2 faults',
        '  orders[2].order: "entry" is placed only later',
        '  orders[1].id: "entry" is the id of orders[0] already',
      ].join('\n'),
    );
    expect(faultsOf({ ...buy, id: 'entry' }, { bar: 3, action: 'cancel', order: 'entri' })).toContain(
      'orders[1].order: no order has the id "entri" (did you mean entry?)',
    );
    const seen = faultsOf(
      { bar: 1, action: 'cancel' },
      { bar: 1, action: 'cancel', order: 'a', units: 1 },
      { bar: 1, action: 'replace', order: 'a', symbol: 'B' },
      { ...buy, order: 'a' },
    );
    expect(seen).toContain('orders[0].order: a cancel needs the id of an order placed before');
    expect(seen).toContain('orders[1].quantity: a cancel has no quantity');
    expect(seen).toContain('orders[2].symbol: a replace has no symbol');
    expect(seen).toContain('orders[3].order: belongs to cancel and replace');
  });

  it('report the accepted forms of an exit', () => {
    expect(faultsOf({ bar: 0, side: 'buy', units: 1, stopLoss: { percent: 5 } })).toContain(
      'orders[0].stopLoss: {"percent":5} is not a level. Expected a price, {"distance": 4}',
    );
  });
});

describe('rebalance lines of an order script', () => {
  const market = simulateMarket({ seed: 1, bars: 4, symbols: ['A', 'B'] });
  const faultsOf = (...orders: unknown[]) =>
    errorOf(() => parseOrderScript(JSON.stringify({ orders }), 'orders.json')).message;

  it('place one set of orders and report rejected orders', async () => {
    const orders = [
      { bar: 0, action: 'rebalance', weights: { A: 0.5, B: '0.25' }, reason: 'start' },
      { bar: 1, action: 'rebalance', weights: { B: 0.5 }, others: 'keep', cash: 0.1 },
      { bar: 2, action: 'rebalance', weights: { A: 0.8, B: 0.4 } },
    ];
    const script = parseOrderScript(JSON.stringify({ orders }), 'orders.json');
    const events: RunEvent[] = [];
    await runBacktest({
      market,
      decider: orderScriptDecider(script),
      onEvent: (event) => events.push(event),
    });
    const story = events.flatMap((event) => {
      if (event.type === 'order_accepted')
        return [`${event.bar} ${event.action} ${event.symbol} because ${event.reason}`];
      return event.type === 'note' ? [`${event.bar} ${event.text}`] : [];
    });
    expect(story).toEqual([
      '0 buy A because start',
      '0 buy B because start',
      '1 buy B because rebalance',
      '2 The rebalance was refused: The weights sum to 120 %, with short weights counted as positive. At most 100 % is allowed. Use weights such as {"AAPL": 0.4, "MSFT": 0.3}: fractions of the equity, with a sum of at most 1 together with cash.',
    ]);
  });

  it('are all checked before the run', () => {
    const line = { bar: 0, action: 'rebalance' };
    const message = faultsOf(
      { ...line, weights: { A: 'much' }, cash: 2, units: 3 },
      { ...line },
      { bar: 0, side: 'buy', units: 1, weights: { A: 1 } },
    );
    for (const fault of [
      'orders[0].quantity: a rebalance has no quantity',
      'orders[0]: The weight of A is "much", which is not a number.',
      'orders[0]: The cash is 200 %. Expected a value between 0 % and 100 %.',
      'orders[1]: The weights are undefined, which is not an object of weights by symbol.',
      'orders[2].weights: belongs to rebalance',
    ])
      expect(message).toContain(fault);
    const script = parseOrderScript(
      JSON.stringify({ orders: [{ ...line, weights: { A: 1, GOLD: 0 } }] }),
      'orders.json',
    );
    expect(() => checkScriptFits(script, 'orders.json', 4, ['A', 'B'])).toThrow(
      /weights\.GOLD: unknown symbol GOLD/,
    );
  });
});
