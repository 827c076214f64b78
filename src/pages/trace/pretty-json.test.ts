import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prettyJson } from './model-blocks.ts';

describe('formatted JSON', () => {
  it('equals the output of JSON.stringify, for any input form', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const pretty = JSON.stringify(value, null, 2);
        expect(prettyJson(JSON.stringify(value))).toBe(pretty);
        expect(prettyJson(pretty)).toBe(pretty);
      }),
    );
  });

  it('preserves the notation of numbers', () => {
    expect(prettyJson('{"a": 1.50, "b": [12345678901234567890]}')).toBe(
      '{\n  "a": 1.50,\n  "b": [\n    12345678901234567890\n  ]\n}',
    );
  });

  it.each(['words', '{"half":', '42', '{a}'])('is undefined for %s', (text) => {
    expect(prettyJson(text)).toBeUndefined();
  });
});
