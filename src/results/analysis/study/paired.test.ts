import { expect, it } from 'vitest';
import { createRandom } from '../../../kernel/random.ts';
import { blockLengthOf, longestBlock } from '../series/block-length.ts';
import { studentQuantile, studentTwoSided } from '../series/distributions.ts';
import { holmCorrected, studyDifference } from './paired.ts';

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
const meanOf = (values: readonly number[]): number => sum(values) / values.length;
const centred = (values: readonly number[]): number[] => values.map((value) => value - meanOf(values));

interface Part {
  readonly variance: number;
  readonly degrees: number;
}

/** Computes the variance by the stationary bootstrap from every circular lag. */
function plainPart(windows: readonly (readonly number[])[], blockLength: (count: number) => number): Part {
  const parts = windows.map((values) => {
    const [count, apart] = [values.length, centred(values)];
    const q = 1 - 1 / blockLength(count);
    const weights = values.map((_, lag) => (1 - lag / count) * q ** lag + (lag / count) * q ** (count - lag));
    const covariances = values.map((_, lag) => sum(apart.map((one, at) => one * apart[(at + lag) % count]!)));
    return {
      count,
      sum: sum(weights.map((weight, lag) => weight * covariances[lag]!)),
      mean: count - sum(weights),
      spread: count * sum(weights.map((weight) => weight ** 2)) - sum(weights) ** 2,
    };
  });
  const total = (name: 'count' | 'sum' | 'mean' | 'spread'): number => sum(parts.map((part) => part[name]));
  return {
    variance: (total('sum') * total('count')) / total('mean'),
    degrees: total('mean') ** 2 / total('spread'),
  };
}

/** Computes the variance from the sessions directly from the definition, with an estimated block length. */
function chosenPart(windows: readonly (readonly number[])[]): Part {
  const sessions = windows.flat().length;
  if (sessions < 10 * windows.length) return plainPart(windows, (count) => Math.round(Math.cbrt(count)));
  const apart = windows.map(centred);
  const products = apart.flatMap((values) => values.slice(1).map((value, at) => value * values[at]!));
  const squares = apart.flatMap((values) => values.slice(0, -1).map((value) => value ** 2));
  const each = sessions / windows.length;
  const plain = ((sum(products) / sum(squares)) * each + 1) / (each - 3);
  const persistence = Math.min(0.97, Math.max(-0.97, plain));
  const rests = apart
    .map((values) => values.slice(1).map((value, at) => value - persistence * values[at]!))
    .filter(({ length }) => length > 0);
  const needed = blockLengthOf(Float64Array.from(rests.flatMap(centred)));
  const part = plainPart(rests, (count) => Math.min(Math.max(Math.cbrt(count), needed), longestBlock(count)));
  return {
    variance: (part.variance * sessions) / (rests.flat().length - 1) / (1 - persistence) ** 2,
    degrees: Math.max(1, part.degrees - 1),
  };
}

type Arm = readonly (readonly (readonly number[])[])[];

/** Computes the paired difference directly from its definition. */
function plainDifference(first: Arm, second: Arm, periodsPerYear: number) {
  const meanSample = (samples: readonly (readonly number[])[]): number[] =>
    samples[0]!.map((_, at) => meanOf(samples.map((returns) => returns[at]!)));
  const windows = first.map((samples, place) =>
    meanSample(samples).map((value, at) => value - meanSample(second[place]!)[at]!),
  );
  const ofSamples = [...first, ...second]
    .filter(({ length }) => length > 1)
    .map((samples) => {
      const apart = centred(samples.map(sum));
      const degrees = samples.length - 1;
      return { variance: sum(apart.map((one) => one ** 2)) / degrees / samples.length, degrees };
    });
  const total = sum(windows.flat());
  const scale = periodsPerYear / windows.flat().length;
  const tests = [[chosenPart(windows), ...ofSamples], ofSamples]
    .filter(({ length }) => length > 0)
    .map((parts) => {
      const variance = sum(parts.map((part) => part.variance));
      const degrees = variance ** 2 / sum(parts.map((part) => part.variance ** 2 / part.degrees));
      return {
        reach: scale * Math.sqrt(variance) * studentQuantile(0.95, degrees),
        p: studentTwoSided(total / Math.sqrt(variance), degrees),
      };
    });
  const reach = Math.max(...tests.map((test) => test.reach));
  const means = windows.map(meanOf);
  const error = Math.sqrt(sum(centred(means).map((one) => one ** 2)) / (means.length - 1) / means.length);
  return {
    estimate: scale * total,
    low: scale * total - reach,
    high: scale * total + reach,
    p: Math.max(...tests.map(({ p }) => p)),
    pWindows: means.length < 5 ? null : studentTwoSided(meanOf(means) / error, means.length - 1),
    sessions: windows.flat().length,
  };
}

