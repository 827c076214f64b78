import { expect, it } from 'vitest';
import { createRandom } from '../../../kernel/random.ts';
import { calibratedTail, interval, meanError, pairedDifference, pairedResamples } from './bootstrap.ts';
import { drawResamples } from './resamples.ts';

const RESAMPLES = 1_000;

function returnsOf(count: number, stream: string): Float64Array {
  const random = createRandom(7, stream);
  return Float64Array.from({ length: count }, () => 0.001 + 0.01 * random.normal());
}

const draw = (sessions: number, blockLength: number) =>
  drawResamples(sessions, Math.max(2, blockLength), createRandom(3, 'draws'));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const meanOf = (values: readonly number[]): number => sum(values) / values.length;

/** Quantile by linear interpolation between the two nearest values. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return low + (high - low) * (place % 1);
}

function sharpeOf(returns: readonly number[]): number {
  const mean = meanOf(returns);
  return mean / Math.sqrt(sum(returns.map((one) => (one - mean) ** 2)) / (returns.length - 1));
}

it('returns the intervals of resamples that are computed one by one', () => {
  const [first, second] = [returnsOf(80, 'first'), returnsOf(80, 'second')];
  const { resamples, differences, tail } = pairedResamples(first, second, draw);
  expect([...differences]).toEqual([...first].map((one, at) => one - second[at]!));
  const { starts, ends, firstBlocks } = resamples;
  const drawn = Array.from({ length: RESAMPLES }, (_, resample) => {
    const sessions: number[] = [];
    for (let block = firstBlocks[resample]!; block < firstBlocks[resample + 1]!; block++)
      for (let at = starts[block]!; at < ends[block]!; at++) sessions.push(at % 80);
    expect(sessions).toHaveLength(80);
    const [a, b] = [sessions.map((at) => first[at]!), sessions.map((at) => second[at]!)];
    return { mean: meanOf(a) - meanOf(b), sharpe: sharpeOf(a) - sharpeOf(b) };
  });
  const found = pairedDifference(first, second, 252, draw)!;
  expect(found).toMatchObject({ resamples: RESAMPLES, blockLength: resamples.blockLength, confidence: 0.95 });
  const means = drawn.map(({ mean }) => mean * 252);
  const sharpes = drawn.map(({ sharpe }) => sharpe * Math.sqrt(252));
  // The lower bound of the interval must be above the smallest resampled mean, because a share of the
  // resamples is omitted at each end.
  expect(Math.min(...means)).toBeLessThan(found.meanReturn.low);
  for (const [{ estimate, low, high }, values, expected] of [
    [found.meanReturn, means, (meanOf([...first]) - meanOf([...second])) * 252],
    [found.sharpe!, sharpes, (sharpeOf([...first]) - sharpeOf([...second])) * Math.sqrt(252)],
  ] as const) {
    expect(estimate).toBeCloseTo(expected, 10);
    expect(low).toBeCloseTo(quantile(values, tail), 10);
    expect(high).toBeCloseTo(quantile(values, 1 - tail), 10);
  }
});

it('needs ten sessions, and returns that vary for an interval of the Sharpe ratio', () => {
  const returns = returnsOf(10, 'short');
  expect(pairedDifference(returns.subarray(1), returns.subarray(1), 252, draw)).toBeUndefined();
  expect(pairedDifference(returns, returnsOf(10, 'other'), 252, draw)?.sharpe).toBeDefined();
  const constant = pairedDifference(returns, new Float64Array(10), 252, draw)!;
  expect(constant.sharpe).toBeUndefined();
  expect(constant.meanReturn.low).toBeLessThan(constant.meanReturn.high);
  // Some resamples of ten sessions omit the only session that varies.
  const once = pairedDifference(returns, new Float64Array(10).fill(1, 0, 1), 252, draw)!;
  expect(once.sharpe).toBeUndefined();
});

it('calibrates the tail by the standard deviation of the resamples', () => {
  const differences = returnsOf(60, 'differences');
  const { error, degrees } = meanError(differences);
  expect(degrees).toBeCloseTo((1.5 * 59) / 8 - 2, 12);
  // The 95 % quantile of Student's t for 9.0625 degrees of freedom is between the quantiles for 9 and 10
  // degrees in printed tables.
  const [nine, ten] = [2.262157, 2.228139];
  const reach = nine + 0.0625 * (ten - nine);
  // Means at ± d have the standard deviation d √(n / (n − 1)). Φ(−1.96) is 0.0249979.
  const d = (reach * error) / 1.96 / Math.sqrt(1_000 / 999);
  const means = Float64Array.from({ length: 1_000 }, (_, at) => 0.3 + (at % 2 === 0 ? d : -d));
  expect(calibratedTail(differences, means)).toBeCloseTo(0.0249979, 4);
});

/** Standard error of a mean, computed directly from its definition. */
function plainError(values: readonly number[]): number {
  const count = values.length;
  const rest = values.map((value) => value - meanOf(values));
  const lagged = rest.slice(1).map((value, at) => value * rest[at]!);
  const plain = sum(lagged) / sum(rest.slice(0, -1).map((value) => value ** 2));
  const persistence = Math.min(0.97, Math.max(-0.97, (plain * count + 1) / (count - 3)));
  const residuals = rest.slice(1).map((value, at) => value - persistence * rest[at]!);
  const centred = residuals.map((value) => value - meanOf(residuals));
  const block = Math.round(2 * count ** (1 / 3));
  const sums = centred.map((_, at) =>
    sum(Array.from({ length: block }, (_, next) => centred[(at + next) % (count - 1)]!)),
  );
  const variance = meanOf(sums.map((one) => one ** 2)) / block / (1 - block / (count - 1));
  return Math.sqrt((variance * (count - 1)) / (count - 2) / count) / (1 - persistence);
}

it.each([
  ['independent values', (at: number) => Math.sin(at * at)],
  ['a rising series', (at: number) => at + 0.1 * Math.sin(at * at)],
  ['alternating values', (at: number) => (-1) ** at + 0.01 * Math.sin(at * at)],
])('estimates the error of a mean as defined: %s', (_, value) => {
  for (const count of [10, 41, 90]) {
    const values = Array.from({ length: count }, (_, at) => value(at));
    const { error } = meanError(Float64Array.from(values));
    expect(error / plainError(values)).toBeCloseTo(1, 8);
  }
});

it('interpolates the quantiles of an interval', () => {
  const values = Float64Array.of(4, 0, 1, 3, 2);
  expect(interval(9, values, 0.125)).toEqual({ estimate: 9, low: 0.5, high: 3.5 });
  expect([...values]).toEqual([4, 0, 1, 3, 2]);
});
