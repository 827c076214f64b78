import { describe, expect, it } from 'vitest';
import { createRandom, parseInstant } from '../../kernel/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { fisherTest, matchTest } from './permutation.ts';
import { ofTwo, questionsOf, readSaid } from './probe.ts';

const bits = (text: string): boolean[] => [...text].map((sign) => sign === 'u');

describe("Fisher's test of predicted directions", () => {
  it.each([
    // There are C(8,4) = 70 ways to answer up four times. One has all right, and 16 more have three of the
    // four right: 17/70.
    ['uuuudddd', 'uuuudddd', 8, 1 / 70],
    ['uuuddddu', 'uuuudddd', 6, 17 / 70],
    // 3 ups, 2 up answers: two ups are hit with probability C(3,2)·C(2,0) / C(5,2) = 3/10, at least one with
    // 9/10.
    ['uuddd', 'uuudd', 4, 3 / 10],
    ['uddud', 'uuudd', 2, 9 / 10],
    // Constant answers show no knowledge, however often they are right.
    ['uuuuuuuu', 'uuuuuuud', 7, 1],
    ['dddddddd', 'uuuuuuud', 1, 1],
    ['', '', 0, 1],
  ])('returns the result for predictions %s and directions %s', (said, truth, right, probability) => {
    const score = fisherTest(bits(said), bits(truth));
    expect(score.right).toBe(right);
    expect(score.probability).toBeCloseTo(probability, 12);
  });

  it('returns the average of all assignments as the expected number', () => {
    // 4 of 8 answers are up and 4 questions are up. An assignment has 2 right ups and 2 right downs on
    // average.
    expect(fisherTest(bits('uuuudddd'), bits('uuuudddd')).expected).toBeCloseTo(4, 12);
  });
});

describe('the permutation test of predicted prices', () => {
  const random = () => createRandom(1, 'test');
  const matches = (...rows: readonly string[]): boolean[][] =>
    rows.map((row) => [...row].map((sign) => sign === 'x'));

  it('counts all permutations of a few answers', () => {
    // Of the 3! = 6 assignments, one has all three right, three have exactly one, and none has exactly two.
    expect(matchTest([matches('x..', '.x.', '..x')], random())).toEqual({
      right: 3,
      expected: 1,
      probability: 1 / 6,
    });
    const one = matchTest([matches('x..', '...', '...')], random());
    expect(one).toEqual({ right: 1, expected: 1 / 3, probability: 2 / 6 });
    expect(matchTest([matches('.x', 'x.')], random()).probability).toBe(1);
  });

  it('gives no weight to an answer that matches every date', () => {
    expect(matchTest([matches('xxx', 'xxx', 'xxx')], random())).toEqual({
      right: 3,
      expected: 3,
      probability: 1,
    });
  });

  it('samples permutations if there are many, and permutes only within a group', () => {
    const pair = matches('x.', '.x');
    // All four answers match. Of the 2 × 2 ways to order the answers within the two groups, only one does
    // this. The probability is therefore about 1/4.
    const { right, expected, probability } = matchTest([pair, pair], random());
    expect([right, expected]).toEqual([4, 2]);
    expect(probability).toBeGreaterThan(0.23);
    expect(probability).toBeLessThan(0.27);
    const nine = Array.from({ length: 9 }, (_, row) => `${'.'.repeat(row)}x${'.'.repeat(8 - row)}`);
    // One assignment of 9! = 362,880. Random draws rarely include it, but its probability is never reported
    // as 0.
    expect(matchTest([matches(...nine)], random()).probability).toBeLessThan(0.0005);
    expect(matchTest([matches(...nine)], random()).probability).toBeGreaterThan(0);
  });
});

describe('questions of a probe', () => {
  it('share no bars, and ask about each symbol more than once', () => {
    const market = simulateMarket({ seed: 3, bars: 600, symbols: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] });
    const questions = questionsOf(market, { questions: 30, seed: 2 });
    expect(questions.length).toBeGreaterThan(12);
    const spans = questions
      .map(({ from, to }) => [parseInstant(from)!, parseInstant(to)!] as const)
      .sort(([one], [other]) => one - other);
    for (const [index, [from]] of spans.entries()) expect(from).toBeGreaterThan(spans[index - 1]?.[1] ?? -1);
    expect(new Set(questions.map(({ symbol }) => symbol)).size).toBeLessThanOrEqual(5);
    for (const { symbol, to, truth } of questions) {
      const { time, close } = market.series[market.symbols.indexOf(symbol)]!;
      const bar = time.indexOf(parseInstant(to)!);
      expect(truth).toEqual({ direction: close[bar]! > close[bar - 20]! ? 'up' : 'down', close: close[bar] });
    }
  });
});

describe('the combined p-value of two tests', () => {
  it('is twice the smaller p-value, at most 1', () => {
    expect(ofTwo(0.004, 0.2)).toBe(0.008);
    expect(ofTwo(0.7, null)).toBe(1);
    expect(ofTwo(null, null)).toBeNull();
  });
});

describe('readSaid', () => {
  it.each([
    ['{"direction": "up", "close": 1200.5}', { direction: 'up', close: 1200.5 }],
    ['Here: ```json\n{"direction": "down", "close": null}\n```', { direction: 'down', close: null }],
    ['{"direction": "sideways", "close": "high"}', { direction: null, close: null }],
    ['I do not know.', { direction: null, close: null }],
  ])('parses %s', (text, said) => {
    expect(readSaid(text)).toEqual(said);
  });
});
