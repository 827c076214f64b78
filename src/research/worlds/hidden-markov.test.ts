import { describe, expect, it } from 'vitest';
import { createRandom } from '../../kernel/index.ts';
import {
  drawFrom,
  firstGuess,
  fitHiddenMarkov,
  forwardBackward,
  gaussian,
  logDensity,
  parameterCount,
} from './hidden-markov.ts';

const MODEL = {
  states: [
    gaussian(Float64Array.of(0.1, 0), Float64Array.of(1, 0.5, 0.5, 2)),
    gaussian(Float64Array.of(-0.5, 1), Float64Array.of(4, -1, -1, 3)),
  ],
  start: Float64Array.of(0.3, 0.7),
  transitions: Float64Array.of(0.9, 0.1, 0.25, 0.75),
};

describe('a hidden Markov model', () => {
  it('has the same likelihood and posterior as a sum over all state paths', () => {
    const rows = Float64Array.of(0.2, -1, 1.4, 0.3, -2.2, 2.5, 0.1, 0.4, -0.6, 3, 5, -4);
    const bars = rows.length / 2;
    const scratch = new Float64Array(2);
    let total = 0;
    const inFirst = new Float64Array(bars);
    const moves = new Float64Array(4);
    for (let path = 0; path < 2 ** bars; path++) {
      let probability = 1;
      for (let row = 0; row < bars; row++) {
        const state = (path >> row) & 1;
        const before =
          row === 0 ? MODEL.start[state]! : MODEL.transitions[((path >> (row - 1)) & 1) * 2 + state]!;
        probability *= before * Math.exp(logDensity(MODEL.states[state]!, rows, row, scratch));
      }
      total += probability;
      for (let row = 0; row < bars; row++) if (((path >> row) & 1) === 0) inFirst[row]! += probability;
      for (let row = 1; row < bars; row++)
        moves[((path >> (row - 1)) & 1) * 2 + ((path >> row) & 1)]! += probability;
    }
    const pass = forwardBackward(rows, 2, MODEL);
    expect(pass.logLikelihood).toBeCloseTo(Math.log(total), 10);
    for (let row = 0; row < bars; row++)
      expect(pass.posterior[row * 2]).toBeCloseTo(inFirst[row]! / total, 10);
    for (const state of [0, 1])
      expect(pass.transitions[state * 2]).toBeCloseTo(
        moves[state * 2]! / (moves[state * 2]! + moves[state * 2 + 1]!),
        10,
      );
  });

  it('has the density of the normal distribution', () => {
    // scipy.stats.multivariate_normal([0.1, 0], [[1, .5], [.5, 2]]).logpdf([0.2, -1]), by hand:
    // −ln 2π − ½ ln 1.75 − ½ (2·0.01 − 2·0.5·0.1·(−1) + 1·1) / 1.75
    const expected = -Math.log(2 * Math.PI) - 0.5 * Math.log(1.75) - (0.5 * (0.02 + 0.1 + 1)) / 1.75;
    expect(logDensity(MODEL.states[0]!, Float64Array.of(0.2, -1), 0, new Float64Array(2))).toBeCloseTo(
      expected,
      12,
    );
  });

  it('finds the regimes from which rows were drawn, calm ones first', () => {
    const random = createRandom(11);
    const rows = new Float64Array(2 * 4000);
    const row = new Float64Array(2);
    const calm = gaussian(Float64Array.of(0.05, 0.02), Float64Array.of(1, 0.6, 0.6, 1));
    const wild = gaussian(Float64Array.of(-0.3, -0.2), Float64Array.of(9, 8, 8, 9));
    let state = 0;
    let inWild = 0;
    for (let bar = 0; bar < 4000; bar++) {
      if (random.next() < (state === 0 ? 0.02 : 0.06)) state = 1 - state;
      inWild += state;
      drawFrom(state === 0 ? calm : wild, Float64Array.of(random.normal(), random.normal()), row);
      rows.set(row, 2 * bar);
    }
    const { states, transitions, posterior } = fitHiddenMarkov(rows, 2, 2);
    const [first, second] = states;
    expect(first!.factor[0]).toBeGreaterThan(0.95);
    expect(first!.factor[0]).toBeLessThan(1.05);
    expect(second!.factor[0]).toBeGreaterThan(2.8);
    expect(second!.factor[0]).toBeLessThan(3.2);
    // The rows of the volatile regime were drawn with a covariance of 8.
    expect(second!.factor[2]! * second!.factor[0]!).toBeGreaterThan(7);
    expect(second!.factor[2]! * second!.factor[0]!).toBeLessThan(9);
    expect(transitions[0]).toBeGreaterThan(0.97);
    expect(transitions[3]).toBeGreaterThan(0.92);
    const found = Array.from({ length: 4000 }, (_, bar) => posterior[2 * bar + 1]!).reduce(
      (a, b) => a + b,
      0,
    );
    expect(Math.abs(found - inWild)).toBeLessThan(200);
  });

  it('does not collapse onto a single row', () => {
    const random = createRandom(1);
    const rows = Float64Array.from({ length: 120 }, () => random.normal());
    rows[60] = 40;
    const { states, logLikelihood } = fitHiddenMarkov(rows, 1, 3);
    expect(Number.isFinite(logLikelihood)).toBe(true);
    for (const { factor } of states) expect(factor[0]).toBeGreaterThan(0.05);
  });
});

it('the initial guess assigns rows near large values to the volatile state, including the last rows', () => {
  const rows = Float64Array.from({ length: 80 }, (_, row) => (row < 60 ? 0.1 : 5));
  const guess = firstGuess(rows, 1, 4);
  const likeliest = (row: number): number => {
    const own = [...guess.subarray(row * 4, row * 4 + 4)];
    return own.indexOf(Math.max(...own));
  };
  expect([60, 65, 70, 75, 79].map((row) => likeliest(row) >= 2)).toEqual([true, true, true, true, true]);
  expect([72, 76, 79].map(likeliest)).toEqual([3, 3, 3]);
  expect([0, 5].map((row) => likeliest(row) < 3)).toEqual([true, true]);
  const early = firstGuess(
    Float64Array.from({ length: 80 }, (_, row) => (row < 20 ? 5 : 0.1)),
    1,
    4,
  );
  expect([0, 5, 79, 78, 70].map((row) => early[row * 4 + 3]! > 0.9)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  const sums = Array.from({ length: 80 }, (_, row) =>
    guess.subarray(row * 4, row * 4 + 4).reduce((a, b) => a + b, 0),
  );
  for (const sum of sums) expect(sum).toBeCloseTo(1, 12);
});

it.each([
  // Values per row, states, and expected parameters. Each state has one mean per value and one covariance per
  // pair of values. Several states also have transition and start probabilities.
  [1, 1, 2],
  [2, 1, 5],
  [3, 1, 9],
  [1, 2, 2 * 2 + 2 + 1],
  [2, 3, 3 * 5 + 6 + 2],
])('has for %d values and %d states %d free parameters', (size, states, count) => {
  expect(parameterCount(size, states)).toBe(count);
});
