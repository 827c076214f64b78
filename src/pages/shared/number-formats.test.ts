import { expect, it } from 'vitest';
import { percent, ratio } from './number-formats.ts';

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
