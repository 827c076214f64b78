import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WordIndex, wordsOf } from './word-index.ts';

/** BM25 as its formula is written down, over all texts at once. */
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

describe('an index of words', () => {
  it('takes runs of letters and digits in small letters, of any script', () => {
    expect(wordsOf("The Fed's Q3-2024 RATE cut")).toEqual(['the', 'fed', 's', 'q3', '2024', 'rate', 'cut']);
    expect(wordsOf('Über 3,5 % — 利率')).toEqual(['über', '3', '5', '利率']);
  });

  it('scores as the formula over the texts in it does', () => {
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

  it('gives the best so many: those of the whole order', () => {
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

  it('counts what is not allowed in scores and nowhere else', () => {
    const index = new WordIndex();
    for (const one of ['oil up', 'oil down', 'rate cut']) index.add(one);
    const { matches, total } = index.search('oil', 10, (number) => number !== 0);
    expect(total).toBe(1);
    expect(matches).toEqual(index.search('oil', 10, all).matches.filter((match) => match.text !== 0));
  });
});
