import { expect, it } from 'vitest';
import { dollars } from './dollars.ts';

it('amounts of dollars have two decimal places from one dollar on, and six below', () => {
  expect([1.25, '1', '0.999999', 0.0042, '0', 1_234_567.891].map((cost) => dollars(cost))).toEqual([
    '$1.25',
    '$1.00',
    '$0.999999',
    '$0.004200',
    '$0.000000',
    '$1,234,567.89',
  ]);
});

it('an unknown cost is shown as a text', () => {
  expect([dollars(null), dollars(null, 'unknown')]).toEqual(['not known', 'unknown']);
});
