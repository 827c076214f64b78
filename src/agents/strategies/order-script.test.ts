import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/support/error-of.ts';
import { type RunEvent, runBacktest } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { checkScriptFits, orderScriptDecider, parseOrderScript } from './order-script.ts';

describe('parseOrderScript', () => {
  it('reads orders and account settings, and ignores notes of other tools', () => {
    const script = parseOrderScript(
      JSON.stringify({
        name: 'two orders',
        cash: 10000,
        commissionRate: 0.002,
        orders: [
          { bar: 3, side: 'buy', units: 10 },
          { bar: 5, side: 'close', type: 'market', reason: 'done' },
        ],
        data: 'GOOG.csv',
        seed: 4,
        kind: 'plain',
        expected: { fills: [] },
      }),
      'orders.json',
    );
    expect(script.orders).toEqual([
      { bar: 3, request: { action: 'buy', quantity: 10 } },
      { bar: 5, request: { action: 'close', type: 'market', reason: 'done' } },
    ]);
    expect(script).toMatchObject({ name: 'two orders', cash: 10000, commissionRate: 0.002 });
  });

  it('refuses a script of deeply nested brackets and reports its file', () => {
    const text = `{"orders": ${'['.repeat(3_000_000)}${']'.repeat(3_000_000)}}`;
    expect(() => parseOrderScript(text, 'deep.json')).toThrow(
      /deep\.json: not JSON: nested deeper than 100 levels/,
    );
  });

  it('reports every fault with its path', () => {
    const text = JSON.stringify({
      commissionRate: 2,
      orders: [
        { bar: -1, side: 'buy', units: 1 },
        { bar: 1.5, side: 'hold', units: [] },
        { side: 'buy', units: 1, type: 'iceberg' },
      ],
      extra: true,
    });
    const { code, message } = errorOf(() => parseOrderScript(text, 'orders.json'));
    expect(code).toBe('bad_order_script');
    expect(message).toMatch(/^orders\.json: \d+ faults\n/);
    for (const path of [
      'commissionRate',
      'orders[0].bar',
      'orders[1].bar',
      'orders[1].side',
      'orders[1].units',
      'orders[2].bar',
      'orders[2].type',
      'the script',
    ]) {
      expect(message).toContain(`  ${path}: `);
    }
    expect(message).toMatch(/orders\[2\]\.type: invalid value "iceberg". Expected market, limit/);
    expect(message).toMatch(/the script: .*extra/);
  });

  it('reports faults of settings with all other faults, and settings that are given twice', () => {
    const script = {
      cash: -5,
      commissionRate: 0.1,
      settings: { cash: 100, commission: { model: 'fixed', amount: 1 }, risk: { maxPositon: 1 } },
      orders: [{ bar: 0 }],
    };
    const { message } = errorOf(() => parseOrderScript(JSON.stringify(script), 'orders.json'));
    expect(message.split('\n')).toEqual([
      'orders.json: 5 faults',
      '  cash: must be a positive amount such as 100000 or 2500.50',
      '  orders[0]: needs one of side and action',
      '  settings.risk.maxPositon: unknown setting (did you mean maxPosition?)',
      '  cash: settings.cash sets the same value. Use one of them',
      '  commissionRate: settings.commission sets the same value. Use one of them',
    ]);
  });

  it.each(['', '{', '[1', 'orders: []', '\u0000'])('reports that %j is not JSON', (text) => {
    const { code, message } = errorOf(() => parseOrderScript(text, 'orders.json'));
    expect(code).toBe('bad_order_script');
    expect(message).toContain('orders.json: not JSON: ');
  });

  it.each(['null', '[]', '5', '"orders"', '{}', '{"orders":{}}'])('refuses %s', (text) => {
    expect(errorOf(() => parseOrderScript(text, 'orders.json')).code).toBe('bad_order_script');
  });
});

describe('exits on the wrong side of the entry price', () => {
  it('of an order with a price are reported before any data is read', () => {
    const orders = [
      { bar: 0, side: 'buy', units: 1, type: 'limit', limit: 90, stopLoss: 95 },
      { bar: 0, side: 'sell', units: 1, type: 'stop', stop: 95, takeProfit: { price: 96 } },
      { bar: 0, side: 'buy', units: 1, type: 'limit', limit: 90, stopLoss: 85, takeProfit: 95 },
      { bar: 0, side: 'buy', units: 1, stopLoss: 95 },
    ];
    const { code, message } = errorOf(() => parseOrderScript(JSON.stringify({ orders }), 'orders.json'));
    expect(code).toBe('bad_order_script');
    expect(message.split('\n')).toEqual([
      'orders.json: 2 faults',
      expect.stringContaining('orders[0].stopLoss: The stopLoss of 95 must be below the limit price of 90'),
      expect.stringContaining(
        'orders[1].takeProfit: The takeProfit of 96 must be below the stop price of 95',
      ),
    ]);
  });
});

