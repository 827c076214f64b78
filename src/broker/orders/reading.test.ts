import { describe, expect, it } from 'vitest';
import { DAY, decimal, Exact, parseInstant } from '../../kernel/index.ts';
import {
  expiryRefusal,
  priceNumber,
  readActivation,
  readAmount,
  readExpiry,
  readGoodTill,
  readOffset,
  readSize,
  readTrail,
  shown,
} from './read-fields.ts';

/** Returns a parsed value as JSON, or the message of its rejection. */
function read(value: object | number | string | undefined): unknown {
  if (value instanceof Exact) return value.toString();
  if (typeof value !== 'object') return value;
  if ('refusal' in value) return (value as { refusal: { message: string } }).refusal.message;
  return JSON.parse(JSON.stringify(value, (_, part: unknown) => (part instanceof Exact ? `${part}` : part)));
}

describe('an amount', () => {
  it('is a number or a decimal text', () => {
    const texts = [5, '2.50', '.5', '5.', '+3', '-1e3', '2E-2', decimal('7.25')].map((one) =>
      read(readAmount(one)),
    );
    expect(texts).toEqual(['5', '2.5', '0.5', '5', '3', '-1000', '0.02', '7.25']);
    for (const bad of [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '',
      ' 5',
      '0x10',
      '1_0',
      'e5',
      '.',
      decimal('NaN'),
    ])
      expect(readAmount(bad), String(bad)).toBeUndefined();
    expect(readAmount(undefined)).toBeUndefined();
    expect(readAmount({} as never)).toBeUndefined();
  });

  it('is a price if it is above 0 and a float64 stores it without loss of digits', () => {
    expect(priceNumber(Exact.of('100.25'))).toBe(100.25);
    expect(priceNumber(Exact.of(0))).toBeUndefined();
    expect(priceNumber(Exact.of('-1'))).toBeUndefined();
    expect(priceNumber(Exact.of('0.12345678901234567891'))).toBeUndefined();
    expect(priceNumber(Exact.of('1e400'))).toBeUndefined();
  });

  it('is shown in messages with at most sixty characters', () => {
    const sixty = 'x'.repeat(60);
    expect([shown(sixty), shown(`${sixty}y`)]).toEqual([`"${sixty}"`, `"${sixty}…"`]);
    expect([shown(null), shown(5), shown([1]), shown({}), shown(undefined)]).toEqual([
      'null',
      '5',
      'a list',
      'an object',
      'undefined',
    ]);
  });
});

describe('the size of an order', () => {
  const size = (request: object, plain = false) => read(readSize(request as never, plain));

  it.each([
    [
      { action: 'buy', quantity: 5 },
      { kind: 'units', units: '5' },
    ],
    [
      { action: 'sell', equityFraction: 0.5 },
      { kind: 'equity-fraction', fraction: '0.5' },
    ],
    [{ action: 'close' }, { kind: 'position' }],
    [{ action: 'buy', quantity: 0 }, 'The quantity is 0, which is not a positive number.'],
    [
      { action: 'buy', quantity: 1, equityFraction: 1 },
      'A buy needs exactly one of quantity, notional, equityFraction; given: quantity, equityFraction.',
    ],
    [{ action: 'sell' }, 'A sell needs a quantity.'],
    [{ action: 'close', quantity: 1 }, 'A close allows no quantity: it closes the whole position.'],
    [{ action: 'close', equityFraction: 1 }, 'A close allows no quantity: it closes the whole position.'],
    [
      { action: 'target', quantity: 1 },
      'A target needs exactly one of targetQuantity, targetFraction; given: quantity.',
    ],
    [{ action: 'target' }, 'A target needs exactly one of targetQuantity, targetFraction; none is present.'],
  ])('is read equally with and without the restriction to common fields: %j', (request, expected) => {
    expect(size(request)).toEqual(expected);
    expect(size(request, true)).toEqual(expected);
  });

  it.each([
    [
      { action: 'buy', notional: '250.5' },
      { kind: 'notional', notional: '250.5' },
    ],
    [
      { action: 'target', targetQuantity: -5 },
      { kind: 'target-units', units: '-5' },
    ],
    [
      { action: 'target', targetQuantity: 0 },
      { kind: 'target-units', units: '0' },
    ],
    [
      { action: 'target', targetFraction: -0.25 },
      { kind: 'target-fraction', fraction: '-0.25' },
    ],
    [{ action: 'target', targetFraction: 'x' }, 'The targetFraction is "x", which is not a number.'],
    [
      { action: 'buy', targetQuantity: 5 },
      'A buy needs exactly one of quantity, notional, equityFraction; given: targetQuantity.',
    ],
    [{ action: 'buy', notional: -1 }, 'The notional is -1, which is not a positive number.'],
    [{ action: 'close', targetFraction: 0 }, 'A close allows no quantity: it closes the whole position.'],
  ])('is a number of units, an amount of money or a target, or is refused: %j', (request, expected) => {
    expect(size(request)).toEqual(expected);
  });
});

