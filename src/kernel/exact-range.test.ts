import { describe, expect, it } from 'vitest';
import { decimal, EXACT_ONE, EXACT_ZERO, Exact, ONE, RunningSum, ZERO } from './exact.ts';

const parts = ({ mantissa, scale, big }: Exact) => [mantissa, scale, big === undefined];
const SAFE = Number.MAX_SAFE_INTEGER;

describe('the range of a fast exact amount', () => {
  it('contains every text and number with up to 15 digits', () => {
    expect(parts(Exact.of('123456789012345'))).toEqual([123456789012345, 0, true]);
    expect(parts(Exact.of('-12345678.9012345'))).toEqual([-123456789012345, 7, true]);
    expect(parts(Exact.of('1.50'))).toEqual([15, 1, true]);
    expect(parts(Exact.of(0.25))).toEqual([25, 2, true]);
    expect(parts(Exact.of(-0.1))).toEqual([-1, 1, true]);
    expect(parts(Exact.of('1e-22'))).toEqual([1, 22, true]);
    expect(parts(Exact.of(String(SAFE)))).toEqual([SAFE, 0, true]);
    expect([EXACT_ZERO, EXACT_ONE].map(String)).toEqual(['0', '1']);
    expect([ZERO, ONE].map(String)).toEqual(['0', '1']);
  });

  it('ends at the largest safe integer and at 22 decimal places', () => {
    expect(Exact.of('9007199254740992').big?.toString()).toBe('9007199254740992');
    expect(Exact.of('1e-23').big?.toString()).toBe(`0.${'0'.repeat(22)}1`);
    expect(Exact.of('1e-12').times(Exact.of('1e-10')).big).toBeUndefined();
    expect(Exact.of('1e-12').times(Exact.of('1e-11')).big).toBeDefined();
    expect(Exact.of(SAFE).plus(Exact.of(1)).big).toBeDefined();
    expect(parts(Exact.of(SAFE).minus(Exact.of(1)))).toEqual([SAFE - 1, 0, true]);
  });

  it('contains sums, products, quotients and roundings of ordinary amounts', () => {
    const [a, b] = [Exact.of('1.5'), Exact.of('0.25')];
    expect(parts(a.plus(b))).toEqual([175, 2, true]);
    expect(parts(a.plus(a))).toEqual([30, 1, true]);
    expect(parts(a.minus(b))).toEqual([125, 2, true]);
    expect(parts(a.times(b))).toEqual([375, 3, true]);
    expect(parts(a.dividedBy(b))).toEqual([6, 0, true]);
    expect(parts(Exact.of('0.75').dividedBy(Exact.of('0.5')))).toEqual([15, 1, true]);
    expect(parts(Exact.of('0.75').dividedBy(a))).toEqual([5, 1, true]);
    expect(parts(Exact.of(1).dividedToPlaces(Exact.of(8), 2))).toEqual([12, 2, true]);
    expect(parts(Exact.of(3).dividedToPlaces(Exact.of(8), 2))).toEqual([38, 2, true]);
    expect(parts(Exact.of(1).dividedToPlaces(Exact.of(2), 4))).toEqual([5, 1, true]);
    expect(parts(Exact.of(0).dividedToPlaces(Exact.of(2), 4))).toEqual([0, 0, true]);
    expect(parts(Exact.of('-2.5').floor())).toEqual([-3, 0, true]);
    expect(parts(Exact.ofScaled(-0, 0))).toEqual([0, 0, true]);
  });

  it('does not limit the operations: larger and finer amounts are exact too', () => {
    const huge = Exact.of('123456789012345678901234567890.5');
    expect(huge.floor().toString()).toBe('123456789012345678901234567890');
    expect(huge.isPositive()).toBe(true);
    expect(huge.negated().isNegative()).toBe(true);
    expect(huge.isNegative()).toBe(false);
    expect(huge.negated().isPositive()).toBe(false);
    expect(huge.isZero()).toBe(false);
    expect(huge.compare(huge)).toBe(0);
    expect(huge.compare(EXACT_ONE)).toBe(1);
    expect(EXACT_ONE.compare(huge)).toBe(-1);
    expect(huge.minus(huge).isZero()).toBe(true);
    expect(huge.quotient(huge)).toBe(1);
    expect(huge.toNumber()).toBe(Number('123456789012345678901234567890.5'));
    expect(Exact.of(decimal('0.5')).plus(huge).toString()).toBe('123456789012345678901234567891');
    // 10^16 is above the safe integers, so a value with 16 decimal places needs a special case.
    expect(Exact.of('-0.0000000000000001').floor().toString()).toBe('-1');
    expect(Exact.of('0.0000000000000001').floor().toString()).toBe('0');
  });

  it('does not affect min and max, which return the first of two equal amounts', () => {
    const [a, b] = [Exact.of('2'), Exact.of('2')];
    expect(Exact.min(a, b)).toBe(a);
    expect(Exact.max(a, b)).toBe(a);
  });

  it('does not contain the result of a division by zero, which is not finite', () => {
    expect(Exact.of(1).dividedBy(EXACT_ZERO).toDecimal().isFinite()).toBe(false);
    expect(Exact.of(1).dividedToPlaces(EXACT_ZERO, 2).toDecimal().isFinite()).toBe(false);
  });
});

