import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, decimal, decimalString, Exact, RunningSum } from './exact.ts';

const EDGE = Number.MAX_SAFE_INTEGER;

/**
 * Generates decimal texts of every size: small, at the limit of a safe mantissa, and far beyond the limit.
 */
const text: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.maxSafeInteger(), fc.nat({ max: 24 }))
    .map(([mantissa, places]) => decimalString(decimal(`${mantissa}e-${places}`))),
  fc
    .tuple(fc.integer({ min: -5, max: 5 }), fc.nat({ max: 10 }), fc.boolean())
    .map(([offset, places, negative]) =>
      decimalString(decimal(`${negative ? '-' : ''}${BigInt(EDGE) + BigInt(offset)}e-${places}`)),
    ),
  fc
    .tuple(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.nat({ max: 6 }))
    .map(([mantissa, places]) => decimalString(decimal(`${mantissa}e-${places}`))),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
);

const same = (exact: Exact, expected: Decimal): void => {
  expect(exact.toString()).toBe(decimalString(expected));
  expect(exact.toDecimal().equals(expected)).toBe(true);
  expect(exact.toNumber()).toBe(expected.toNumber() + 0);
};

describe('Exact', () => {
  it('reads and writes like decimal', () => {
    fc.assert(
      fc.property(text, (one) => {
        same(Exact.of(one), decimal(one));
        same(Exact.of(decimal(one)), decimal(one));
      }),
    );
  });

  it('reads valid amounts, and refuses similar invalid text, like decimal', () => {
    const digits = fc.stringMatching(/^\d{0,18}$/);
    const like = fc
      .tuple(fc.constantFrom('', '-'), digits, fc.constantFrom('', '.'), digits)
      .map((parts) => parts.join(''))
      .filter((one) => /\d/.test(one));
    fc.assert(
      fc.property(like, (one) => {
        same(Exact.of(one), decimal(one));
        expect(Exact.of(one).scale).toBe(Exact.of(decimal(one)).scale);
      }),
      { numRuns: 2000 },
    );
    same(Exact.of('-0'), decimal(0));
    same(Exact.of('-0.000001'), decimal('-0.000001'));
    same(Exact.of('0.00000099'), decimal('0.00000099'));
    for (const bad of ['-', '.', '-.', '1.2.3', '1-2', '1..2', '1,5']) expect(() => Exact.of(bad)).toThrow();
  });

  it('reads a float64 by its shortest decimal form', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        same(Exact.of(value), decimal(value));
      }),
      { numRuns: 300 },
    );
    // In this range neighbouring doubles are about as far apart as neighbouring decimals of 16 digits.
    fc.assert(
      fc.property(fc.integer({ min: 2 ** 52, max: EDGE }), fc.nat({ max: 12 }), (mantissa, places) => {
        const value = Number(`${mantissa}e-${places}`);
        same(Exact.of(value), decimal(value));
      }),
      { numRuns: 1000 },
    );
    expect(Exact.of(0.1).plus(Exact.of(0.2)).toString()).toBe('0.3');
    expect(Exact.of(-0).toString()).toBe('0');
  });

  it('adds, subtracts, multiplies and divides like decimal', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b, left, right] = [Exact.of(one), Exact.of(other), decimal(one), decimal(other)];
        same(a.plus(b), left.plus(right));
        same(a.minus(b), left.minus(right));
        same(a.times(b), left.times(right));
        if (right.isZero()) return;
        same(a.dividedBy(b), left.dividedBy(right));
        expect(a.quotient(b) + 0).toBe(left.dividedBy(right).toNumber() + 0);
      }),
      { numRuns: 500 },
    );
  });

  it('preserves the digits of a quotient that a float64 would round to a whole number', () => {
    const [one, tiny] = ['1', '0.0000000000000003'];
    same(Exact.of(one).dividedBy(Exact.of(tiny)), decimal(one).dividedBy(tiny));
    expect(Exact.of(one).dividedBy(Exact.of(tiny)).toString()).toContain('3333333333333333.333');
  });

  it('divides whole numbers and rounds half to even like decimal', () => {
    const small = fc.integer({ min: -400, max: 400 });
    fc.assert(
      fc.property(small, small, fc.nat({ max: 3 }), fc.nat({ max: 3 }), (one, other, up, places) => {
        if (other === 0) return;
        const [left, right] = [decimal(one).times(other), decimal(other).dividedBy(10 ** up)];
        same(Exact.of(left).dividedBy(Exact.of(right)), left.dividedBy(right));
        const halves = decimal(2 * one + 1).dividedBy(10 ** places);
        same(
          Exact.of(halves).dividedToPlaces(Exact.of(2 * other), places),
          halves.dividedBy(2 * other).toDecimalPlaces(places),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('compares, rounds and negates like decimal', () => {
    fc.assert(
      fc.property(text, text, fc.nat({ max: 14 }), (one, other, places) => {
        const [a, b, left, right] = [Exact.of(one), Exact.of(other), decimal(one), decimal(other)];
        expect(a.compare(b)).toBe(left.comparedTo(right));
        expect(a.equals(b)).toBe(left.equals(right));
        expect(a.equals(Exact.of(one))).toBe(true);
        expect(a.isZero()).toBe(left.isZero());
        expect(a.isNegative()).toBe(left.lessThan(0));
        expect(a.isPositive()).toBe(left.greaterThan(0));
        same(a.negated(), left.negated());
        same(a.abs(), left.abs());
        same(a.toDecimalPlaces(places), left.toDecimalPlaces(places));
        if (!right.isZero())
          same(a.dividedToPlaces(b, places), left.dividedBy(right).toDecimalPlaces(places));
        same(Exact.min(a, b), Decimal.min(left, right));
        same(Exact.max(a, b), Decimal.max(left, right));
      }),
      { numRuns: 500 },
    );
  });

  it('rounds down like decimal', () => {
    fc.assert(
      fc.property(text, (one) => {
        same(Exact.of(one).floor(), decimal(one).floor());
      }),
      { numRuns: 500 },
    );
  });

  it('is exact through a long sum that leaves the safe range and returns to it', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (values) => {
        let exact = Exact.of('12345.678');
        for (const value of values) exact = exact.plus(Exact.of(value));
        for (const value of values) exact = exact.minus(Exact.of(value));
        expect(exact.toString()).toBe('12345.678');
      }),
    );
  });

  it('refuses text that is not a number', () => {
    for (const bad of ['1e', 'ten', '', ' 1']) expect(() => Exact.of(bad)).toThrow();
  });
});

describe('a running sum', () => {
  it('is the exact sum of amounts, quantities and prices within its range', () => {
    const price = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.tuple(fc.nat(99_999_999), fc.nat(6)).map(([units, places]) => units / 10 ** places),
    );
    const parts = fc.array(fc.tuple(text, price, fc.nat(10)), { maxLength: 4 });
    let fitted = 0;
    fc.assert(
      fc.property(text, parts, (start, products) => {
        const sum = new RunningSum();
        sum.start(Exact.of(start));
        let expected = Exact.of(start);
        for (const [quantity, at, places] of products) {
          sum.addProduct(Exact.of(quantity), at, places);
          expected = expected.plus(Exact.of(quantity).times(Exact.of(at)));
        }
        if (!sum.fits) return;
        fitted += 1;
        expect(Exact.ofScaled(sum.mantissa, sum.scale).toString()).toBe(expected.toString());
      }),
      { numRuns: 2_000 },
    );
    expect(fitted).toBeGreaterThan(100);
  });
});
