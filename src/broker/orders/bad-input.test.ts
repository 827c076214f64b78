import { describe, expect, it } from 'vitest';
import { Exchange, flat } from '../../../test/support/exchange.ts';
import type { OrderRequest } from './request.ts';

const NOT_AMOUNTS = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -1,
  0,
  -0,
  'abc',
  '',
  ' ',
  '0x10',
  '1_000',
  '1,5',
  'NaN',
  'Infinity',
  '-3',
  null,
  true,
  {},
  [],
  [5],
  Object.create(null),
] as const;
/** Valid numbers that are too large or too small for an account or a price. */
const EXTREMES = [1e308, '1e400', '1e-400', 1e-300, '9'.repeat(40), `0.${'0'.repeat(39)}1`] as const;

function refusalOf(request: unknown): { code: string; text: string; exchange: Exchange } | undefined {
  const exchange = new Exchange({ AAA: [...flat(100, 4), [100, 104, 96, 100], ...flat(100, 3)] })
    .next()
    .next();
  const receipt = exchange.broker.submit(request as OrderRequest);
  for (let bar = 0; bar < 5; bar++) exchange.next();
  const journal = JSON.stringify(exchange.events, (_, value: unknown) => {
    // `JSON.stringify` would write NaN and infinities as null, so the test would not detect them.
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('not a number in the journal');
    if (typeof value === 'string' && /^-?(NaN|Infinity|undefined)$/.test(value))
      throw new Error(`${value} in the journal`);
    return value;
  });
  expect(journal).not.toContain('[object');
  if (receipt.accepted) return undefined;
  const { code, message, remedy } = receipt.refusal;
  expect(remedy).not.toBe('');
  expect(exchange.refusals).toEqual([`1 ${code}`]);
  expect(exchange.fills).toEqual([]);
  return { code, text: `${message} ${remedy}`, exchange };
}

const wordOf = (value: unknown): string =>
  typeof value === 'object'
    ? JSON.stringify(value)
    : `${typeof value} ${Object.is(value, -0) ? '-0' : String(value)}`;

describe('an invalid amount is refused in every field', () => {
  for (const value of NOT_AMOUNTS) {
    it(wordOf(value), () => {
      for (const name of ['quantity', 'notional', 'equityFraction'])
        expect(refusalOf({ action: 'buy', [name]: value })?.code).toBe('bad_quantity');
      const order = { action: 'buy', quantity: 1 };
      expect(refusalOf({ ...order, type: 'limit', limitPrice: value })?.code).toBe('bad_price');
      expect(refusalOf({ ...order, type: 'stop', stopPrice: value })?.code).toBe('bad_price');
      expect(refusalOf({ ...order, type: 'trailing_stop', trailAmount: value })?.code).toBe('bad_price');
      expect(refusalOf({ ...order, type: 'trailing_stop', trailFraction: value })?.code).toBe('bad_price');
      for (const exit of ['stopLoss', 'takeProfit']) {
        expect(refusalOf({ ...order, [exit]: value })?.code).toBe('bad_price');
        for (const kind of ['price', 'distance', 'fraction', 'atr'])
          expect(refusalOf({ ...order, [exit]: { [kind]: value } })?.code).toBe('bad_price');
        expect(refusalOf({ ...order, [exit]: { atr: 1, length: value } })?.code).toBe('bad_price');
      }
      expect(refusalOf({ ...order, validBars: value })?.code).toBe('bad_order');
    });
  }

  it('a target may be zero or negative, but must be a number', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 'abc', '', null, {}, '0x10']) {
      expect(refusalOf({ action: 'target', targetQuantity: value })?.code).toBe('bad_quantity');
      expect(refusalOf({ action: 'target', targetFraction: value })?.code).toBe('bad_quantity');
    }
    for (const value of [0, -0, '-0'])
      expect(refusalOf({ action: 'target', targetQuantity: value })).toBeUndefined();
  });
});

describe('extreme numbers are refused or rest unchanged', () => {
  for (const value of EXTREMES) {
    it(wordOf(value), () => {
      expect(refusalOf({ action: 'buy', quantity: value })?.code).toMatch(/buying_power|below_lot|not_a_lot/);
      refusalOf({ action: 'sell', notional: value });
      refusalOf({ action: 'buy', equityFraction: value });
      refusalOf({ action: 'target', targetQuantity: value });
      refusalOf({ action: 'target', targetFraction: value });
      const order = { action: 'buy', quantity: 1 };
      for (const type of ['limit', 'stop', 'stop_limit'] as const) {
        const prices = {
          ...(type === 'stop' ? {} : { limitPrice: value }),
          ...(type === 'limit' ? {} : { stopPrice: value }),
        };
        refusalOf({ ...order, type, ...prices });
      }
      refusalOf({ ...order, type: 'trailing_stop', trailAmount: value });
      for (const kind of ['price', 'distance', 'fraction', 'atr'])
        refusalOf({ ...order, stopLoss: { [kind]: value }, takeProfit: { [kind]: value } });
    });
  }

  it('a price with more digits than the maximum is refused, one with trailing zeros is accepted', () => {
    const limit = (limitPrice: string) =>
      refusalOf({ action: 'buy', quantity: 1, type: 'limit', limitPrice });
    expect(limit(`99.${'1234567890'.repeat(4)}`)?.text).toContain('cannot be stored exactly');
    expect(limit(`99.50${'0'.repeat(36)}`)).toBeUndefined();
  });

  it('a price that the tick rounds to zero is refused', () => {
    const exchange = new Exchange({ AAA: flat(100, 3) }, { tick: 0.05 }).next();
    const receipt = exchange.broker.buy(1, { type: 'limit', limitPrice: 0.01 });
    expect(receipt.accepted).toBe(false);
    expect(exchange.refusals).toEqual(['0 bad_price']);
  });
});

