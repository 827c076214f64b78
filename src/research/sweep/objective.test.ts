import { describe, expect, it } from 'vitest';
import { readExpression, readObjective } from './objective.ts';

const value = (text: string, figures: object = {}): number =>
  readExpression(text).evaluate(figures as Record<string, unknown>);

describe('the order of operations', () => {
  it.each([
    ['1 || 0 && 0', 1],
    ['0 && 0 == 0', 0],
    ['0 && 1 != 1', 0],
    ['1 == 3 > 2', 1],
    ['5 == 2 < 3', 0],
    ['1 != 3 > 0', 0],
    ['3 >= 1 + 1', 1],
    ['1 <= 1 + 1', 1],
    ['3 > 1 + 1', 1],
    ['1 < 1 + 1', 1],
    ['10 - 2 * 3', 4],
    ['6 / 2 * 3', 9],
    ['7 % 4 / 2', 1.5],
    ['2 * 7 % 4', 2],
    ['2 * 3 ^ 2', 18],
    ['-3 + 5', 2],
    ['+3 - -5', 8],
    ['2 ^ -1', 0.5],
    ['-2 * 3 + 10', 4],
    ['8 - 4 + 2', 6],
    ['(2 + 3) * (4 - 1)', 15],
  ])('in %s gives %d', (text, expected) => {
    expect(value(text)).toBe(expected);
  });
});

describe('comparisons and logical operators', () => {
  it.each([
    ['2 > 2', 0],
    ['2 >= 2', 1],
    ['2 < 2', 0],
    ['2 <= 2', 1],
    ['2 == 2', 1],
    ['2 == 3', 0],
    ['2 != 2', 0],
    ['2 != 3', 1],
    ['0 || 0', 0],
    ['0 || 5', 1],
    ['5 || 0', 1],
    ['5 && 0', 0],
    ['0 && 5', 0],
    ['5 && 5', 1],
    ['3 < 2', 0],
    ['3 <= 2', 0],
    ['1 >= 2', 0],
  ])('%s gives %d', (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  it('are undefined if one side is undefined', () => {
    for (const text of ['none > 1', '1 > none', 'none || 1', '1 || none', '0 && none', 'none == none'])
      expect(value(text)).toBeNaN();
  });
});

describe('functions', () => {
  it.each([
    ['abs(0 - 3)', 3],
    ['sqrt(16)', 4],
    ['log(exp(2))', 2],
    ['exp(0)', 1],
    ['min(3, 1, 2)', 1],
    ['max(3, 1, 2)', 3],
    ['min(2) + max(3)', 5],
  ])('%s is %d', (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  it('are listed in the error about an unknown function', () => {
    expect(() => readExpression('sum(1)')).toThrow(
      '"sum(1)" has no function sum; there is abs, sqrt, log, exp, min, max.',
    );
  });
});

describe('figures in an expression', () => {
  it('are numbers, truth values or texts of numbers', () => {
    const figures = { yes: true, no: false, money: '12.50', empty: ' ', nothing: null, three: 3 };
    expect(value('yes + no', figures)).toBe(1);
    expect(value('money * 2', figures)).toBe(25);
    expect(value('three', figures)).toBe(3);
    for (const name of ['empty', 'nothing', 'other']) expect(value(name, figures)).toBeNaN();
  });

  it('are listed without duplicates', () => {
    expect(readExpression('a + b * a - max(c, 1)').names).toEqual(['a', 'b', 'c']);
  });
});

describe('an unreadable expression', () => {
  it.each([
    ['1 $ 2', '"1 $ 2" cannot be read from "$ 2" on.'],
    ['1 2', '"1 2" has "2" where it should end.'],
    ['1 +', '"1 +" ends too early.'],
    ['(1 + 2', '"(1 + 2" lacks a ")".'],
    ['max(1, 2', '"max(1, 2" lacks a ")".'],
    ['* 2', '"* 2" has "*" where a figure or a number should be.'],
    [')', '")" has ")" where a figure or a number should be.'],
  ])('is refused with the place of the fault: %j', (text, message) => {
    expect(() => readExpression(text)).toThrow(expect.objectContaining({ code: 'bad_expression', message }));
  });
});

it('an expression may begin and end with spaces', () => {
  expect(value(' 1 + 1  ')).toBe(2);
});

describe('an objective', () => {
  it('maximises the Sharpe ratio by default, and minimises a figure on request', () => {
    const objective = readObjective();
    expect(objective).toMatchObject({
      text: 'sharpe',
      minimise: false,
      constraints: [],
      figures: ['sharpe'],
    });
    expect([objective.isBetter(2, 1), objective.isBetter(1, 2), objective.isBetter(1, 1)]).toEqual([
      true,
      false,
      false,
    ]);
    const least = readObjective('maxDrawdown', { minimise: true });
    expect([least.isBetter(2, 1), least.isBetter(1, 2), least.isBetter(1, 1)]).toEqual([false, true, false]);
    expect(least).toMatchObject({ text: 'maxDrawdown', minimise: true, figures: ['maxDrawdown'] });
  });

  it('has a value only if every constraint is above 0', () => {
    const objective = readObjective('sharpe * 2', { constraints: ['tradeCount', 'sharpe > 1'] });
    expect(objective.valueOf({ sharpe: 1.5, tradeCount: 1 })).toBe(3);
    expect(objective.valueOf({ sharpe: 1.5, tradeCount: 0 })).toBeNull();
    expect(objective.valueOf({ sharpe: 1.5, tradeCount: null })).toBeNull();
    expect(objective.valueOf({ sharpe: 1, tradeCount: 1 })).toBeNull();
    expect(objective.plainValueOf({ sharpe: 1, tradeCount: 0 })).toBe(2);
  });

  it('has no value if it is infinite or undefined', () => {
    const objective = readObjective('1 / tradeCount');
    for (const tradeCount of [0, null]) {
      expect(objective.valueOf({ tradeCount })).toBeNull();
      expect(objective.plainValueOf({ tradeCount })).toBeNull();
    }
  });

  it('lists every fault with the closest figure', () => {
    const message = (text: string, constraints: readonly string[] = []) => {
      try {
        readObjective(text, { constraints });
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(message('sharp')).toBe(
      'The objective and its constraints: 1 fault\n  --objective: unknown figure sharp; did you mean sharpe?',
    );
    expect(message('sharpe', ['qqqqqqqqqqqqq > 1', '1 +'])).toBe(
      'The objective and its constraints: 2 faults\n  --constraint: unknown figure qqqqqqqqqqqqq; see docs/metrics.md\n  --constraint: "1 +" ends too early',
    );
    expect(message('firstBar')).toContain('unknown figure firstBar');
  });
});
