import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalCdf, normalQuantile, studentQuantile, studentTwoSided } from './distributions.ts';

// Values of mpmath 1.3.0 at 40 digits: `ncdf(x)`, and its inverse by root finding.
const DISTRIBUTION: readonly (readonly [number, number])[] = [
  [-37, 5.725571222524577e-300],
  [-20, 2.7536241186062337e-89],
  [-10, 7.619853024160525e-24],
  [-5, 2.866515718791939e-7],
  [-2.6, 0.00466118802371875],
  [-2.5, 0.006209665325776135],
  [-2.4, 0.00819753592459613],
  [-1, 0.15865525393145705],
  [-0.1, 0.460172162722971],
  [0, 0.5],
  [0.3, 0.6179114221889527],
  [1, 0.8413447460685429],
  [1.96, 0.9750021048517795],
  [2.5, 0.9937903346742238],
  [2.6, 0.9953388119762813],
  [3, 0.9986501019683699],
  [5, 0.9999997133484281],
];
const QUANTILES: readonly (readonly [number, number])[] = [
  [1e-300, -37.0470962993612],
  [1e-100, -21.273453560965326],
  [1e-12, -7.034483825301132],
  [1e-6, -4.753424308822899],
  [0.0001, -3.7190164854556804],
  [0.001, -3.0902323061678136],
  [0.01, -2.326347874040841],
  [0.025, -1.9599639845400543],
  [0.1, -1.2815515655446004],
  [0.25, -0.6744897501960817],
  [0.4, -0.2533471031357997],
];

describe('the normal distribution', () => {
  it.each(DISTRIBUTION)('of %d', (x, expected) => {
    expect(Math.abs(normalCdf(x) / expected - 1)).toBeLessThan(1e-13);
  });

  it.each(QUANTILES)('has the quantile of %d', (probability, expected) => {
    expect(Math.abs(normalQuantile(probability) / expected - 1)).toBeLessThan(1e-13);
  });

  it('is symmetric, and its quantile function is its inverse', () => {
    expect(normalQuantile(0.5)).toBeCloseTo(0, 15);
    expect(normalQuantile(0.75)).toBe(-normalQuantile(0.25));
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 0.5, noNaN: true }), (probability) => {
        expect(Math.abs(normalCdf(normalQuantile(probability)) / probability - 1)).toBeLessThan(1e-12);
      }),
    );
  });

  it('is undefined outside its domain', () => {
    expect(normalCdf(Number.NaN)).toBeNaN();
    expect(normalCdf(Number.NEGATIVE_INFINITY)).toBe(0);
    expect(normalCdf(-37.9)).toBeGreaterThan(0);
    expect(normalCdf(-38)).toBeGreaterThan(0);
    expect(normalCdf(-38.1)).toBe(0);
    expect(normalCdf(Number.POSITIVE_INFINITY)).toBe(1);
    for (const bad of [0, 1, -1, Number.NaN]) expect(normalQuantile(bad)).toBeNaN();
  });
});

/** Integral of cos^(ν − 1) from an angle to π / 2, by Simpson's rule. With x = √ν tan θ this is the tail of Student's t. */
function tailIntegral(from: number, degrees: number): number {
  const pieces = 20_000;
  const width = (Math.PI / 2 - from) / pieces;
  let sum = 0;
  for (let at = 0; at <= pieces; at++) {
    const weight = at === 0 || at === pieces ? 1 : at % 2 === 0 ? 2 : 4;
    sum += weight * Math.max(0, Math.cos(from + at * width)) ** (degrees - 1);
  }
  return (sum * width) / 3;
}

describe("Student's t", () => {
  const closed: Readonly<Record<number, (t: number) => number>> = {
    1: (t) => 1 - (2 / Math.PI) * Math.atan(t),
    2: (t) => 1 - t / Math.sqrt(2 + t * t),
    4: (t) => 1 - (t * (6 + t * t)) / (4 + t * t) ** 1.5,
  };

  it.each([1, 2, 4])('equals the closed form for %d degrees of freedom', (degrees) => {
    for (const t of [0, 0.01, 0.5, 1, 1.5, 2, 3, 10, 25])
      expect(studentTwoSided(t, degrees) / closed[degrees]!(t), `t = ${t}`).toBeCloseTo(1, 9);
  });

  it.each([1, 2, 4])('has eleven correct digits for %d degrees of freedom', (degrees) => {
    for (const t of [0.01, 0.5, 1, 1.5, 2, 3])
      expect(Math.abs(studentTwoSided(t, degrees) / closed[degrees]!(t) - 1), `t = ${t}`).toBeLessThan(2e-12);
  });

  it.each([3.5, 9.0625, 30.1, 250])('equals an integral for %d degrees of freedom', (degrees) => {
    for (const t of [0.2, 0.9, 1.1, 1.96, 4]) {
      const expected = tailIntegral(Math.atan(t / Math.sqrt(degrees)), degrees) / tailIntegral(0, degrees);
      expect(studentTwoSided(t, degrees) / expected, `t = ${t}`).toBeCloseTo(1, 8);
      expect(studentTwoSided(-t, degrees)).toBe(studentTwoSided(t, degrees));
    }
  });

  it('has quantiles that invert it, also far ones, and none without degrees of freedom', () => {
    for (const [confidence, degrees] of [
      [0.95, 1],
      [0.2, 3],
      [0.99, 9.5],
      [0.999_999, 2],
    ] as const)
      expect((1 - studentTwoSided(studentQuantile(confidence, degrees), degrees)) / confidence).toBeCloseTo(
        1,
        10,
      );
    expect(studentQuantile(0.95, 1)).toBeCloseTo(Math.tan((Math.PI / 2) * 0.95), 9);
    expect(studentQuantile(0.95, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(studentTwoSided(1e200, 3)).toBe(0);
    expect(studentQuantile(0.95, 0.5)).toBeGreaterThan(studentQuantile(0.95, 1));
  });
});