describe('checkScriptFits', () => {
  it('reports each order after the end of the data and each unknown symbol', () => {
    const script = parseOrderScript(
      JSON.stringify({
        orders: [
          { bar: 9, side: 'buy', units: 1, symbol: 'A' },
          { bar: 10, side: 'buy', units: 1 },
          { bar: 99, side: 'buy', units: 1, symbol: 'C' },
        ],
      }),
      'orders.json',
    );
    expect(() => checkScriptFits(script, 'orders.json', 100, ['A', 'C'])).not.toThrow();
    const { code, message } = errorOf(() => checkScriptFits(script, 'orders.json', 10, ['A', 'B']));
    expect(code).toBe('bad_order_script');
    expect(message.split('\n')).toEqual([
      'orders.json: 3 faults',
      '  orders[1].bar: 10 is after the last bar, 9',
      '  orders[2].bar: 99 is after the last bar, 9',
      '  orders[2].symbol: unknown symbol C. Symbols: A, B',
    ]);
  });
});

describe('orders that every broker rejects', () => {
  const faultsOf = (...orders: unknown[]): string[] => {
    try {
      parseOrderScript(JSON.stringify({ orders }), 'orders.json');
      return [];
    } catch (error) {
      return String((error as Error).message).split('\n');
    }
  };
  const buy = { bar: 0, side: 'buy', units: 1 };

  it('are all reported before the run with their line and field', () => {
    expect(
      faultsOf(
        { ...buy, units: '0' },
        { ...buy, units: '-0' },
        { ...buy, units: 'NaN' },
        { bar: 0, side: 'buy', quantity: 0 },
        { ...buy, type: 'limit' },
        { ...buy, type: 'stop_limit', units: '0x10' },
        { ...buy, limit: 99 },
        { ...buy, notional: 500 },
        { bar: 0, side: 'sell' },
        {
          bar: 0,
          side: 'target',
          targetFraction: 1,
          type: 'limit',
          limitPrice: 5,
          stopLoss: { fraction: 2 },
        },
        { ...buy, units: -1, stop: 'x', trailAmount: 1 },
        { ...buy, type: 'limit', limit: '-0' },
        { ...buy, timeInForce: 'GTD' },
        { ...buy, timeInForce: 'DAY', validBars: 2 },
        { ...buy, type: 'market_on_close', timeInForce: 'FOK' },
      ).map((line) => line.replace(/ \(.*/, '').trim()),
    ).toEqual([
      'orders.json: 20 faults',
      'orders[0].units: The quantity is "0", which is not a positive number.',
      'orders[1].units: The quantity is "-0", which is not a positive number.',
      'orders[2].units: The quantity is "NaN", which is not a positive number.',
      'orders[3].quantity: The quantity is 0, which is not a positive number.',
      'orders[4].limitPrice: A limit order needs a limitPrice above 0; it is missing.',
      'orders[5].units: The quantity is "0x10", which is not a positive number.',
      'orders[5].limitPrice: A stop_limit order needs a limitPrice above 0; it is missing.',
      'orders[5].stopPrice: A stop_limit order needs a stopPrice above 0; it is missing.',
      'orders[6].limit: A market order does not allow limitPrice.',
      'orders[7].units: A buy needs exactly one of quantity, notional, equityFraction; given: quantity, notional.',
      'orders[8]: A sell needs a quantity.',
      'orders[9].type: A target order cannot have type limit, because its side is known only at the fill.',
      'orders[9].stopLoss: stopLoss has a fraction of 2, which is not a level above 0.',
      'orders[10].units: -1 is below 0: the action defines the side',
      'orders[10].stop: A market order does not allow stopPrice.',
      'orders[10].trailAmount: A market order does not allow a trail.',
      'orders[11].limit: A limit order needs a limitPrice above 0; it is "-0".',
      'orders[12].timeInForce: goodTill and timeInForce GTD require each other.',
      'orders[13].validBars: validBars cannot be combined with DAY.',
      'orders[14].timeInForce: A market_on_close order cannot be FOK, because FOK fills at the open or not at all.',
    ]);
  });

  it('with exits are checked against a stop-limit only if it has both prices', () => {
    const half = { ...buy, type: 'stop_limit', stop: 95, stopLoss: 99 };
    expect(faultsOf(half)).toEqual([
      'orders.json: 1 fault',
      '  orders[0].limitPrice: A stop_limit order needs a limitPrice above 0; it is missing. (Set a price above 0.)',
    ]);
    expect(faultsOf({ ...half, limit: 96 })).toEqual([
      'orders.json: 1 fault',
      expect.stringContaining('orders[0].stopLoss: The stopLoss of 99 must be below the stop price of 95'),
    ]);
  });

  it('include invalid replacements of an order', () => {
    const limit = { ...buy, type: 'limit', limit: 90, id: 'a' };
    expect(
      faultsOf(
        limit,
        { bar: 1, side: 'replace', order: 'a', limit: '0' },
        { bar: 2, side: 'replace', order: 'a', units: 'NaN' },
      ),
    ).toEqual([
      'orders.json: 2 faults',
      '  orders[1].limit: "0" is not a positive number',
      '  orders[2].units: "NaN" is not a positive number',
    ]);
    const toMarket = { bar: 2, side: 'replace', order: 'a', type: 'market' };
    const again = { bar: 1, side: 'replace', order: 'a', type: 'stop_limit', stop: 80 };
    expect(faultsOf(limit, again)).toEqual([]);
    expect(faultsOf(limit, again, toMarket)).toEqual([
      'orders.json: 2 faults',
      '  orders[2]: A market order does not allow limitPrice. (Remove the field, or use type limit.)',
      '  orders[2]: A market order does not allow stopPrice. (Remove the field, or use type stop.)',
    ]);
  });
});

describe('orderScriptDecider', () => {
  it('places orders at the close of their bar in the order of the script, and continues after a rejected order', async () => {
    const script = parseOrderScript(
      JSON.stringify({
        orders: [
          { bar: 2, side: 'close' },
          { bar: 1, side: 'buy', units: '3', symbol: 'B', reason: 'why not' },
          { bar: 1, side: 'sell', units: 1, symbol: 'A' },
          { bar: 1, side: 'buy', units: 0.5, symbol: 'A' },
          { bar: 3, side: 'buy', units: 1.5, symbol: 'A' },
        ],
      }),
      'orders.json',
    );
    const events: RunEvent[] = [];
    await runBacktest({
      market: simulateMarket({ seed: 1, bars: 6, symbols: ['A', 'B'] }),
      decider: orderScriptDecider(script),
      onEvent: (event) => events.push(event),
    });
    const story = events.flatMap((event) =>
      event.type === 'order_accepted' || event.type === 'order_filled'
        ? [`${event.bar} ${event.type} ${event.symbol} ${event.quantity ?? ''} ${event.reason ?? ''}`.trim()]
        : event.type === 'order_rejected'
          ? [`${event.bar} ${event.code}`]
          : [],
    );
    expect(story).toEqual([
      '1 order_accepted B 3 why not',
      '1 order_accepted A 1',
      '1 below_lot',
      '2 order_filled B 3 why not',
      '2 order_filled A 1',
      '2 order_accepted A',
      '3 order_filled A 1',
      '3 not_a_lot_multiple',
    ]);
  });
});

it('reports every goodTill that is not a date or has passed when its order is placed', () => {
  const day = 86_400_000;
  const clock = Float64Array.from([0, day, 2 * day]);
  const limit = { side: 'buy', units: 1, type: 'limit', limit: 5, timeInForce: 'GTD' };
  const orders = [
    { ...limit, bar: 0, goodTill: '1970-01-02', id: 'a' },
    { ...limit, bar: 2, goodTill: '1970-01-02' },
    { ...limit, bar: 1, goodTill: 'tomorrow' },
    { bar: 2, side: 'replace', order: 'a', goodTill: '1970-01-01' },
  ];
  const script = parseOrderScript(JSON.stringify({ orders }), 'orders.json');
  const { code, message } = errorOf(() => checkScriptFits(script, 'orders.json', 3, ['A'], 0, clock));
  expect(code).toBe('bad_order_script');
  expect(message).toContain(
    'orders[1].goodTill: goodTill is 1970-01-02, which is in the past: the current bar is of 1970-01-03.',
  );
  expect(message).toContain('orders[2].goodTill: goodTill is "tomorrow", which is not a date.');
  expect(message).toContain('orders[3].goodTill: goodTill is 1970-01-01');
  expect(message).not.toContain('orders[0]');
});
