import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../kernel/random.ts';
import {
  atEqualVolatility,
  BENCHMARK_ROWS,
  type BenchmarkRow,
  benchmarkRows,
  comparedOwn,
  compounded,
} from './benchmark-rows.ts';
import { pairedResamples } from './bootstrap.ts';
import { pathIntervals } from './path-intervals.ts';
import { pathFigures, standardDeviation, TOO_FEW, undefinedBecause } from './ratios.ts';
import { seededDraws } from './resamples.ts';

const terms = { periodsPerYear: 252, years: 1.5, riskFree: 0.0002, acceptable: 0.0001 };
const draw = seededDraws('rows');
const none = { known: {}, knownHeld: {} };

function returnsOf(count: number, name: string, drift = 0): Float64Array {
  const random = createRandom(4, name);
  return Float64Array.from({ length: count }, () => drift + 0.01 * random.normal());
}

const byName = (rows: readonly BenchmarkRow[]) => new Map(rows.map((row) => [row.name, row]));

describe('the benchmark at equal volatility', () => {
  it('lends or borrows money at the risk-free rate', () => {
    // Standard deviations of 0.02 and 0.01.
    const found = atEqualVolatility(
      { own: Float64Array.of(0.01, 0.03, 0.05), benchmark: Float64Array.of(0.02, 0.01, 0.03) },
      0.005,
    );
    expect(found).toEqual({ scale: expect.closeTo(2, 12), returns: expect.any(Float64Array) });
    const { returns } = found as { returns: Float64Array };
    expect([...returns]).toEqual([0.035, 0.015, 0.055].map((value) => expect.closeTo(value, 12)));
  });

  it('needs two returns, and a benchmark that moves by more than rounding', () => {
    const [one, two] = [Float64Array.of(0.1), Float64Array.of(0.1, 0.3)];
    expect(atEqualVolatility({ own: one, benchmark: one }, 0)).toBe(TOO_FEW);
    expect(atEqualVolatility({ own: two, benchmark: two }, 0)).toMatchObject({ scale: 1 });
    // For this d, the standard deviation of −d, 0 and d equals the limit for rounding errors exactly.
    const d = 2 ** -50 * (1 + 2 ** -50);
    const own = Float64Array.of(1, 2, 3);
    expect(atEqualVolatility({ own, benchmark: Float64Array.of(-d, 0, d) }, 0)).toEqual(
      undefinedBecause('the benchmark does not move'),
    );
    expect(atEqualVolatility({ own, benchmark: Float64Array.of(-2 * d, 0, 2 * d) }, 0)).toHaveProperty(
      'scale',
    );
  });

  it('compounds until everything is lost', () => {
    expect(compounded(Float64Array.of(0.5, -0.5, 1))).toBeCloseTo(0.5, 12);
    expect(compounded(new Float64Array(0))).toBe(0);
    const lost = undefinedBecause('the benchmark at equal volatility loses everything');
    expect(compounded(Float64Array.of(0.5, -1, 1))).toEqual(lost);
    expect(compounded(Float64Array.of(-2, -2))).toEqual(lost);
  });
});

