import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubledKeys } from './index.ts';

describe('duplicate keys of a JSON text', () => {
  it.each([
    ['{"a": 1,\n "a": 2}', ['f line 2: duplicate key "a": remove one of them']],
    ['{"a": {"b": 1}, "c": {"b": 1}, "d": [{"b": 1}, {"b": 1}]}', []],
    ['{"a": {"x": 1, "\\u0078": 2}}', ['f line 1: duplicate key "\\u0078": remove one of them']],
    ['{"a": "a", "b": "{\\"a\\": 1, \\"a\\": 2}"}', []],
    ['{"a": [1, {"a": 1}, 2], "a" : 3}', ['f line 1: duplicate key "a": remove one of them']],
    ['[]', []],
  ])('are found in %s', (text, faults) => {
    expect(doubledKeys(text, 'f').map(({ where, message }) => `${where}: ${message}`)).toEqual(faults);
  });

  it('do not occur in JSON written from a value', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(3), (text, indent) => {
        const written = JSON.stringify(JSON.parse(text), null, indent);
        expect(doubledKeys(written, 'f')).toEqual([]);
        const twice = `{"k": ${written}, "j": 0,\n"k": ${written}}`;
        expect(doubledKeys(twice, 'f')).toHaveLength(1);
      }),
    );
  });
});
