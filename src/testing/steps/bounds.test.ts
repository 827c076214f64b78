import { describe, expect, it } from 'vitest';
import { decimal } from '../../kernel/index.ts';
import { holds, NUMBER, readBound, valueText } from './checked-run.ts';

describe('a number in a feature file', () => {
  const whole = new RegExp(`^${NUMBER}$`);

  it.each(['5', '-3', '+2', '0.5', '.5', '1,000', '10,150.25', '20%', '-1.5 %', '1e-9'])(
    'may be %s',
    (text) => {
      expect(whole.exec(text)?.[1]).toBe(text);
    },
  );

  it.each(['1,00', '10,15.2', 'five', '5 percent', '5%%', '1.2.3'])('may not be %s', (text) => {
    expect(whole.test(text)).toBe(false);
  });

  it('is converted to the unit of its metric', () => {
    expect(readBound('20%', 'share', 'win rate').value.toFixed()).toBe('0.2');
    expect(readBound('10,150.25', 'money', 'final equity').value.toFixed()).toBe('10150.25');
    expect(readBound('0', 'share', 'win rate').value.isZero()).toBe(true);
    expect(() => readBound('5', 'share', 'win rate')).toThrow(
      'The win rate is a percentage. Write 5% instead of 5.',
    );
    expect(() => readBound('5%', 'money', 'final equity')).toThrow(
      'is not a percentage. Write 5 instead of 5%',
    );
    expect(() => readBound('', 'money', 'final equity')).toThrow('is not a number');
  });
});

describe('a metric compared with a bound', () => {
  it.each([
    ['above', '0.5', '0.5', false],
    ['at least', '0.5', '0.5', true],
    ['below', '0.5', '0.5', false],
    ['at most', '0.5', '0.5', true],
    ['exactly', '0.1', '0.10', true],
    ['exactly', '0.1', '0.1000000001', false],
    ['within', '-0.1', '0.2', true],
    ['within', '-0.3', '0.2', false],
  ] as const)('%s: %s against %s is %s', (relation, value, bound, expected) => {
    expect(holds(decimal(value), relation, decimal(bound))).toBe(expected);
  });

  it('is shown with six decimals, and completely if they would hide the difference', () => {
    expect(valueText(decimal('-0.12779312000001'), 'share')).toBe('-12.779312%');
    expect(valueText(decimal('1234567.5'), 'money')).toBe('1,234,567.5');
    const bound = { text: '20%', value: decimal('0.2') };
    expect(valueText(decimal('0.2000000001'), 'share', [bound])).toBe('20.00000001%');
    expect(valueText(decimal('0.2'), 'share', [bound])).toBe('20%');
  });
});
