import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WordIndex } from './word-index.ts';
import { WordTable, wordsOf } from './word-table.ts';

/** Direct implementation of the BM25 formula over all texts. */
function scoresOf(texts: readonly string[], query: string): Map<number, number> {
  const lists = texts.map((text) => [...wordsOf(text)]);
  const average = lists.reduce((sum, words) => sum + words.length, 0) / lists.length;
  const scores = new Map<number, number>();
  for (const word of new Set(wordsOf(query))) {
    const holding = lists.filter((words) => words.includes(word)).length;
    const rarity = Math.log(1 + (lists.length - holding + 0.5) / (holding + 0.5));
    for (const [number, words] of lists.entries()) {
      const often = words.filter((one) => one === word).length;
      if (often === 0) continue;
      const score = (rarity * often * 2.2) / (often + 1.2 * (1 - 0.75 + (0.75 * words.length) / average));
      scores.set(number, (scores.get(number) ?? 0) + score);
    }
  }
  return scores;
}

const text = fc
  .array(fc.constantFrom('oil', 'rate', 'cut', 'gain', 'Bank', 'of', 'the', 'über', '2024'), {
    maxLength: 12,
  })
  .map((words) => words.join(' '));
const all = (): boolean => true;

describe('a word index', () => {
  it('splits text of any script into lower-case runs of letters and digits', () => {
    expect(wordsOf("The Fed's Q3-2024 RATE cut")).toEqual(['the', 'fed', 's', 'q3', '2024', 'rate', 'cut']);
    expect(wordsOf('Über 3,5 % — 利率')).toEqual(['über', '3', '5', '利率']);
  });

  it('computes scores by the documented formula', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), text, (texts, query) => {
        const index = new WordIndex();
        for (const one of texts) index.add(one);
        const expected = scoresOf(texts, query);
        const { matches, total } = index.search(query, 100, all);
        expect(total).toBe(expected.size);
        for (const match of matches) expect(match.score).toBeCloseTo(expected.get(match.text)!, 9);
      }),
    );
  });

  it('returns the best matches of the complete ranking', () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 40 }),
        text,
        fc.integer({ min: 1, max: 9 }),
        (texts, query, limit) => {
          const index = new WordIndex();
          for (const one of texts) index.add(one);
          const whole = index.search(query, 1000, all).matches;
          const byHand = [...whole].sort((a, b) => b.score - a.score || b.text - a.text);
          expect(whole).toEqual(byHand);
          expect(index.search(query, limit, all).matches).toEqual(whole.slice(0, limit));
        },
      ),
    );
  });

  it('counts texts that a filter excludes for scores, but does not return them', () => {
    const index = new WordIndex();
    for (const one of ['oil up', 'oil down', 'rate cut']) index.add(one);
    const { matches, total } = index.search('oil', 10, (number) => number !== 0);
    expect(total).toBe(1);
    expect(matches).toEqual(index.search('oil', 10, all).matches.filter((match) => match.text !== 0));
  });

  it('finds all texts that contain a frequent word', () => {
    const index = new WordIndex();
    const holds = (number: number, step: number): boolean => number % step === 0;
    for (let number = 0; number < 30_000; number++)
      index.add(`${holds(number, 2) ? 'oil ' : ''}${holds(number, 3) ? 'rate rate ' : ''}gas`);
    for (const [word, step] of [
      ['oil', 2],
      ['rate', 3],
      ['gas', 1],
    ] as const) {
      const met: number[] = [];
      const { total } = index.search(word, 1, (text) => met.push(text) > 0);
      expect(total).toBe(30_000 / step);
      expect(met).toEqual(Array.from({ length: total }, (_, place) => place * step));
    }
  });
});

describe('a word table', () => {
  it('assigns a distinct number to each word, which never changes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ maxLength: 30 }))),
        fc.integer({ min: 0, max: 3000 }),
        (texts, more) => {
          const table = new WordTable();
          const numbers = new Map<string, number>();
          const many = Array.from({ length: more }, (_, number) => `w${number * 7919}`).join(' ');
          for (const one of [...texts, many, ...texts]) {
            const words = wordsOf(one);
            for (const word of words) if (!numbers.has(word)) numbers.set(word, numbers.size);
            expect([...table.numbered(one)]).toEqual(words.map((word) => numbers.get(word)));
          }
          expect(table.length).toBe(numbers.size);
          for (const [word, number] of numbers) expect(table.find(word)).toBe(number);
          expect(table.find('never met')).toBeUndefined();
        },
      ),
      { numRuns: 30 },
    );
  });

  it('distinguishes words with the same hash and length', () => {
    const table = new WordTable();
    expect([...table.numbered('declinate macallums declinate')]).toEqual([0, 1, 0]);
    expect(table.find('macallums')).toBe(1);
  });
});

describe('a long text', () => {
  it('counts a word up to 255 times, and the words of the text without a limit', () => {
    const index = new WordIndex();
    index.add('oil '.repeat(300));
    index.add('oil '.repeat(254));
    index.add('gas');
    const [many, few] = [300, 254].map((length) => {
      const often = Math.min(length, 255);
      const average = (300 + 254 + 1) / 3;
      return (Math.log(1 + 1.5 / 2.5) * often * 2.2) / (often + 1.2 * (0.25 + (0.75 * length) / average));
    });
    const { matches } = index.search('oil', 9);
    expect(new Map(matches.map(({ text, score }) => [text, score.toFixed(12)]))).toEqual(
      new Map([
        [0, many!.toFixed(12)],
        [1, few!.toFixed(12)],
      ]),
    );
    expect(index.length).toBe(3);
    expect(new WordIndex().search('oil', 9)).toEqual({ matches: [], total: 0 });
    expect(index.search('oil oil OIL', 9)).toEqual(index.search('oil', 9));
    expect(index.search('oil', 0)).toEqual({ matches: [], total: 2 });
  });
});
