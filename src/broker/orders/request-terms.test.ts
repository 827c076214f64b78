import { describe, expect, it } from 'vitest';
import { instrumentsOf } from '../settings/instruments.ts';
import { brokerSettingsSchema } from '../settings/settings.ts';
import { requestFaults } from './exit-sides.ts';
import { badTerms, readPrice, readTerms, scanRequest, targetTypeRefusal } from './read-request.ts';
import { ORDER_TYPES, type OrderRequest, TIMES_IN_FORCE } from './request.ts';

const order = { action: 'buy', quantity: 1 } as const;

describe('the classification of a request', () => {
  const scan = (request: unknown): string => {
    const found = scanRequest(request as OrderRequest);
    return typeof found === 'string' ? found : `${found.message} ${found.remedy}`;
  };

  it('is "plain" for market orders with common fields only, and "full" for other orders', () => {
    expect(scan(order)).toBe('plain');
    expect(scan({ ...order, type: 'market', symbol: 'A', reason: 'why' })).toBe('plain');
    expect(scan({ action: 'close' })).toBe('plain');
    expect(scan({ action: 'buy', equityFraction: 1 })).toBe('plain');
    expect(scan({ ...order, type: 'limit', limitPrice: 5 })).toBe('full');
    expect(scan({ ...order, type: 'market_on_close' })).toBe('full');
    expect(scan({ action: 'buy', notional: 5 })).toBe('full');
    expect(scan({ ...order, stopLoss: 5 })).toBe('full');
  });

  it('reports unknown fields, and suggests the field for names that other programs use', () => {
    const fields = / Fields: action, symbol, quantity, notional, /;
    expect(scan({ action: 'buy', qty: 1 })).toMatch(
      /^Unknown field qty of an order\. Did you mean quantity\? Fields/,
    );
    expect(scan({ side: 'buy', price: 5 })).toMatch(
      /^Unknown fields side, price of an order\. Did you mean action, limitPrice\?/,
    );
    expect(scan({ ...order, limitPrise: 5 })).toMatch(/Did you mean limitPrice\?/);
    expect(scan({ ...order, zzzzzzzz: 5 })).toMatch(/^Unknown field zzzzzzzz of an order\. Fields: /);
    expect(scan({ ...order, qty: 1 })).toMatch(fields);
    expect(scan({ ...order, constructor: 1 })).toMatch(/^Unknown field constructor of an order\./);
  });

  it('reports unknown actions and order types, and a reason that is not a text', () => {
    expect(scan({ action: 'hold' })).toBe('Unknown action hold. Use one of: buy, sell, close, target.');
    expect(scan({ ...order, type: 5 })).toMatch(/^Unknown order type 5\. Use one of: market, limit, /);
    expect(scan({ ...order, reason: 5 })).toBe('The reason must be a text. It is 5. Use a short text.');
    expect(scan([])).toMatch(/^An order must be an object\./);
    expect(scan(null)).toMatch(/^An order must be an object\./);
  });
});

