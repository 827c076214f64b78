import { describe, expect, it } from 'vitest';
import { type Depth, inDepth, randomCases, readDepth, sampled } from './depth.ts';

const CASES = Array.from({ length: 23 }, (_, place) => place);

describe('the number of cases in the exhaustive tests', () => {
  it('is a sample unless SANDTABLE_DEEP is set', () => {
    expect(readDepth(undefined)).toBe('sample');
    expect(readDepth('')).toBe('sample');
    expect(readDepth('all')).toBe('all');
    expect(readDepth('2/5')).toEqual({ part: 2, parts: 5 });
  });

  it.each(['0/5', '6/5', '5', 'some', '1/0'])('may not be %s', (text) => {
    expect(() => readDepth(text)).toThrow(`SANDTABLE_DEEP=${text} is invalid`);
  });

  it('includes every n-th case from a selected one', () => {
    expect(sampled(CASES, 10, 0, 'sample')).toEqual([0, 10, 20]);
    expect(sampled(CASES, 10, 13, 'sample')).toEqual([3, 13]);
    expect(sampled(CASES, 10, 13, 'all')).toEqual(CASES);
  });

  it('includes the first case in an empty part, because a test file needs a test', () => {
    const parts = [1, 2, 3].map((part) => sampled(['a', 'b'], 2, 0, { part, parts: 3 }));
    expect(parts).toEqual([['a'], ['b'], ['a']]);
  });

  it('assigns each case to exactly one part', () => {
    const parts = [1, 2, 3, 4, 5].map((part): Depth => ({ part, parts: 5 }));
    const run = parts.flatMap((depth) => sampled(CASES, 10, 0, depth));
    expect(run.sort((one, other) => one - other)).toEqual(CASES);
  });

  it('includes a slow case in one part, and not in the sample', () => {
    const parts = [1, 2, 3].map((part) => inDepth(4, { part, parts: 3 }));
    expect(parts).toEqual([false, true, false]);
    expect(inDepth(4, 'all')).toBe(true);
    expect(inDepth(4, 'sample')).toBe(false);
  });

  it('uses separate random cases of a property test in each part', () => {
    expect(randomCases(20, 500, 'sample')).toEqual({ numRuns: 20 });
    expect(randomCases(20, 500, 'all')).toEqual({ numRuns: 500 });
    expect(randomCases(20, 500, { part: 2, parts: 5 })).toMatchObject({ numRuns: 100 });
  });
});