describe('the rows of the table against the benchmark', () => {
  const [own, held] = [returnsOf(60, 'own', 0.01), returnsOf(60, 'held')];
  const scale = standardDeviation(own) / standardDeviation(held);
  const scaled = held.map((value) => 0.0002 + scale * (value - 0.0002));

  it('have the figures of session returns, with the bootstrap intervals of their differences', () => {
    const [ofOwn, ofHeld, ofScaled] = [own, held, scaled].map((returns) => pathFigures(returns, terms)) as [
      ReturnType<typeof pathFigures>,
      ReturnType<typeof pathFigures>,
      ReturnType<typeof pathFigures>,
    ];
    const paired = pairedResamples(own, scaled, draw);
    const intervals = pathIntervals(own, scaled, terms, paired, scale);
    const rows = benchmarkRows({ own, held, terms, ...none, draw });
    expect(rows.map(({ name }) => name)).toEqual([...BENCHMARK_ROWS]);
    const path = BENCHMARK_ROWS.filter((name) => name !== 'exposure' && name !== 'turnover');
    for (const [place, name] of path.entries()) {
      const against = name === 'volatility' ? 'benchmark' : 'scaled';
      const { low, high } = intervals[name]!;
      expect(rows[place], name).toEqual({
        name,
        own: ofOwn[name],
        benchmark: ofHeld[name],
        scaled: ofScaled[name],
        against,
        difference: ofOwn[name] - (against === 'scaled' ? ofScaled : ofHeld)[name],
        low,
        high,
        supports: name === 'volatility' || low * high < 0 ? null : 'better',
      });
    }
    expect(rows[0]!.supports).toBe('better');
    expect(rows.slice(-2)).toEqual(
      (['exposure', 'turnover'] as const).map((name) => ({
        name,
        own: null,
        benchmark: null,
        scaled: null,
        against: name === 'exposure' ? 'scaled' : 'benchmark',
        difference: null,
        low: null,
        high: null,
        supports: null,
      })),
    );
  });

  it('support a conclusion if the interval excludes 0, except for volatility', () => {
    const worse = byName(benchmarkRows({ own: held, held: own, terms, ...none, draw }));
    expect(worse.get('totalReturn')).toMatchObject({ supports: 'worse' });
    expect(worse.get('totalReturn')!.high).toBeLessThan(0);
    const calm = own.map((value) => value / 3);
    const { low, high, supports } = byName(benchmarkRows({ own: calm, held, terms, ...none, draw })).get(
      'volatility',
    )!;
    expect(low! < high! && high! < 0).toBe(true);
    expect(supports).toBeNull();
    for (const row of benchmarkRows({ own, held: own, terms, ...none, draw }))
      expect([row.name, row.supports]).toEqual([row.name, null]);
  });

  it('have no interval for fewer than 60 sessions, without resamples and for a run that does not vary', () => {
    const lows = (rows: readonly BenchmarkRow[]) => rows.map(({ low }) => low);
    const nulls = BENCHMARK_ROWS.map(() => null);
    const short = { own: own.subarray(1), held: held.subarray(1), terms, ...none, draw };
    expect(lows(benchmarkRows(short))).toEqual(nulls);
    expect(lows(benchmarkRows({ own, held, terms, ...none, draw: undefined }))).toEqual(nulls);
    const still = benchmarkRows({ own: new Float64Array(60), held, terms, ...none, draw });
    expect(lows(still)).toEqual(nulls);
    expect(still[0]).toMatchObject({
      own: 0,
      scaled: pathFigures(new Float64Array(60).fill(0.0002), terms).totalReturn,
    });
  });

  it('prefer figures that are computed from bars or fills', () => {
    const rows = byName(
      benchmarkRows({
        own,
        held,
        terms,
        known: {
          totalReturn: 0.5,
          exposure: 0.75,
          turnover: 3,
          sharpe: null,
          cagr: Number.POSITIVE_INFINITY,
        },
        whole: { totalReturn: 0.625, cagr: null, turnover: 8 },
        knownHeld: { totalReturn: 0.25, exposure: 1, turnover: 2 },
        draw: undefined,
      }),
    );
    expect(rows.get('totalReturn')).toMatchObject({
      own: 0.625,
      benchmark: 0.25,
      difference: expect.any(Number),
    });
    const { difference, scaled: other } = rows.get('totalReturn')!;
    expect(difference).toBe(0.5 - other!);
    expect(rows.get('exposure')).toMatchObject({
      own: 0.75,
      benchmark: 1,
      scaled: scale,
      difference: 0.75 - scale,
    });
    expect(rows.get('turnover')).toMatchObject({ own: 8, benchmark: 2, scaled: null, difference: 1 });
    expect(rows.get('sharpe')).toMatchObject({ own: null, difference: null });
    expect(rows.get('cagr')).toMatchObject({ own: null, difference: null });
  });

  it('have no comparison without a benchmark, and no figures without returns', () => {
    const alone = benchmarkRows({ own, held: undefined, terms, ...none, draw });
    const figures = pathFigures(own, terms);
    expect(alone[2]).toMatchObject({
      own: figures.volatility,
      benchmark: null,
      scaled: null,
      difference: null,
    });
    expect(benchmarkRows({ own: undefined, held, terms, ...none, draw })[0]).toMatchObject({
      own: null,
      benchmark: null,
      scaled: null,
    });
    const still = benchmarkRows({ own, held: new Float64Array(60), terms, ...none, draw });
    expect(still[0]).toMatchObject({ benchmark: 0, scaled: null, difference: null, low: null });
  });
});

it('the own figure of a common part is the difference plus the figure of the benchmark', () => {
  const row = { own: 9, scaled: 2, benchmark: 3, difference: 4 } as BenchmarkRow;
  expect(comparedOwn({ ...row, against: 'scaled' }, true)).toBe(9);
  expect(comparedOwn({ ...row, against: 'scaled' }, false)).toBe(6);
  expect(comparedOwn({ ...row, against: 'benchmark' }, false)).toBe(7);
  expect(comparedOwn({ ...row, against: 'scaled', difference: null }, false)).toBeNull();
  expect(comparedOwn({ ...row, against: 'scaled', scaled: null }, false)).toBeNull();
});