describe('the terms of an order type', () => {
  const fault = (more: object): string | undefined =>
    badTerms({ ...order, ...more } as OrderRequest)?.message;

  it('allow every time in force except where it contradicts the type', () => {
    const refused = ORDER_TYPES.flatMap((type) =>
      TIMES_IN_FORCE.filter((timeInForce) => fault({ type, timeInForce }) !== undefined).map(
        (timeInForce) => `${type} ${timeInForce}`,
      ),
    );
    expect(refused).toEqual([
      'market_on_close IOC',
      'market_on_close FOK',
      ...['limit_on_open', 'limit_on_close'].flatMap((type) =>
        ['DAY', 'GTD', 'IOC', 'FOK'].map((time) => `${type} ${time}`),
      ),
    ]);
    expect(fault({ timeInForce: 'gtc' })).toBe('Unknown time in force gtc.');
    expect(fault({ type: 'limit_on_open', validBars: 2 })).toBe(
      'A limit_on_open order is valid for one open and allows no other time.',
    );
    expect(fault({ type: 'limit_on_close', validBars: 2 })).toContain('valid for one close');
    expect(fault({ type: 'limit', validBars: 2 })).toBeUndefined();
  });

  it('allow postOnly only for a limit order that may rest', () => {
    const post = (more: object): string | undefined => fault({ postOnly: true, type: 'limit', ...more });
    expect([post({}), post({ timeInForce: 'DAY' }), post({ type: 'stop', postOnly: false })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(post({ type: undefined })).toBe('A market order cannot be postOnly.');
    expect(post({ type: 'limit_on_open' })).toBe('A limit_on_open order cannot be postOnly.');
    expect(post({ timeInForce: 'IOC' })).toMatch(/^An order cannot be both postOnly and IOC/);
    expect(post({ timeInForce: 'FOK' })).toMatch(/^An order cannot be both postOnly and FOK/);
    expect(post({ postOnly: 'yes' })).toBe('postOnly must be true or false. It is "yes".');
  });

  it('require a group name of 1 to 100 characters, and a boolean for reduceOnly', () => {
    expect([fault({ group: 'g'.repeat(100) }), fault({ reduceOnly: false })]).toEqual([undefined, undefined]);
    expect(fault({ group: 'g'.repeat(101) })).toMatch(/^The group must be a name\./);
    expect(fault({ group: '' })).toMatch(/^The group must be a name\./);
    expect(fault({ reduceOnly: 1 })).toBe('reduceOnly must be true or false. It is 1.');
  });

  it('require the prices of the type and allow no other prices', () => {
    const needs = (name: 'limitPrice' | 'stopPrice'): string[] =>
      ORDER_TYPES.filter((type) => {
        const found = readPrice({ ...order, type, [name]: 5 }, name);
        return found !== undefined && !('refusal' in found);
      });
    expect(needs('limitPrice')).toEqual([
      'limit',
      'stop_limit',
      'limit_if_touched',
      'limit_on_open',
      'limit_on_close',
    ]);
    expect(needs('stopPrice')).toEqual(['stop', 'stop_limit', 'market_if_touched', 'limit_if_touched']);
    const text = (request: object, name: 'limitPrice' | 'stopPrice'): string => {
      const found = readPrice({ ...order, ...request }, name);
      return found !== undefined && 'refusal' in found
        ? `${found.refusal.message} ${found.refusal.remedy}`
        : '';
    };
    expect(text({}, 'limitPrice')).toBe('');
    expect(text({ limitPrice: 5 }, 'limitPrice')).toBe(
      'A market order does not allow limitPrice. Remove the field, or use type limit.',
    );
    expect(text({ stopPrice: 5 }, 'stopPrice')).toContain('or use type stop.');
    expect(text({ type: 'trailing_stop_limit', limitPrice: 5 }, 'limitPrice')).toContain('with limitOffset');
    expect(text({ type: 'trailing_stop_limit', stopPrice: 5 }, 'stopPrice')).toContain('or use type stop.');
    expect(text({ type: 'limit' }, 'limitPrice')).toContain('a limitPrice above 0; it is missing.');
    expect(text({ type: 'stop', stopPrice: 0 }, 'stopPrice')).toContain('a stopPrice above 0; it is 0.');
  });

  it('of a target order allow only types without a price', () => {
    const allowed = ORDER_TYPES.filter((type) => targetTypeRefusal({ action: 'target', type }) === undefined);
    expect(allowed).toEqual(['market', 'market_on_close', 'market_on_open']);
    expect(targetTypeRefusal({ action: 'target' })).toBeUndefined();
    expect(targetTypeRefusal({ action: 'buy', type: 'limit' })).toBeUndefined();
  });
});

describe('the prices of an order', () => {
  const instrument = instrumentsOf(['A'], brokerSettingsSchema.parse({ tick: 0.5 }))[0]!;
  const prices = (request: object, buys: boolean): number[] => {
    const terms = readTerms({ ...order, ...request } as OrderRequest, buys, instrument, 0);
    return 'refusal' in terms ? [] : [terms.limitPrice, terms.stopPrice];
  };

  it('are rounded to the tick: limits in favour of the trader, triggers away from the market', () => {
    const none = Number.NaN;
    const [limitPrice, stopPrice] = [10.3, 20.3];
    expect([true, false].map((buys) => prices({ type: 'limit', limitPrice }, buys))).toEqual([
      [10, none],
      [10.5, none],
    ]);
    expect([true, false].map((buys) => prices({ type: 'stop', stopPrice }, buys))).toEqual([
      [none, 20.5],
      [none, 20],
    ]);
    expect([true, false].map((buys) => prices({ type: 'stop_limit', limitPrice, stopPrice }, buys))).toEqual([
      [10, 20.5],
      [10.5, 20],
    ]);
    const touched = { type: 'limit_if_touched', limitPrice, stopPrice };
    expect([true, false].map((buys) => prices(touched, buys))).toEqual([
      [10, 20],
      [10.5, 20.5],
    ]);
    expect(prices({ type: 'limit', limitPrice: 0.3 }, true)).toEqual([]);
    expect(prices({ type: 'limit', limitPrice: 0.3 }, false)).toEqual([0.5, none]);
  });

  it('are read together with exits, expiry and trail', () => {
    const request = {
      ...order,
      type: 'trailing_stop_limit',
      trailFraction: 0.1,
      limitOffset: 2,
      activationPrice: 30,
      stopLoss: { distance: 1 },
      takeProfit: [{ price: 40 }],
    } as const;
    const terms = readTerms(request, true, instrument, 0);
    expect('refusal' in terms ? terms.refusal : { ...terms, limitOffset: `${terms.limitOffset}` }).toEqual({
      type: 'trailing_stop_limit',
      limitPrice: Number.NaN,
      stopPrice: Number.NaN,
      trail: { fraction: 0.1 },
      limitOffset: '2',
      activationPrice: 30,
      expiresAt: Number.POSITIVE_INFINITY,
      stopLoss: { distance: 1 },
      takeProfit: undefined,
      targets: [{ price: 40 }],
    });
    for (const bad of [
      { trailFraction: 2 },
      { limitOffset: -1 },
      { activationPrice: 0 },
      { validBars: 0 },
      { stopLoss: 0 },
      { takeProfit: 0 },
    ])
      expect(
        readTerms({ ...request, ...bad } as OrderRequest, true, instrument, 0),
        JSON.stringify(bad),
      ).toHaveProperty('refusal');
  });
});

describe('the faults of a request', () => {
  const fieldsOf = (request: object): unknown[] =>
    requestFaults({ ...order, ...request } as OrderRequest).map(({ field }) => field);

  it('are listed with the field that causes them', () => {
    expect(fieldsOf({})).toEqual([]);
    expect(requestFaults({ action: 'buy' })).toMatchObject([
      { field: undefined, refusal: { code: 'bad_quantity' } },
    ]);
    expect(fieldsOf({ notional: 5 })).toEqual(['quantity']);
    expect(fieldsOf({ quantity: undefined, targetFraction: 1 })).toEqual(['targetFraction']);
    expect(fieldsOf({ limitPrice: 5, stopPrice: 5 })).toEqual(['limitPrice', 'stopPrice']);
    expect(fieldsOf({ trailFraction: 1 })).toEqual(['trailFraction']);
    expect(fieldsOf({ type: 'trailing_stop' })).toEqual([undefined]);
    expect(fieldsOf({ limitOffset: 1, activationPrice: 1 })).toEqual(['limitOffset', 'activationPrice']);
    expect(fieldsOf({ timeInForce: 'X' })).toEqual(['timeInForce']);
    expect(fieldsOf({ validBars: 0 })).toEqual(['validBars']);
    expect(fieldsOf({ goodTill: '2024-01-01' })).toEqual(['goodTill']);
    expect(fieldsOf({ timeInForce: 'GTD' })).toEqual(['timeInForce']);
    expect(fieldsOf({ stopLoss: 0, takeProfit: -1 })).toEqual(['stopLoss', 'takeProfit']);
    expect(
      requestFaults({ action: 'target', targetQuantity: 1, type: 'stop', stopPrice: 5 }).map(
        ({ field }) => field,
      ),
    ).toEqual(['type']);
  });

  it('include exits on the wrong side of the limit price', () => {
    const limit = { type: 'limit', limitPrice: 100 };
    expect(fieldsOf({ ...limit, stopLoss: 99, takeProfit: 101 })).toEqual([]);
    expect(fieldsOf({ ...limit, stopLoss: 101, takeProfit: 99 })).toEqual(['stopLoss', 'takeProfit']);
    expect(fieldsOf({ ...limit, action: 'sell', stopLoss: 101, takeProfit: 99 })).toEqual([]);
    expect(fieldsOf({ ...limit, takeProfit: [{ price: 101, share: 0.5 }, { price: 100 }] })).toEqual([
      'takeProfit',
    ]);
    expect(fieldsOf({ stopLoss: 101, takeProfit: 99 })).toEqual([]);
    const [found] = requestFaults({ ...order, type: 'limit', limitPrice: 100, stopLoss: 0.99 });
    expect(found).toBeUndefined();
    const sides = (stopLoss: number): string | undefined =>
      requestFaults({ action: 'sell', quantity: 1, type: 'limit', limitPrice: 100, stopLoss })[0]?.refusal
        .remedy;
    expect([sides(0.99), sides(1)]).toEqual([
      'A number is a price. For a fraction of the entry\'s price write {"fraction": 0.99}.',
      'A sell needs a stopLoss above its price and a takeProfit below its price.',
    ]);
    expect(
      requestFaults({ action: 'sell', quantity: 1, type: 'limit', limitPrice: 50, stopLoss: 0.5 })[0]?.refusal
        .remedy,
    ).toContain('A sell needs');
  });
});
