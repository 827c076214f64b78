import { expect, it } from 'vitest';
import { studyReportSchema } from './report.ts';

it('accepts counts from 0 on, and refuses fractions and negative numbers', () => {
  const { seed } = studyReportSchema.shape;
  for (const count of [0, 1, 7]) expect(seed.safeParse(count).success).toBe(true);
  for (const wrong of [-1, 1.5, '1']) expect(seed.safeParse(wrong).success).toBe(false);
});

it('fills in the fields that studies of earlier versions lack', () => {
  const { comparisons, schema, arms } = studyReportSchema.shape;
  const pair = {
    a: 'x',
    b: 'y',
    kind: 'mask',
    estimate: 0.1,
    low: 0,
    high: 0.2,
    p: 0.5,
    pHolm: null,
    sessions: 9,
  };
  expect(comparisons.parse([pair])).toEqual([{ ...pair, pWindows: null, primary: true }]);
  expect(comparisons.parse([{ ...pair, pWindows: 0.5, primary: false }])[0]).toMatchObject({
    pWindows: 0.5,
    primary: false,
  });
  const { gaps, agreement, calibration } = arms.element.shape;
  expect([gaps.parse(undefined), calibration.parse(undefined)]).toEqual([[], null]);
  const agreed = { mean: 1, entropy: 0, mostEntropy: 1, bars: 3 };
  expect(agreement.parse(agreed)).toEqual({ ...agreed, floor: null, aboveFloor: null });
  expect([1, 0, 2].map((version) => schema.safeParse(version).success)).toEqual([true, false, false]);
});
