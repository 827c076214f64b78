import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, decimalString } from './exact.ts';

const price = fc.double({ min: 1e-8, max: 1e9, noNaN: true });

/** Returns the shortest decimal form of a double as an exact ratio: an integer over a power of ten. */
function ratioOf(value: number): { digits: bigint; places: number } {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 };
}

/** Returns a decimal text as an integer, scaled by 10^places. */
function scaled(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  expect(fraction.length).toBeLessThanOrEqual(places);
  return BigInt(whole + fraction.padEnd(places, '0'));
}

describe('decimal', () => {
  it('reads a float64 by its shortest decimal form, not by its binary value', () => {
    expect(decimalString(decimal(0.1).plus(0.2))).toBe('0.3');
    expect(decimalString(decimal(1.005).times(100))).toBe('100.5');
    expect(decimal(0.1).toNumber()).toBe(0.1);
  });

  it('multiplies two prices exactly', () => {
    fc.assert(
      fc.property(price, price, (a, b) => {
        const [left, right] = [ratioOf(a), ratioOf(b)];
        const product = decimalString(decimal(a).times(decimal(b)));
        const places = left.places + right.places;
        expect(scaled(product, places)).toBe(left.digits * right.digits);
      }),
    );
  });

  it('adds and subtracts without any remainder, in any order', () => {
    fc.assert(
      fc.property(fc.array(price, { maxLength: 30 }), decimalsShuffled(), (prices, order) => {
        let sum = decimal('100000');
        for (const one of prices) sum = sum.plus(decimal(one).times('3.7'));
        for (const one of order(prices)) sum = sum.minus(decimal(one).times('3.7'));
        expect(decimalString(sum)).toBe('100000');
      }),
    );
  });

  it('rounds a quotient half to even at 80 digits', () => {
    expect(decimal(1).dividedBy(3).toString()).toBe(`0.${'3'.repeat(80)}`);
    expect(decimal(2).dividedBy(3).toString()).toBe(`0.${'6'.repeat(79)}7`);
    const odd = `1.${'0'.repeat(78)}5`;
    expect(
      decimal(`1.${'0'.repeat(78)}05`)
        .times(1)
        .toString(),
    ).toBe('1');
    expect(decimal(odd).times(1).toString()).toBe(odd);
  });

  it('refuses text that is not a number', () => {
    for (const text of ['1e', 'ten', '', '1,000', ' 1']) expect(() => decimal(text)).toThrow();
  });
});

describe('decimalString', () => {
  it('is plain notation that reads back as the same number', () => {
    expect(decimalString(decimal('1e21'))).toBe('1000000000000000000000');
    expect(decimalString(decimal('1e-9'))).toBe('0.000000001');
    expect(decimalString(decimal('100.500'))).toBe('100.5');
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = decimalString(decimal(value));
        expect(text).not.toMatch(/e/i);
        expect(Number(text) === value).toBe(true);
      }),
    );
  });

  it('has a single form of zero', () => {
    expect(decimalString(decimal('-0'))).toBe('0');
    expect(decimalString(decimal(5).minus(5).negated())).toBe('0');
  });
});

/** Generates functions that shuffle a list. */
function decimalsShuffled(): fc.Arbitrary<(values: readonly number[]) => number[]> {
  return fc.infiniteStream(fc.nat()).map(
    (stream) => (values) =>
      values
        .map((value) => ({ value, key: stream.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ value }) => value),
  );
}
