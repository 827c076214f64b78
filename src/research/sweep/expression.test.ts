import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExpression, readObjective } from './objective.ts';

const figures = { sharpe: 1.5, cagr: 0.2, maxDrawdown: -0.1, tradeCount: 40, sortino: null };
const value = (text: string) => readExpression(text).evaluate(figures);

describe('an expression', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['10 - 4 - 3', 3],
    ['7 % 4', 3],
    ['cagr / abs(maxDrawdown)', 2],
    ['max(1, sharpe, 0.5) + min(2, 3)', 3.5],
    ['tradeCount >= 30 && sharpe > 1', 1],
    ['tradeCount < 30 || sharpe == 1.5', 1],
    ['1e-3 + .5', 0.501],
  ])('%s is %d', (text, expected) => {
    expect(value(text)).toBeCloseTo(expected, 12);
  });

  it('is NaN if a figure is undefined', () => {
    for (const text of ['sortino', 'sortino + 1', 'sortino >= 0', 'missing * 2'])
      expect(value(text)).toBeNaN();
  });

  it.each([
    '',
    '1 +',
    '(1',
    'sharpe sharpe',
    'eval(1)',
    'sharpe.x',
    'a[0]',
    '1 = 1',
    'constructor(1)',
    '"text"',
  ])('%j is refused', (text) => {
    expect(() => readExpression(text)).toThrow(expect.objectContaining({ code: 'bad_expression' }));
  });

  it('returns a number or is refused, for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(typeof readExpression(text).evaluate(figures)).toBe('number');
        } catch (error) {
          expect((error as { code: string }).code).toBe('bad_expression');
        }
      }),
    );
  });
});

describe('an objective', () => {
  it('has no value if a constraint is not met', () => {
    const objective = readObjective('sharpe', { constraints: ['tradeCount >= 50'] });
    expect(objective.valueOf({ ...figures })).toBe(null);
    expect(objective.plainValueOf({ ...figures })).toBe(1.5);
    expect(objective.valueOf({ ...figures, tradeCount: 50 })).toBe(1.5);
  });

  it('reports every unknown figure with the closest name', () => {
    expect(() => readObjective('sharp', { constraints: ['trades > 3', 'cagr >'] })).toThrow(
      /3 faults[\s\S]*did you mean sharpe\?[\s\S]*trades[\s\S]*ends too early/,
    );
  });
});
