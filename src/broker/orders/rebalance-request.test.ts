import { describe, expect, it } from 'vitest';
import { Exact } from '../../kernel/index.ts';
import { percents, readRebalance, rebalanceFaults } from './rebalance-request.ts';

describe('a request to rebalance', () => {
  const read = (request: unknown, leverage?: number, leverageOf?: (symbol: string) => Exact | undefined) => {
    const { terms, faults } = readRebalance(request, leverage, leverageOf);
    const weights = Object.fromEntries([...terms.weights].map(([name, weight]) => [name, `${weight}`]));
    return { ...terms, weights, tolerance: `${terms.tolerance}`, faults };
  };
  const defaults = { tolerance: '0', keeps: false, reason: 'rebalance', faults: [] };

  it('by default has no tolerance, closes other positions, and has the reason "rebalance"', () => {
    expect(read({ weights: { A: '0.4', B: -0.1 } })).toEqual({
      ...defaults,
      weights: { A: '0.4', B: '-0.1' },
    });
    expect(read({ weights: {}, tolerance: 1, others: 'keep', reason: 'r'.repeat(501), cash: 0 })).toEqual({
      weights: {},
      tolerance: '1',
      keeps: true,
      reason: expect.stringMatching(/… \(cut from 501 characters\)$/),
      faults: [],
    });
    expect(read({ weights: {}, others: 'close' })).toEqual({ ...defaults, weights: {} });
  });

  it('allows weights up to the leverage, without the cash', () => {
    const faults = (weights: object, more: object = {}, leverage?: number): readonly string[] =>
      rebalanceFaults({ weights, ...more }, leverage);
    expect(faults({ A: 0.6, B: -0.4 }, {}, 1)).toEqual([]);
    expect(faults({ A: 1.000000001 }, {}, 1)).toEqual([]);
    expect(faults({ A: 1.0000000011 }, {}, 1)).toHaveLength(1);
    expect(faults({ A: 0.6, B: -0.5 }, {}, 1)).toEqual([
      'The weights sum to 110 %, with short weights counted as positive. At most 100 % is allowed.',
    ]);
    expect(faults({ A: 1.5 }, { cash: 0.25 }, 2)).toEqual([]);
    expect(faults({ A: 1.6 }, { cash: 0.25 }, 2)).toEqual([
      'The weights sum to 160 %, with short weights counted as positive. At most 150 % is allowed with a leverage of 2, with 25 % in cash.',
    ]);
    expect(faults({ A: 9 })).toEqual([]);
  });

  it('counts a weight by the margin that it needs', () => {
    const leverageOf = (symbol: string) => (symbol === 'B' ? Exact.of(10) : undefined);
    // A counts 0.5, and B counts 10 × 2 / 10 = 2. The limit is 2.
    expect(read({ weights: { A: 0.5, B: -10 } }, 2, leverageOf).faults).toEqual([
      'The weights sum to 250 %, with short weights counted as positive. At most 200 % is allowed with a leverage of 2.',
    ]);
    expect(read({ weights: { B: -10 } }, 2, leverageOf).faults).toEqual([]);
  });

  it('reports every fault', () => {
    const request = { weights: { A: 'x' }, tolerance: -0.1, cash: 1.5, others: 'sell', reason: 5, more: 1 };
    expect(read(request, 1).faults).toEqual([
      'Unknown field "more".',
      'The weight of A is "x", which is not a number.',
      'The tolerance is -10 %. Expected a value between 0 % and 100 %.',
      'The cash is 150 %. Expected a value between 0 % and 100 %.',
      'Invalid value "sell" of others. Expected close, keep.',
      'The reason must be a text. It is 5.',
    ]);
    expect(read([]).faults).toEqual(['The request is a list, which is not a portfolio.']);
    expect(read({ weights: null }).faults).toEqual([
      'The weights are null, which is not an object of weights by symbol.',
    ]);
    expect(read({ weights: {}, cash: 'x' }).faults).toEqual([
      'The cash is "x". Expected a value between 0 % and 100 %.',
    ]);
    expect(percents(Exact.of('0.125'))).toBe('12.5 %');
  });
});
