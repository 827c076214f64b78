import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { skipBecause } from '../../../../test/missing.ts';
import { createRandom } from '../../../kernel/index.ts';
import { studentQuantile, studentTwoSided } from '../series/distributions.ts';
import { hierarchicalMean, resampledMeans, stretchFor } from './hierarchical.ts';
import { holmCorrected, studyDifference } from './paired.ts';

// The second path is Debian's Python. It is used if the first Python in PATH does not have scipy.
const interpreter = ['python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import scipy']).status === 0,
);
if (interpreter === undefined)
  skipBecause(
    'The statistics of studies were not compared with scipy: no python3 has it (Debian: python3-scipy).',
  );

function python(code: string, input: unknown): unknown {
  const { stdout, stderr } = spawnSync(interpreter!, ['-c', code], {
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

function normals(count: number, label: string, mean = 0): Float64Array {
  const random = createRandom(5, label);
  return Float64Array.from({ length: count }, () => mean + 0.01 * random.normal());
}

describe('the Holm correction', () => {
  it('equals p.adjust in the manual of R', () => {
    // Expected values from R: p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm")
    expect(holmCorrected([0.01, 0.02, 0.03, 0.04, 0.05]).map((p) => Number(p!.toFixed(10)))).toEqual([
      0.05, 0.08, 0.09, 0.09, 0.09,
    ]);
    expect(holmCorrected([0.04, null, 0.001])).toEqual([0.04, null, 0.002]);
  });

  it('rejects the same hypotheses as the step-down procedure at every level', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 }),
        fc.double({ min: 0.001, max: 0.5, noNaN: true }),
        (values, level) => {
          const sorted = values.map((value, place) => ({ value, place })).sort((a, b) => a.value - b.value);
          const stop = sorted.findIndex(({ value }, rank) => value > level / (values.length - rank));
          const rejected = new Set(sorted.slice(0, stop < 0 ? undefined : stop).map(({ place }) => place));
          const corrected = holmCorrected(values);
          const near = corrected.some((p) => Math.abs(p! - level) < 1e-9);
          if (!near)
            for (const [place, p] of corrected.entries()) expect(p! <= level).toBe(rejected.has(place));
        },
      ),
    );
  });
});

describe('the hierarchical bootstrap', () => {
  it('has the same distribution as an enumeration of all draws', () => {
    const windows = [
      [0, 1],
      [4, 10],
    ];
    // A window has two samples a and b. The mean of two samples drawn with replacement is a, (a + b) / 2
    // (twice) or b.
    const means = windows.map(([a, b]) => [a!, (a! + b!) / 2, (a! + b!) / 2, b!]);
    const all = means.flat().flatMap((one) => means.flat().map((other) => (one + other) / 2));
    const drawn = resampledMeans(windows, 64_000, createRandom(1, 'enumeration'));
    for (const value of new Set(all)) {
      const expected = all.filter((one) => one === value).length / all.length;
      const found = drawn.filter((one) => one === value).length / drawn.length;
      expect(Math.abs(found - expected)).toBeLessThan(0.006);
    }
  });

  it('has a mean for each resample, also for the first', () => {
    expect([...resampledMeans([[2, 2], [2]], 3, createRandom(1, 'means'))]).toEqual([2, 2, 2]);
  });

  it('reports its resampling units, and has no interval for one run', () => {
    const random = (): ReturnType<typeof createRandom> => createRandom(1, 'x');
    expect(hierarchicalMean([[1]], random())).toEqual({
      mean: 1,
      low: null,
      high: null,
      runs: 1,
      over: null,
    });
    expect(hierarchicalMean([[null], []], random()).mean).toBeNull();
    expect(hierarchicalMean([[1, 2]], random()).over).toBe('samples');
    expect(hierarchicalMean([[1], [2]], random())).toMatchObject({ over: 'windows', mean: 1.5 });
    expect(hierarchicalMean([[1, 3], [2]], random())).toMatchObject({ over: 'windows and samples', mean: 2 });
  });
});

