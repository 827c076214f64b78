import { expect, it } from 'vitest';
import { percent, ratio } from './number-formats.ts';

it('shows no zero with a sign, and a minus where there is one', () => {
  expect([-0.001, -0, 0.004, -0.006].map((value) => ratio(value))).toEqual(['0.00', '0.00', '0.00', '−0.01']);
  expect([-0.00001, -0.5].map((value) => percent(value))).toEqual(['0.00%', '−50.00%']);
  expect(percent(-0.001, 0)).toBe('0%');
});