describe('the range of a running sum', () => {
  const sumOf = (start: string, ...products: readonly (readonly [string, number, number])[]) => {
    const sum = new RunningSum();
    sum.start(Exact.of(start));
    const used = products.map(([quantity, price, places]) =>
      sum.addProduct(Exact.of(quantity), price, places),
    );
    return { used, fits: sum.fits, value: sum.mantissa / 10 ** sum.scale, scale: sum.scale };
  };

  it('contains ordinary products, and returns the decimal places of each price', () => {
    expect(sumOf('10', ['3', 1.25, 0], ['2', 0.5, 2])).toEqual({
      ...{ used: [2, 2], fits: true, value: 14.75, scale: 2 },
    });
    expect(sumOf('0.125', ['-4', 7, 0])).toEqual({ used: [0], fits: true, value: -27.875, scale: 3 });
    expect(new RunningSum()).toMatchObject({ mantissa: 0, scale: 0, fits: false });
  });

  it('contains prices with ten decimal places, but not with eleven', () => {
    expect(sumOf('0', ['1', 1e-10, 0])).toMatchObject({ used: [10], fits: true, scale: 10 });
    expect(sumOf('0', ['1', 1e-11, 3])).toMatchObject({ used: [3], fits: false, value: 0 });
  });

  it('contains prices of 15 digits, but not of 16', () => {
    for (const sign of [1, -1]) {
      expect(sumOf('0', ['1', sign * 999_999_999_999_999, 0])).toMatchObject({ used: [0], fits: true });
      expect(sumOf('0', ['1', sign * 1_000_000_000_000_000, 0])).toMatchObject({ used: [0], fits: false });
    }
  });

  it('contains products with 22 decimal places, but not with 23', () => {
    expect(sumOf('0', ['1e-21', 1.5, 0])).toMatchObject({ used: [1], fits: true, scale: 22 });
    expect(sumOf('0', ['1e-22', 1.5, 0])).toMatchObject({ used: [0], fits: false });
  });

  it('excludes large amounts and sums, and is not re-entered by later products', () => {
    expect(sumOf('1e20')).toMatchObject({ fits: false });
    expect(sumOf('1', ['1e20', 1, 0])).toMatchObject({ fits: false });
    expect(sumOf(String(SAFE), ['1', 1, 0])).toMatchObject({ fits: false });
    expect(sumOf(String(SAFE), ['-1', 1, 0])).toMatchObject({ fits: true, value: SAFE - 1 });
    expect(sumOf('920000000000000', ['-500000000000000.1', 1, 0])).toMatchObject({ fits: false });
    expect(sumOf('0.01', ['100000000000000', 2, 0], ['-100000000000000', 2, 0])).toMatchObject({
      fits: false,
    });
    expect(sumOf('1e20', ['1', 1, 0])).toMatchObject({ fits: false });
  });
});
