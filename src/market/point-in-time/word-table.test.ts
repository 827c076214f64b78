import { describe, expect, it } from 'vitest';
import { longer, WordTable } from './word-table.ts';

const letters = (value: number): string =>
  [...String(value)].map((digit) => 'abcdefghij'[Number(digit)]).join('');

describe('a word table', () => {
  it('numbers words in the order of their first occurrence, in lower case', () => {
    const table = new WordTable();
    expect([...table.numbered('The cat, the DOG.')]).toEqual([0, 1, 0, 2]);
    expect([...table.numbered('dog')]).toEqual([2]);
    expect([table.find('the'), table.find('dog'), table.find('bird'), table.find('')]).toEqual([
      0,
      2,
      undefined,
      undefined,
    ]);
    expect(table.length).toBe(3);
  });

  it('grows for a first text of many words and for one long word', () => {
    // More characters than the initial capacity of a table (4,096).
    const words = Array.from({ length: 2_500 }, (_, at) => `w${letters(at)}`);
    for (const text of [words.join(' '), words.join(' ').replaceAll('w', 'é')]) {
      const table = new WordTable();
      expect([...table.numbered(text)]).toEqual(words.map((_, at) => at));
      expect(text.split(' ').every((word, at) => table.find(word) === at)).toBe(true);
    }
    const table = new WordTable();
    const long = 'x'.repeat(9_000);
    expect([...table.numbered(`a ${long} b ${long}`)]).toEqual([0, 1, 2, 1]);
    expect(table.find(long.slice(1))).toBeUndefined();
  });

  it('has the same numbers for any division of the words into texts', () => {
    const words = Array.from({ length: 5_000 }, (_, at) => letters((at * 7919) % 3_000));
    const [whole, parts] = [new WordTable(), new WordTable()];
    const numbers = [...whole.numbered(words.join(' '))];
    expect(words.flatMap((word) => [...parts.numbered(word)])).toEqual(numbers);
    expect(whole.length).toBe(3_000);
    expect(parts.length).toBe(3_000);
  });
});

describe('an array that grows', () => {
  it.each([
    [100, 150, 150],
    [100, 101, 150],
    [100, 151, 151],
  ])('from %i numbers for %i has a capacity of %i', (length, needed, capacity) => {
    const found = longer(new Int32Array(length).fill(7), needed);
    expect(found.length).toBe(capacity);
    expect(found[length - 1]).toBe(7);
    expect(found[length]).toBe(0);
  });
});
