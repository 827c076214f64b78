import { describe, expect, it } from 'vitest';
import { type Depth, inDepth, randomCases, readDepth, sampled } from './depth.ts';

const CASES = Array.from({ length: 23 }, (_, place) => place);

describe('the depth of the exhaustive tests', () => {
  it('is a sample unless SANDTABLE_DEEP asks for more', () => {
    expect(readDepth(undefined)).toBe('sample');
    expect(readDepth('')).toBe('sample');
    expect(readDepth('all')).toBe('all');
    expect(readDepth('2/5')).toEqual({ part: 2, parts: 5 });
  });

  it.each(['0/5', '6/5', '5', 'some', '1/0'])('is not %s', (text) => {
    expect(() => readDepth(text)).toThrow(`SANDTABLE_DEEP=${text} is invalid`);
  });

  it('samples every n-th case from a chosen one', () => {
    expect(sampled(CASES, 10, 0, 'sample')).toEqual([0, 10, 20]);
    expect(sampled(CASES, 10, 13, 'sample')).toEqual([3, 13]);
    expect(sampled(CASES, 10, 13, 'all')).toEqual(CASES);
  });

  it('gives the first case to a part that has none, because a test file needs a test', () => {
    const parts = [1, 2, 3].map((part) => sampled(['a', 'b'], 2, 0, { part, parts: 3 }));
    expect(parts).toEqual([['a'], ['b'], ['a']]);
  });

  it('runs each case in exactly one of the parts', () => {
    const parts = [1, 2, 3, 4, 5].map((part): Depth => ({ part, parts: 5 }));
    const run = parts.flatMap((depth) => sampled(CASES, 10, 0, depth));
    expect(run.sort((one, other) => one - other)).toEqual(CASES);
  });

  it('runs a slow case in one part, and not in the sample', () => {
    const parts = [1, 2, 3].map((part) => inDepth(4, { part, parts: 3 }));
    expect(parts).toEqual([false, true, false]);
    expect(inDepth(4, 'all')).toBe(true);
    expect(inDepth(4, 'sample')).toBe(false);
  });

  it('gives each part of a property test its own random cases', () => {
    expect(randomCases(20, 500, 'sample')).toEqual({ numRuns: 20 });
    expect(randomCases(20, 500, 'all')).toEqual({ numRuns: 500 });
    expect(randomCases(20, 500, { part: 2, parts: 5 })).toMatchObject({ numRuns: 100 });
  });
});
