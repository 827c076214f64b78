import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lowerMean, quantileOf, TAIL } from '../series/ratios.ts';
import { tailsOf } from './distribution-figures.ts';

it('finds the tails of the sorted values to the last bit, with ties', () => {
  const value = fc.oneof(
    fc.constantFrom(-0.01, 0, 0.01),
    fc.double({ min: -1, max: 1, noNaN: true }).map((one) => one + 0),
    fc.constant(Number.NaN),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 200 }), (values) => {
      const given = Float64Array.from(values);
      const sorted = given.slice().sort();
      expect(tailsOf(given)).toEqual({
        low: quantileOf(sorted, TAIL),
        lowerMean: lowerMean(sorted),
        high: quantileOf(sorted, 1 - TAIL),
      });
      expect([...given]).toEqual(values);
    }),
  );
});
