import { describe, expect, it } from 'vitest';
import { gridOf, moved, shownAs } from './masked-series.ts';

const columns = (...values: number[]): Float64Array[] => [Float64Array.from(values)];

describe('the step of values', () => {
  it.each([
    ['prices', [10, 11, 12], 1],
    ['prices', [10.5, 11, 12.5], 0.5],
    ['prices', [10.25, 11.5, 12.75], 0.25],
    ['prices', [10.01, 11.02, 12.37], 0.01],
    ['prices', [1.234567, 1.234568], 1e-6],
    ['volumes', [3000, 2000], 1000],
    ['volumes', [3100, 2000], 1000],
    ['volumes', [3100, 2100, 2000], 100],
    ['volumes', [3, 7], 1],
  ] as const)('of %s %j is %d', (kind, values, step) => {
    expect(gridOf(columns(...values), kind)).toBe(step);
  });

  it('is 0 for values without a step, and without values', () => {
    expect(gridOf(columns(1.5, 2.5), 'volumes')).toBe(0);
    expect(gridOf(columns(), 'prices')).toBe(0);
    expect(gridOf(columns(0, 0), 'prices')).toBe(0);
  });

  it('is determined by at least half of the values that are not 0', () => {
    expect(gridOf(columns(0, 0, 0, 10.5, 11.5), 'prices')).toBe(0.5);
    expect(gridOf(columns(10, 11, 10.3, 11.7), 'prices')).toBe(1);
    expect(gridOf(columns(10, 10.2, 11.4), 'prices')).toBe(0.2);
  });

  it('is determined by a part of many values', () => {
    // Of 40,001 values only every third value is examined. Here each of them is 7, and the others are
    // ignored.
    const many = Float64Array.from({ length: 40_001 }, (_, at) => (at % 3 === 0 ? 7 : 7.001));
    expect(gridOf([many], 'prices')).toBe(1);
    expect(gridOf([many.slice(0, 20_000)], 'prices')).toBe(0.001);
  });
});

describe('a shown value', () => {
  const exact = { factor: 2, grid: 0, digits: 3, seed: 1 };

  it('is the real value times the factor, in significant digits', () => {
    expect(shownAs(1.2345, exact)).toBe(2.47);
    expect(shownAs(-1.2345, exact)).toBe(-2.47);
    expect(shownAs(123_456, exact)).toBe(247_000);
  });

  it('remains 0, NaN or infinite', () => {
    expect([0, Number.NaN, Number.POSITIVE_INFINITY].map((value) => shownAs(value, exact))).toEqual([
      0,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it('is a multiple of the least step, and at least one of them', () => {
    expect(shownAs(123.4, { ...exact, digits: 6, least: 1 })).toBe(250);
    expect(shownAs(0.4, { ...exact, digits: 6, least: 1 })).toBe(10);
    expect(shownAs(0.126, { ...exact, digits: 6, least: -2 })).toBe(0.25);
  });

  const noisy = { factor: 1, grid: 0.5, digits: 12, seed: 7 };
  const steps = Array.from({ length: 400 }, (_, at) => (at + 1) / 2);

  it('differs from the real one by at most half a step, evenly to both sides', () => {
    const noise = steps.map((value) => (shownAs(value, noisy) - value) / 0.5);
    expect(noise.every((part) => part >= -0.5 && part < 0.5)).toBe(true);
    expect(Math.min(...noise)).toBeLessThan(-0.45);
    expect(Math.max(...noise)).toBeGreaterThan(0.45);
    expect(Math.abs(noise.reduce((sum, part) => sum + part, 0) / noise.length)).toBeLessThan(0.06);
    expect(new Set(noise.map((part) => part.toFixed(6))).size).toBeGreaterThan(390);
  });

  it('depends only on the value and the seed', () => {
    expect(shownAs(12.5, noisy)).toBe(shownAs(12.5, noisy));
    expect(shownAs(12.5, noisy)).toBe(-shownAs(-12.5, noisy));
    expect(shownAs(12.5, { ...noisy, seed: 8 })).not.toBe(shownAs(12.5, noisy));
  });

  it('retains the order of values, also between the steps', () => {
    const between = Array.from({ length: 4_000 }, (_, at) => 0.3 + at * 0.013);
    const shown = between.map((value) => shownAs(value, noisy));
    expect(shown).toEqual([...shown].sort((one, other) => one - other));
    expect(new Set(shown).size).toBe(shown.length);
  });

  it('of a value between two steps lies between the values shown for them', () => {
    const [low, high] = [shownAs(10, noisy), shownAs(10.5, noisy)];
    expect(shownAs(10.125, noisy)).toBeCloseTo(low + (high - low) / 4, 9);
    expect(shownAs(0.125, noisy)).toBeCloseTo(shownAs(0.5, noisy) / 4, 9);
  });
});

describe('a moved value', () => {
  it('differs by at most the given fraction, to both sides', () => {
    const parts = Array.from({ length: 500 }, (_, at) => moved(at + 1, 0.1, 3) / (at + 1) - 1);
    expect(Math.max(...parts)).toBeLessThanOrEqual(0.1);
    expect(Math.max(...parts)).toBeGreaterThan(0.09);
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(-0.1);
    expect(Math.min(...parts)).toBeLessThan(-0.09);
  });

  it('is equal for equal amounts, and 0 for 0', () => {
    expect(moved(12.34, 0.1, 3)).toBe(moved(12.34, 0.1, 3));
    expect(moved(0, 0.1, 3)).toBe(0);
  });

  it('has the same noise in every version, because stored masks are applied again', () => {
    const word = (value: bigint): bigint => BigInt.asUintN(32, value);
    const noise = (step: bigint, seed: bigint): number => {
      let hash = word(word(seed ^ step ^ word((step >> 32n) * 0x9e3779b1n)) * 0x85ebca6bn);
      hash = word((hash ^ (hash >> 15n)) * 0xc2b2ae35n);
      hash = word((hash ^ (hash >> 13n)) * 0x27d4eb2fn);
      return Number(hash ^ (hash >> 16n)) / 2 ** 32 - 0.5;
    };
    for (let at = 1; at < 60; at++)
      for (const value of [at, at * 1e6 + 0.5])
        expect(moved(value, 0.5, at)).toBeCloseTo(
          value * (1 + noise(BigInt(value * 1e6), BigInt(at))),
          6 - Math.ceil(Math.log10(value)),
        );
  });
});
