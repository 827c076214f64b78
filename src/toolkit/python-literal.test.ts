import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../engine/index.ts';
import { pythonCalls, pythonLiteral } from './python-literal.ts';

describe('pythonLiteral', () => {
  it.each([
    ["{'symbol': 'AAPL', 'all': True, 'none': None}", { symbol: 'AAPL', all: true, none: null }],
    ["{'a': [1, -2.5, 1e3], 'b': (1,), 'c': {}}", { a: [1, -2.5, 1000], b: [1], c: {} }],
    ['{"it\'s": "a \\"word\\"", \'line\': \'one\\ntwo\',}', { "it's": 'a "word"', line: 'one\ntwo' }],
    ["{'code': '''a = 1\nb = 2'''}", { code: 'a = 1\nb = 2' }],
    ['1_000', 1000],
  ])('reads %s', (text, value) => {
    expect(pythonLiteral(text)).toEqual(value);
  });

  it.each(["{'a': 1", "{'a': name}", "{'a': f(1)}", 'buy', '', "{1: 'a'}", "{'a': 1} and more", "['a' 1]"])(
    'returns undefined for %s',
    (text) => {
      expect(pythonLiteral(text)).toBeUndefined();
    },
  );

  it('returns undefined for endlessly nested brackets', () => {
    expect(pythonLiteral('['.repeat(100_000))).toBeUndefined();
  });

  it('reads every JSON text, except for its constants the same syntax', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, noUnicodeString: true }), (value) => {
        const text = JSON.stringify(value);
        expect(pythonLiteral(text)).toEqual(JSON.parse(text) as Json);
      }),
    );
  });
});

describe('pythonCalls', () => {
  it('reads one call and a list of calls', () => {
    expect(pythonCalls("market_history(symbol='AAPL', bars=5)")).toEqual([
      { name: 'market_history', arguments: { symbol: 'AAPL', bars: 5 } },
    ]);
    expect(pythonCalls('[account_status(), compute(code="1 + 1")]')).toEqual([
      { name: 'account_status', arguments: {} },
      { name: 'compute', arguments: { code: '1 + 1' } },
    ]);
  });

  it.each(['[buy]', 'f(1)', '[f(a=1)', 'f(a=1) and g(b=2)', 'I hold (for now).', ''])(
    'returns undefined for %s',
    (text) => {
      expect(pythonCalls(text)).toBeUndefined();
    },
  );
});
