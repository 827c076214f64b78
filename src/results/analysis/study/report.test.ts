import { expect, it } from 'vitest';
import { studyReportSchema } from './report.ts';

it('accepts counts from 0 on, and refuses fractions and negative numbers', () => {
  const { seed } = studyReportSchema.shape;
  for (const count of [0, 1, 7]) expect(seed.safeParse(count).success).toBe(true);
  for (const wrong of [-1, 1.5, '1']) expect(seed.safeParse(wrong).success).toBe(false);
});
