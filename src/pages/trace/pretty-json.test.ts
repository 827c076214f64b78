import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prettyJson } from './model-blocks.ts';

describe('JSON with a line for each value', () => {
  it('is what JSON.stringify makes of it, however it was written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const pretty = JSON.stringify(value, null, 2);
        expect(prettyJson(JSON.stringify(value))).toBe(pretty);
        expect(prettyJson(pretty)).toBe(pretty);
      }),
    );
  });

  it('keeps numbers as they were written', () => {
    expect(prettyJson('{"a": 1.50, "b": [12345678901234567890]}')).toBe(
      '{\n  "a": 1.50,\n  "b": [\n    12345678901234567890\n  ]\n}',
    );
  });

  it.each(['words', '{"half":', '42', '{a}'])('is none of %s', (text) => {
    expect(prettyJson(text)).toBeUndefined();
  });
});
