import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff } from './diff-view.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 14 });

/**
 * Returns the length of the longest common subsequence, calculated with the standard dynamic programming
 * table.
 */
function longestCommon(before: readonly string[], after: readonly string[]): number {
  const table = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (const [x, old] of before.entries())
    for (const [y, own] of after.entries())
      table[x + 1]![y + 1] = old === own ? table[x]![y]! + 1 : Math.max(table[x]![y + 1]!, table[x + 1]![y]!);
  return table[before.length]![after.length]!;
}

describe('the difference of two texts', () => {
  it('contains both texts, and as many common lines as possible', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = lineDiff(before, after);
        const texts = (left: 'gone' | 'new'): string[] =>
          diff.filter(({ kind }) => kind !== left).map(({ text }) => text);
        expect(texts('new')).toEqual(before);
        expect(texts('gone')).toEqual(after);
        expect(diff.filter(({ kind }) => kind === 'same')).toHaveLength(longestCommon(before, after));
      }),
    );
  });

  it('contains the changed line', () => {
    expect(lineDiff(['cash 5', 'bar 1', 'x'], ['cash 5', 'bar 2', 'x'])).toEqual([
      { kind: 'same', text: 'cash 5' },
      { kind: 'gone', text: 'bar 1' },
      { kind: 'new', text: 'bar 2' },
      { kind: 'same', text: 'x' },
    ]);
  });

  it('is computed quickly for texts without common lines', () => {
    const texts = (name: string): string[] => Array.from({ length: 20_000 }, (_, at) => `${name} ${at}`);
    const diff = lineDiff(texts('old'), texts('new'));
    expect(diff.slice(0, 20_000).every(({ kind }) => kind === 'gone')).toBe(true);
    expect(diff.slice(20_000).every(({ kind }) => kind === 'new')).toBe(true);
  });
});
