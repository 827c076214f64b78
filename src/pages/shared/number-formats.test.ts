import fc from 'fast-check';
import { expect, it } from 'vitest';
import { amount } from './formats.ts';
import { grouped, percent, ratio, signedPercent } from './number-formats.ts';

it('shows zero without a sign, and negative numbers with a minus', () => {
  expect([-0.001, -0, 0.004, -0.006].map((value) => ratio(value))).toEqual(['0.00', '0.00', '0.00', '−0.01']);
  expect([-0.00001, -0.5].map((value) => percent(value))).toEqual(['0.00%', '−50.00%']);
  expect(percent(-0.001, 0)).toBe('0%');
});

it('separates thousands, but not in a fraction', () => {
  expect([percent(12.3456), percent(-12_345.678, 0), ratio(0.123456, 5), ratio(-123_456.5, 1)]).toEqual([
    '1,234.56%',
    '−1,234,568%',
    '0.12346',
    '−123,456.5',
  ]);
});

it('shows a float64 number like the exact amount, also halfway between two cents and after a sum', () => {
  const thousandths = fc.integer({ min: -(10 ** 11), max: 10 ** 11 });
  fc.assert(
    fc.property(thousandths, thousandths, (one, other) => {
      const exact = BigInt(one) + BigInt(other);
      const digits = String(exact < 0n ? -exact : exact).padStart(4, '0');
      const text = `${exact < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
      expect(grouped(one / 1000 + other / 1000)).toBe(amount(text));
      expect(amount(Number(text))).toBe(amount(text));
    }),
    { numRuns: 2000 },
  );
  for (const profit of [5, 125, 375])
    expect(signedPercent((100_000 + profit) / 100_000 - 1)).toBe(signedPercent(profit / 100_000));
  expect([1e-9, 3e21].map((value) => grouped(value))).toEqual(['0.00', '3e+21']);
});