describe('the interval of a few windows', () => {
  it('is the percentile interval stretched by t(k − 1) √(k / (k − 1)) / z', () => {
    // The means of the resamples of two windows range from 1 to 2. The interval is this range, stretched
    // around 1.5 by 12.706 √2 / 1.96.
    const { low, high } = hierarchicalMean([[1], [2]], createRandom(1, 'two'));
    expect([low, high].map((value) => Number(value!.toFixed(2)))).toEqual([-3.08, 6.08]);
    // For three samples in one window, the interval is stretched by 4.303 √1.5 / 1.96.
    const samples = hierarchicalMean([[0, 0, 3]], createRandom(1, 'three'));
    expect(samples.over).toBe('samples');
    expect(samples.low).toBeCloseTo(1 - (4.303 * Math.sqrt(1.5)) / 1.96, 3);
  });

  it('is limited to the range of the figure', () => {
    const found = hierarchicalMean([[-0.02], [-0.1]], createRandom(1, 'range'), [
      Number.NEGATIVE_INFINITY,
      0,
    ]);
    expect(found.high).toBe(0);
    expect(found.low).toBeLessThan(-0.1);
  });
});

describe.skipIf(interpreter === undefined)('statistics compared with scipy', () => {
  it('Student’s t has the same probabilities and quantiles, in the tails and for fractional degrees of freedom', () => {
    const cases = [0.7, 1, 2, 6.4, 16.9, 30, 400].flatMap((degrees) =>
      [1e-6, 0.3, 1, 2.1, 5, 12].map((t) => [t, degrees]),
    );
    const [tails, quantiles] = python(
      `import json,sys,numpy as np
from scipy.stats import t
c=np.array(json.load(sys.stdin))
print(json.dumps([(2*t.sf(c[:,0],c[:,1])).tolist(), t.ppf(0.975,c[:,1]).tolist()]))`,
      cases,
    ) as [number[], number[]];
    for (const [place, [t, degrees]] of cases.entries()) {
      expect(studentTwoSided(t!, degrees!) / tails[place]!).toBeCloseTo(1, 8);
      expect(studentQuantile(0.95, degrees!) / quantiles[place]!).toBeCloseTo(1, 8);
    }
    expect(studentQuantile(0.95, 0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('the interval of a mean over windows equals that of the scipy bootstrap', () => {
    const values = Array.from(normals(12, 'windows', 0.004));
    const ours = hierarchicalMean(
      values.map((value) => [value]),
      createRandom(3, 'interval'),
    );
    const [low, high] = python(
      `import json,sys,numpy as np
from scipy.stats import bootstrap
v=np.array(json.load(sys.stdin))
r=bootstrap((v,),np.mean,n_resamples=20000,method='percentile',random_state=1).confidence_interval
print(json.dumps([r.low,r.high]))`,
      values,
    ) as [number, number];
    const [mean, width, stretch] = [ours.mean!, high - low, stretchFor(12, 0.95)];
    expect(stretch).toBeCloseTo((2.201 * Math.sqrt(12 / 11)) / 1.96, 3);
    expect(Math.abs((mean - ours.low!) / stretch - (mean - low))).toBeLessThan(0.05 * width);
    expect(Math.abs((ours.high! - mean) / stretch - (high - mean))).toBeLessThan(0.05 * width);
  });

  it('the p-value of a difference equals that of a paired t-test for blocks of one session', () => {
    const [first, second] = [normals(250, 'first', 0.0011), normals(250, 'second')];
    const ours = studyDifference([[first]], [[second]], 252, 1)!;
    const [t, difference] = python(
      `import json,sys,numpy as np
from scipy.stats import ttest_rel
a,b=json.load(sys.stdin)
print(json.dumps([ttest_rel(a,b).pvalue,252*(np.mean(a)-np.mean(b))]))`,
      [Array.from(first), Array.from(second)],
    ) as [number, number];
    expect(ours.estimate).toBeCloseTo(difference, 12);
    expect(ours.p).toBeCloseTo(t, 8);
  });
});

describe('a paired difference', () => {
  it('is zero between a strategy and itself, and certain if every session differs equally', () => {
    const own = normals(60, 'own');
    const same = studyDifference([[own]], [[own]], 252)!;
    expect(same).toMatchObject({ estimate: 0, low: 0, high: 0, p: 1 });
    const better = own.map((value) => value + 0.001);
    const found = studyDifference([[better]], [[own]], 252)!;
    expect(found.estimate).toBeCloseTo(0.252, 10);
    expect(found.p).toBeLessThan(1e-6);
    // Returns that differ by 1e-17 are equal up to float64 rounding, for example from another order of the
    // same trades.
    const rounded = own.map((value) => value + 1e-17);
    expect(studyDifference([[rounded]], [[own]], 252)).toMatchObject({ estimate: 0, p: 1 });
  });

  it('includes the lag of half a window once', () => {
    const own = Float64Array.of(1, 0, 3, 1, 4, 1, 5, 9, 2, 6);
    const [count, blockLength] = [own.length, 20];
    const average = own.reduce((sum, value) => sum + value, 0) / count;
    const q = 1 - 1 / blockLength;
    // All lags from 0 to n − 1, without using the symmetry of lags i and n − i.
    let [variance, weights, squares] = [0, 0, 0];
    for (let lag = 0; lag < count; lag++) {
      const weight = (1 - lag / count) * q ** lag + (lag / count) * q ** (count - lag);
      for (let at = 0; at < count; at++)
        variance += weight * (own[at]! - average) * (own[(at + lag) % count]! - average);
      weights += weight;
      squares += weight * weight;
    }
    const degrees = (count - weights) ** 2 / (count * squares - weights ** 2);
    const error = Math.sqrt((variance * count) / (count - weights));
    const found = studyDifference([[own]], [[new Float64Array(count)]], count, blockLength)!;
    expect(found.high - found.estimate).toBeCloseTo(studentQuantile(0.95, degrees) * error, 9);
  });

  it('is wider if two samples differ, and requires ten sessions', () => {
    const [one, other, base] = [normals(60, 'one', 0.01), normals(60, 'other', -0.01), normals(60, 'base')];
    const mean = one.map((value, at) => (value + other[at]!) / 2);
    const width = (samples: Float64Array[]): number => {
      const { low, high } = studyDifference([samples], [[base]], 252)!;
      return high - low;
    };
    expect(width([one, other])).toBeGreaterThan(1.5 * width([mean]));
    expect(studyDifference([[one.slice(0, 9)]], [[base.slice(0, 9)]], 252)).toBeUndefined();
    // The first run ended early and has only 40 sessions. Its returns cannot be paired with the returns of
    // `base`.
    expect(studyDifference([[one.slice(0, 40)]], [[base]], 252)).toBeUndefined();
  });
});

describe('the p-value over windows', () => {
  it('equals that of a t-test of the mean differences of the windows', () => {
    // Mean differences 1, 2, 3, 4 and 5 per mille: t = 3 / √(2.5 / 5), four degrees of freedom.
    const windows = [1, 2, 3, 4, 5].map((size) => [
      Float64Array.from({ length: 10 }, (_, session) => size / 1000 + (session % 2 === 0 ? 0.002 : -0.002)),
    ]);
    const none = windows.map(() => [new Float64Array(10)]);
    expect(studyDifference(windows, none, 252)?.pWindows).toBeCloseTo(
      studentTwoSided(3 / Math.sqrt(0.5), 4),
      9,
    );
    expect(studyDifference(windows.slice(1), none, 252)?.pWindows).toBeNull();
    expect(studyDifference(none, none, 252)?.pWindows).toBe(1);
  });
});