describe('an invalid order is refused', () => {
  it('if it is not an object', () => {
    for (const value of [null, undefined, 5, 'buy', [], [{ action: 'buy', quantity: 1 }], () => 1])
      expect(refusalOf(value)?.code).toBe('bad_order');
  });

  it('if it has unknown words or names of inherited properties', () => {
    for (const action of [undefined, null, 'hold', '__proto__', 'constructor', 5, {}, Object.create(null)])
      expect(refusalOf({ action, quantity: 1 })?.code).toBe('bad_order');
    for (const type of [null, 'iceberg', 'toString', 5])
      expect(refusalOf({ action: 'buy', quantity: 1, type })?.code).toBe('bad_order');
    for (const timeInForce of [null, 'gtc', 'constructor', 1])
      expect(refusalOf({ action: 'buy', quantity: 1, timeInForce })?.code).toBe('bad_order');
    for (const symbol of ['ZZZ', '', '__proto__', 'constructor', 'aaa', 5, null, {}, Object.create(null)])
      expect(refusalOf({ action: 'buy', quantity: 1, symbol })?.code).toBe('unknown_symbol');
  });

  it('if it has unknown fields, also those that JSON can add', () => {
    for (const text of ['"id":1', '"__proto__":{"quantity":1}', '"constructor":1', '"qty":1', '"Quantity":1'])
      expect(refusalOf(JSON.parse(`{"action":"buy","quantity":1,${text}}`))?.code).toBe('bad_order');
    for (const exit of [
      '{"__proto__":1}',
      '{"constructor":1}',
      '{}',
      '{"price":99,"distance":1}',
      '{"length":3}',
      '{"price":99,"length":3}',
    ])
      expect(refusalOf(JSON.parse(`{"action":"buy","quantity":1,"stopLoss":${exit}}`))?.code).toBe(
        'bad_price',
      );
    expect(refusalOf({ action: 'buy', quantity: 1, stopLoss: { length: 14, atr: -2 } })?.code).toBe(
      'bad_price',
    );
  });

  it('if a field has the wrong type', () => {
    const order = { action: 'buy', quantity: 1 };
    for (const extra of [
      { reduceOnly: 'yes' },
      { reduceOnly: 1 },
      { group: '' },
      { group: 5 },
      { group: 'x'.repeat(101) },
    ])
      expect(refusalOf({ ...order, ...extra })?.code).toBe('bad_order');
    for (const reason of [5, {}, null]) expect(refusalOf({ ...order, reason })?.code).toBe('bad_order');
    expect(refusalOf({ ...order, reason: 'x'.repeat(501) })).toBeUndefined();
    for (const goodTill of [5, '', 'tomorrow', '2024-02-31', null])
      expect(refusalOf({ ...order, timeInForce: 'GTD', goodTill })?.code).toBe('bad_order');
  });

  it('if fields contradict each other', () => {
    const order = { action: 'buy', quantity: 1 };
    for (const [extra, code] of [
      [{ notional: 5 }, 'bad_quantity'],
      [{ equityFraction: 0.5 }, 'bad_quantity'],
      [{ targetQuantity: 5 }, 'bad_quantity'],
      [{ action: 'close' }, 'nothing_to_close|bad_quantity'],
      [{ limitPrice: 99 }, 'bad_order'],
      [{ type: 'stop', stopPrice: 99, limitPrice: 99 }, 'bad_order'],
      [{ trailAmount: 1 }, 'bad_order'],
      [{ type: 'trailing_stop', trailAmount: 1, trailFraction: 0.1 }, 'bad_price'],
      [{ timeInForce: 'GTD' }, 'bad_order'],
      [{ goodTill: '2024-01-05' }, 'bad_order'],
      [{ validBars: 2, timeInForce: 'DAY' }, 'bad_order'],
      [{ type: 'market_on_close', timeInForce: 'IOC' }, 'bad_order'],
      [{ type: 'market_on_close', timeInForce: 'FOK' }, 'bad_order'],
    ] as const) {
      expect(refusalOf({ ...order, ...extra })?.code).toMatch(new RegExp(`^(${code})$`));
    }
  });
});

describe('cancel and replace', () => {
  it('of an unknown order change nothing and report it', () => {
    const { broker } = new Exchange({ AAA: flat(100, 3) }).next();
    for (const id of [0, 99, -1, Number.NaN, Number.POSITIVE_INFINITY, '1', null, undefined, '__proto__']) {
      expect(broker.cancel(id as number)).toMatchObject({
        cancelled: false,
        refusal: { code: 'unknown_order' },
      });
      expect(broker.replace(id as number, { quantity: 2 })).toMatchObject({
        refusal: { code: 'unknown_order' },
      });
    }
  });

  it('with invalid changes leave the order unchanged', () => {
    const exchange = new Exchange({ AAA: flat(100, 4) }).next();
    exchange.broker.buy(2, { type: 'limit', limitPrice: 99 });
    for (const changes of [
      { limitPrice: Number.NaN },
      { quantity: 0 },
      { type: 'iceberg' },
      { limitPrice: null },
      { stopLoss: { atr: 1, length: 500 } },
      'abc',
    ]) {
      expect(exchange.broker.replace(1, changes as Partial<OrderRequest>).accepted).toBe(false);
    }
    expect(exchange.broker.pending().map(({ id }) => id)).toEqual([1]);
  });
});