const random = createRandom(11, 'paired');

/** Creates random returns of an arm. `shape` contains the number of samples and sessions of each window. */
function arm(
  shape: readonly (readonly [samples: number, sessions: number])[],
  persistence = 0,
  apart = 0,
): number[][][] {
  return shape.map(([samples, sessions]) =>
    Array.from({ length: samples }, () => {
      let [value, shift] = [0, apart * random.normal()];
      return Array.from({ length: sessions }, () => {
        value = persistence * value + 0.01 * random.normal();
        return value + shift;
      });
    }),
  );
}

const shapes = {
  long: [
    [1, 60],
    [1, 41],
  ],
  short: [
    [1, 9],
    [1, 8],
    [1, 4],
  ],
  tiny: [
    [1, 3],
    [1, 2],
    [1, 5],
    [1, 3],
  ],
  single: [
    [1, 1],
    [1, 40],
    [1, 25],
  ],
  many: [
    [1, 12],
    [1, 11],
    [1, 14],
    [1, 10],
    [1, 13],
  ],
  sampled: [
    [3, 30],
    [1, 24],
    [2, 15],
  ],
} as const;

it.each([
  ['independent sessions', arm(shapes.long), arm(shapes.long)],
  ['persistent sessions', arm(shapes.long, 0.9), arm(shapes.long)],
  ['sessions that only rise', [[Array.from({ length: 40 }, (_, at) => at / 1000)]], arm([[1, 40]])],
  ['alternating sessions', arm(shapes.long, -0.95), arm(shapes.long, -0.95)],
  ['windows of few sessions', arm(shapes.short), arm(shapes.short)],
  ['windows of two and three sessions', arm(shapes.tiny), arm(shapes.tiny)],
  ['a window of one session', arm(shapes.single), arm(shapes.single)],
  ['five windows', arm(shapes.many), arm(shapes.many)],
  ['similar samples', arm(shapes.sampled), arm(shapes.sampled)],
  ['samples that differ', arm(shapes.sampled, 0, 0.01), arm(shapes.sampled, 0, 0.01)],
  ['samples of one window', arm([[2, 30]], 0, 0.05), arm([[1, 30]])],
  ['ten sessions', arm([[1, 10]]), arm([[1, 10]])],
  ['samples of one arm', arm(shapes.sampled), arm(shapes.sampled.map(([, sessions]) => [1, sessions]))],
])('a paired difference equals its definition: %s', (_, first, second) => {
  const typed = (of: Arm) => of.map((samples) => samples.map((returns) => Float64Array.from(returns)));
  const found = studyDifference(typed(first), typed(second), 252)!;
  const expected = plainDifference(first, second, 252);
  for (const name of ['estimate', 'low', 'high', 'p', 'pWindows', 'sessions'] as const)
    if (expected[name] === null) expect(found[name], name).toBeNull();
    else expect(found[name]! / expected[name], name).toBeCloseTo(1, 7);
});

it('a paired difference needs ten sessions', () => {
  expect(studyDifference([[new Float64Array(9)]], [[new Float64Array(9)]], 252)).toBeUndefined();
});

it('a paired difference uses only windows that both arms have', () => {
  const [first, second] = [arm(shapes.long), arm(shapes.long)].map((of) =>
    of.map((samples) => samples.map((returns) => Float64Array.from(returns))),
  ) as [Float64Array[][], Float64Array[][]];
  const pair = studyDifference([first[0]!], [second[0]!], 252);
  expect(studyDifference([first[0]!, first[1]!], [second[0]!], 252)).toEqual(pair);
  expect(studyDifference([first[0]!, []], [second[0]!, second[1]!], 252)).toEqual(pair);
  expect(studyDifference([first[0]!, [first[1]![0]!.slice(1)]], second, 252)).toEqual(pair);
});

it('windows with equal differences give an interval without width and a p-value of 0 or 1', () => {
  const none = Array.from({ length: 5 }, () => [new Float64Array(10)]);
  // The returns are a power of two, so that their mean is exact in float64.
  const equal = none.map(() => [new Float64Array(10).fill(1 / 1024)]);
  const all = { estimate: 252 / 1024, low: 252 / 1024, high: 252 / 1024 };
  expect(studyDifference(equal, none, 252)).toEqual({ ...all, pWindows: 0, p: 0, sessions: 50 });
  expect(studyDifference(none, none, 252)).toMatchObject({ low: 0, high: 0, pWindows: 1, p: 1 });
});

it('the Holm correction multiplies each value by the number of values that are not smaller', () => {
  expect(holmCorrected([0.9, 0.5, 0.01, null, 0.5])).toEqual([1, 1, 0.04, null, 1]);
  expect(holmCorrected([0.01, 0.011, 0.2])).toEqual([0.03, 0.03, 0.2]);
});
