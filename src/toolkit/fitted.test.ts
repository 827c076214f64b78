import { describe, expect, it } from 'vitest';
import { fittedTypes } from './arguments.ts';
import { toolDefinitions } from './schemas.ts';

const schemaOf = (name: string) => toolDefinitions([name])[0]!.function.parameters;

describe('tool arguments of the wrong type', () => {
  it('are converted if only one value is possible', () => {
    expect(fittedTypes({ bars: '7' }, schemaOf('market_history'))).toEqual({ bars: 7 });
    expect(fittedTypes({ bars: ' 7 ' }, schemaOf('market_history'))).toEqual({ bars: 7 });
  });

  it('are converted under property names that the schema does not list', () => {
    const given = { weights: { SPX: '40', AAPL: 20 }, cash: '5' };
    expect(fittedTypes(given, schemaOf('portfolio_rebalance'))).toEqual({
      weights: { SPX: 40, AAPL: 20 },
      cash: 5,
    });
    const odd = { weights: { SPX: 'forty' }, cash: 5 };
    expect(fittedTypes(odd, schemaOf('portfolio_rebalance'))).toBe(odd);
  });

  it('are not converted if they are invalid, so that the tool refuses them', () => {
    for (const bars of ['seven', '7.5', '0x7', '', null, [7]])
      expect(fittedTypes({ bars }, schemaOf('market_history'))).toEqual({ bars });
  });

  it('are the same object if nothing is converted', () => {
    const given = { bars: 7, other: 'x' };
    expect(fittedTypes(given, schemaOf('market_history'))).toBe(given);
  });

  it('are converted to Booleans, texts and lists if only these are allowed', () => {
    const schema = {
      type: 'object',
      properties: {
        flag: { type: 'boolean' },
        name: { type: 'string' },
        list: { type: 'array', items: { type: 'string' } },
      },
    } as unknown as Parameters<typeof fittedTypes>[1];
    expect(fittedTypes({ flag: 'True', name: 5, list: 'SPX' }, schema)).toEqual({
      flag: true,
      name: '5',
      list: ['SPX'],
    });
    expect(fittedTypes({ flag: 'yes', name: null, list: 'A, B' }, schema)).toEqual({
      flag: 'yes',
      name: null,
      list: 'A, B',
    });
  });
});
