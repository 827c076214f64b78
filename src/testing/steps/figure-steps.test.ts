import { describe, expect, it } from 'vitest';
import { runOf, step } from '../../../test/support/checked-steps.ts';
import { decimal } from '../../kernel/index.ts';
import { readBound, valueText } from './checked-run.ts';
import { COMPARE_STEPS, FIGURE_STEPS } from './figure-steps.ts';

describe('a check of a figure', () => {
  const check = (line: string, run = runOf()) => step(FIGURE_STEPS, line, [run]);

  it.each([
    ['the final equity is above 98.99', true],
    ['the final equity is above 99', false],
    ['the final equity of "test" is at least 99', true],
    ['the total return is below 0%', true],
    ['the total return is exactly 0%', false],
    ['the total return is within 1.001%', true],
    ['the total return is within 0.99%', false],
    ['the final equity is between 99 and 99', true],
    ['the final equity is between 99.1 and 200', false],
    ['the final equity is between 1 and 98.9', false],
    ['the total return is -2% to within 1%', true],
    ['the total return is -2.1% to within 1%', false],
    ['the total return is 0% to within 1.001%', true],
    ['the final equity is 99 to the cent', true],
    ['the final equity is 99.01 to the cent', false],
    ['the final equity is 99', true],
    ['the final equity is 99.001', false],
    ['the number of trades is 0', true],
    ['the number of trades is 1', false],
    ['the win rate is not defined', true],
    ['the total return is not defined', false],
    ['the equity on 2024-01-02 is 110', true],
    ['the equity on 2024-01-02 is 109', false],
    ['the max drawdown is 10% to within 0.001%', true],
  ])('%s: %s', async (line, passes) => {
    expect((await check(line)) === '').toBe(passes);
  });

  it('states the value and the bound', async () => {
    expect(await check('the final equity is above 99')).toBe('test: the final equity is 99, not above 99.');
    expect(await check('the total return is between 1% and 2%')).toBe(
      'test: the total return is -1%, not between 1% and 2%.',
    );
    expect(await check('the total return is 5% to within 1%')).toBe(
      'test: the total return is -1%, not 5% to within 1%.',
    );
    expect(await check('the total return is not defined')).toBe(
      'test: the total return is -1%, not undefined.',
    );
    expect(await check('the win rate is above 1%')).toMatch(/^test: the win rate is not defined: /);
    expect(await check('the max drawdown is below -10%')).toBe(
      'A drawdown is compared by its depth. Write 10% instead of -10%.',
    );
    expect(await check('the equity on 2024-01-09 is 1')).toBe(
      'test has no bar of 2024-01-09; its bars are from 2024-01-01 to 2024-01-03.',
    );
    expect(await check('the final equity is 98.995 to the cent', runOf({ equity: [98.995] }))).not.toBe('');
    expect(await check('the final equity is 98.98 to the cent', runOf({ equity: [98.985] }))).toBe('');
  });
});

describe('a comparison of two runs', () => {
  const [good, bad] = [
    runOf({ name: 'good', equity: [100, 120] }),
    runOf({ name: 'bad', equity: [100, 60, 110] }),
  ];
  const compare = (line: string, runs = [good, bad]) => step(COMPARE_STEPS, line, runs);

  it('passes if the first run is better in the named figure', async () => {
    const beats = (one: string, other: string, figure: string) =>
      compare(`strategy ${one} beats "${other}" in ${figure}, whatever their terms`);
    expect(await beats('good', 'bad', 'total return')).toBe('');
    expect(await beats('bad', 'good', 'total return')).toBe(
      'bad is not better than good in total return: 10% against 20%.',
    );
    expect(await beats('good', 'bad', 'max drawdown')).toBe('');
    expect(await beats('good', 'bad', 'win rate')).toMatch(/^good: the win rate is not defined/);
    expect(await beats('good', 'bad', 'number of bars')).toBe(
      'The number of bars has no better direction. Check both runs separately.',
    );
    expect(await beats('good', 'good', 'total return')).toBe(
      'good is not better than good in total return: 20% against 20%.',
    );
  });

  it('needs folders for the same terms, and prices for buying and holding', async () => {
    for (const line of ['in total return', 'in total return by at least 5%', 'beyond chance in mean return'])
      expect(await compare(`strategy good beats bad ${line}`)).toBe(
        'Only runs that have a folder are compared.',
      );
    expect(await compare('strategy good beats buying and holding')).toMatch(
      /^good cannot be compared with buying and holding: /,
    );
  });
});

describe('a formatted value', () => {
  it('has groups of digits only for money and counts', () => {
    const value = decimal('-1234567.12345678');
    expect(
      (['money', 'count', 'days', 'ratio', 'any'] as const).map((kind) => valueText(value, kind)),
    ).toEqual([
      ...['-1,234,567.123457', '-1,234,567.123457', '-1234567.123457', '-1234567.123457', '-1234567.123457'],
    ]);
    expect(valueText(decimal('0.5'), 'share')).toBe('50%');
    const bound = { text: '1', value: decimal(1) };
    expect(valueText(decimal('1.0000001'), 'ratio', [bound])).toBe('1.0000001');
    expect(valueText(decimal('1.0000001'), 'ratio', [{ text: '2', value: decimal(2) }])).toBe('1');
    expect([
      readBound(' 5% ', 'any', 'x').value.toFixed(),
      readBound('+5', 'any', 'x').value.toFixed(),
    ]).toEqual(['0.05', '5']);
  });
});
