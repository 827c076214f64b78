import fc from 'fast-check';
import { expect, it } from 'vitest';
import { missingOf } from './download.ts';

it('requests exactly the periods that are not covered', () => {
  const period = fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 20 }))
    .map(([from, length]) => ({ from, to: from + length }));
  fc.assert(
    fc.property(period, fc.array(period, { maxLength: 6 }), (wanted, covered) => {
      const has = (periods: readonly { from: number; to: number }[], at: number) =>
        periods.some(({ from, to }) => at >= from && at <= to);
      const missing = missingOf(wanted, covered);
      for (let at = 0; at <= 90; at++) expect(has(missing, at)).toBe(has([wanted], at) && !has(covered, at));
    }),
  );
});
