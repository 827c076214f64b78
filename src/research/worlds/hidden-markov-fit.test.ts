import { describe, expect, it } from 'vitest';
import { createRandom } from '../../kernel/index.ts';
import { firstGuess, fitHiddenMarkov } from './hidden-markov.ts';

type Rows = readonly (readonly number[])[];
type Matrix = readonly (readonly number[])[];
interface State {
  readonly mean: readonly number[];
  readonly covariance: Matrix;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Initial probabilities by row: rows are grouped by the mean absolute value of rows at most ten away. */
function guessOf(rows: Rows, kinds: number): number[][] {
  const scale = rows[0]!.map((_, i) => sum(rows.map((row) => Math.abs(row[i]!))) / rows.length);
  const size = rows.map((row) => sum(row.map((value, i) => Math.abs(value) / scale[i]!)));
  const wildness = rows.map((_, at) => {
    const near = size.filter((__, other) => Math.abs(other - at) <= 10);
    return sum(near) / near.length;
  });
  const order = range(rows.length).sort((a, b) => wildness[a]! - wildness[b]!);
  return rows.map((_, at) => {
    const state = Math.floor((order.indexOf(at) * kinds) / rows.length);
    return range(kinds).map((kind) => 0.1 / kinds + (kind === state ? 0.9 : 0));
  });
}

/** Returns the weighted mean and covariance. Only covariances of different values are shrunk. */
function stateOf(rows: Rows, weights: readonly number[], least: readonly number[]): State {
  const total = sum(weights);
  const size = rows[0]!.length;
  const mean = range(size).map((i) => sum(rows.map((row, at) => weights[at]! * row[i]!)) / total);
  const covariance = range(size).map((i) =>
    range(size).map((j) => {
      const own = sum(rows.map((row, at) => weights[at]! * (row[i]! - mean[i]!) * (row[j]! - mean[j]!)));
      return i === j ? Math.max(own / total, least[i]!) : (own / total) * (total / (total + size - 1));
    }),
  );
  return { mean, covariance };
}

/** Returns the density of a normal distribution with one or two values. */
function densityOf({ mean, covariance }: State, row: readonly number[]): number {
  const [x = 0, y = 0] = row.map((value, i) => value - mean[i]!);
  const [[a = 1, b = 0] = [], [, d = 1] = []] = covariance;
  if (row.length === 1) return Math.exp((-x * x) / a / 2) / Math.sqrt(2 * Math.PI * a);
  const determinant = a * d - b * b;
  const square = (d * x * x - 2 * b * x * y + a * y * y) / determinant;
  return Math.exp(-square / 2) / (2 * Math.PI * Math.sqrt(determinant));
}

/** Expectation maximisation without scaling. Underflows for long data, so the data must be short. */
function fitSimply(rows: Rows, kinds: number) {
  const states = range(kinds);
  const one = rows.map(() => 1);
  const none = rows[0]!.map(() => 0);
  const least = stateOf(rows, one, none).covariance.map((row, i) => row[i]! / 1_000);
  let posterior = guessOf(rows, kinds);
  const stay = kinds === 1 ? 1 : 0.95;
  let transitions = states.map((j) => states.map((k) => (j === k ? stay : (1 - stay) / (kinds - 1))));
  let start = states.map(() => 1 / kinds);
  let before = Number.NEGATIVE_INFINITY;
  for (let iteration = 1; ; iteration++) {
    const fitted = states.map((k) =>
      stateOf(
        rows,
        posterior.map((row) => row[k]!),
        least,
      ),
    );
    const density = rows.map((row) => fitted.map((state) => densityOf(state, row)));
    const forward: number[][] = [];
    for (const [at, own] of density.entries())
      forward.push(
        states.map(
          (k) =>
            own[k]! *
            (at === 0 ? start[k]! : sum(states.map((j) => forward[at - 1]![j]! * transitions[j]![k]!))),
        ),
      );
    const backward: number[][] = rows.map(() => states.map(() => 1));
    for (let at = rows.length - 2; at >= 0; at--)
      backward[at] = states.map((j) =>
        sum(states.map((k) => transitions[j]![k]! * density[at + 1]![k]! * backward[at + 1]![k]!)),
      );
    const likelihood = sum(forward.at(-1)!);
    posterior = forward.map((own, at) => own.map((value, k) => (value * backward[at]![k]!) / likelihood));
    const gain = Math.log(likelihood) - before;
    before = Math.log(likelihood);
    if (gain < 1e-7 * rows.length || iteration === 200)
      return { states: fitted, start, transitions, logLikelihood: before, posterior, iterations: iteration };
    const old = transitions;
    transitions = states.map((j) => {
      const moves = states.map((k) =>
        sum(
          range(rows.length - 1).map(
            (at) => forward[at]![j]! * old[j]![k]! * density[at + 1]![k]! * backward[at + 1]![k]!,
          ),
        ),
      );
      return moves.map((value) => value / sum(moves));
    });
    start = posterior[0]!;
  }
}

/** Returns rows that alternate between 18 calm rows and 12 volatile rows. */
function rowsOf(seed: number, count: number, size: number): number[][] {
  const random = createRandom(seed);
  return range(count).map((at) => {
    const first = random.normal();
    const scale = at % 30 < 18 ? 1 : 4;
    return range(size).map((i) => scale * (i === 0 ? first : 0.6 * first + random.normal()) + i);
  });
}

const close = (value: number) => expect.closeTo(value, 6) as number;

describe('the fit of a hidden Markov model', () => {
  it.each([
    [1, 1, 40],
    [1, 2, 60],
    [2, 1, 40],
    [2, 2, 60],
    [2, 3, 90],
    [1, 3, 75],
  ])('with %d values and %d states equals a simple implementation', (size, kinds, count) => {
    const rows = rowsOf(size + kinds, count, size);
    const found = fitHiddenMarkov(Float64Array.from(rows.flat()), size, kinds);
    const expected = fitSimply(rows, kinds);
    expect(found.iterations).toBe(expected.iterations);
    expect(found.logLikelihood).toBeCloseTo(expected.logLikelihood, 6);
    expect([...found.start]).toEqual(expected.start.map(close));
    expect([...found.transitions]).toEqual(expected.transitions.flat().map(close));
    expect([...found.posterior]).toEqual(expected.posterior.flat().map(close));
    for (const [k, { mean, factor, logDeterminant }] of found.states.entries()) {
      expect([...mean]).toEqual(expected.states[k]!.mean.map(close));
      const covariance = range(size).map((i) =>
        range(size).map((j) => sum(range(size).map((m) => factor[i * size + m]! * factor[j * size + m]!))),
      );
      const own = expected.states[k]!.covariance;
      expect(covariance).toEqual(own.map((row) => row.map(close)));
      const determinant = size === 1 ? own[0]![0]! : own[0]![0]! * own[1]![1]! - own[0]![1]! ** 2;
      expect(logDeterminant).toBeCloseTo(Math.log(determinant), 6);
    }
  });

  it('limits the variance of a state to at least a thousandth of the total variance', () => {
    const rows = range(60).map((at) => [at < 30 ? 0.0001 * (at % 2) : 10 * (at % 3) - 10]);
    const found = fitHiddenMarkov(Float64Array.from(rows.flat()), 1, 2);
    const expected = fitSimply(rows, 2);
    expect(found.states.map(({ factor }) => factor[0]! ** 2)).toEqual(
      expected.states.map(({ covariance }) => close(covariance[0]![0]!)),
    );
    const total = stateOf(
      rows,
      rows.map(() => 1),
      [0],
    ).covariance[0]![0]!;
    expect(found.states[0]!.factor[0]! ** 2).toBeCloseTo(total / 1_000, 9);
  });

  it('starts with equal numbers of rows per state, sorted by the volatility around a row', () => {
    for (const [size, kinds] of [
      [1, 2],
      [2, 3],
      [2, 4],
    ] as const) {
      const rows = rowsOf(9, 50, size);
      expect([...firstGuess(Float64Array.from(rows.flat()), size, kinds)]).toEqual(
        guessOf(rows, kinds).flat().map(close),
      );
    }
  });
});