describe('the fields of a trailing stop', () => {
  const request = (more: object, type: string | undefined = 'trailing_stop') =>
    ({ action: 'buy', quantity: 1, ...(type === undefined ? {} : { type }), ...more }) as never;
  const needed = 'A trailing stop needs one of trailAmount (above 0) and trailFraction (between 0 and 1).';

  it('have exactly one distance, as an amount or a fraction', () => {
    const trail = (more: object, type?: string) => read(readTrail(request(more, type)));
    expect(trail({ trailAmount: '2.5' })).toEqual({ amount: 2.5 });
    expect(trail({ trailFraction: 0.999 }, 'trailing_stop_limit')).toEqual({ fraction: 0.999 });
    for (const bad of [
      {},
      { trailAmount: 0 },
      { trailAmount: '1e400' },
      { trailFraction: 1 },
      { trailFraction: 0 },
      { trailAmount: 1, trailFraction: 0.1 },
    ])
      expect(trail(bad), JSON.stringify(bad)).toBe(needed);
    expect(readTrail(request({}, 'limit'))).toBeUndefined();
    expect(trail({ trailAmount: 1 }, 'limit')).toBe('A limit order does not allow a trail.');
    expect(read(readTrail({ action: 'buy', trailFraction: 0.1 } as never))).toBe(
      'A market order does not allow a trail.',
    );
  });

  it('have a limit offset from 0 to 1e15', () => {
    const offset = (limitOffset: unknown, type = 'trailing_stop_limit') =>
      read(readOffset(request(limitOffset === undefined ? {} : { limitOffset }, type)));
    expect([offset(0), offset(2.5), offset(1e15)]).toEqual(['0', '2.5', '1000000000000000']);
    const fault = 'A trailing_stop_limit needs a limitOffset of 0 or more';
    expect(offset(undefined)).toBe(`${fault}; it is missing.`);
    expect(offset(-1)).toBe(`${fault}; it is -1.`);
    expect(offset('1000000000000001')).toBe(`${fault}; it is "1000000000000001".`);
    expect(offset(undefined, 'trailing_stop')).toBeUndefined();
    expect(offset(1, 'trailing_stop')).toBe('A trailing_stop order does not allow limitOffset.');
  });

  it('may have an activation price', () => {
    const activation = (activationPrice: unknown, type?: string) =>
      read(readActivation(request(activationPrice === undefined ? {} : { activationPrice }, type)));
    expect([activation(undefined), activation(101.5)]).toEqual([undefined, '101.5']);
    expect(activation(0)).toBe('The activationPrice is 0, which is not a price above 0.');
    expect(activation('x')).toBe('The activationPrice is "x", which is not a price above 0.');
    expect(activation(5, 'stop')).toBe('A stop order does not allow activationPrice.');
  });
});

describe('the time in force', () => {
  const now = parseInstant('2024-03-05T10:00')!;

  it('with a date ends at the end of that day, and with a time at that time', () => {
    expect(readGoodTill('2024-03-06', now)).toBe(parseInstant('2024-03-07')! - 1);
    expect(readGoodTill(' 2024-03-05 ', now)).toBe(parseInstant('2024-03-05')! + DAY - 1);
    expect(readGoodTill('2024-03-05T10:01', now)).toBe(now + 60_000);
    expect(read(readGoodTill('2024-03-05T10:00', now))).toBe(
      'goodTill is 2024-03-05T10:00, which is in the past: the current bar is of 2024-03-05T10:00:00.',
    );
    expect(read(readGoodTill(5 as never, now))).toBe('goodTill is 5, which is not a date.');
    expect(readExpiry({ action: 'buy' }, now)).toBe(Number.POSITIVE_INFINITY);
    expect(readExpiry({ action: 'buy', timeInForce: 'GTD', goodTill: '2024-03-05T11:00' }, now)).toBe(
      now + 3_600_000,
    );
    expect(read(readExpiry({ action: 'buy', timeInForce: 'GTD' }, now))).toBe(
      'goodTill and timeInForce GTD require each other.',
    );
  });

  it('may be a whole number of bars of at least 1, and then has no other limit', () => {
    const fault = (more: object): string | undefined => expiryRefusal({ action: 'buy', ...more })?.message;
    expect([fault({}), fault({ validBars: 1 }), fault({ validBars: 3, timeInForce: 'GTC' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    for (const validBars of [0, 1.5, -1])
      expect(fault({ validBars })).toBe(
        `validBars is ${validBars}, which is not a whole number of at least 1.`,
      );
    expect(fault({ validBars: 2, timeInForce: 'DAY' })).toBe('validBars cannot be combined with DAY.');
    expect(fault({ timeInForce: 'DAY' })).toBeUndefined();
  });
});
