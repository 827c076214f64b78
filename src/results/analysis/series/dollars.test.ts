import { expect, it } from 'vitest';
import { dollars } from './dollars.ts';

it('shows cents from one dollar on, and six decimal places below', () => {
  expect([1.25, '1', '0.999999', 0.0042, '0', 1_234_567.891].map((cost) => dollars(cost))).toEqual([
    '$1.25',
    '$1.00',
    '$0.999999',
    '$0.004200',
    '$0.000000',
    '$1,234,567.89',
  ]);
});

it('shows a text for an unknown cost', () => {
  expect([dollars(null), dollars(null, 'unknown')]).toEqual(['not known', 'unknown']);
});
