import { expect, it } from 'vitest';
import { decimal } from '../../../kernel/index.ts';
import { figure, moneyFigure, undefinedBecause } from './figures.ts';

it('a figure has its value, or null with the reason', () => {
  const convention = 'as defined';
  expect(figure(convention, 0.05)).toEqual({ value: 0.05, convention });
  expect(figure(convention, undefinedBecause('no bar'))).toEqual({
    value: null,
    reason: 'no bar',
    convention,
  });
  for (const endless of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    expect(figure(convention, endless)).toEqual({
      value: null,
      reason: 'too large for a number',
      convention,
    });
});

it('a figure of minus zero is shown as zero', () => {
  expect(Object.is(figure('', -0).value, 0)).toBe(true);
  expect(figure('', -1e-300).value).toBe(-1e-300);
});

it('an amount of money is an exact decimal', () => {
  expect(moneyFigure('sum', decimal('1e-12'))).toEqual({ value: '0.000000000001', convention: 'sum' });
  expect(moneyFigure('sum', undefinedBecause('none'))).toEqual({
    value: null,
    reason: 'none',
    convention: 'sum',
  });
});
