import { expect, it } from 'vitest';
import { fuzz } from '../test/reference/fuzz.ts';

it('the broker agrees with the reference matcher in hundreds of random order scripts', async () => {
  const report = await fuzz(1, 600);
  expect(report.difference ?? '').toBe('');
  // The comparison is meaningful only if the random order scripts cause many fills, trades, rejected orders
  // and bars whose price path is ambiguous.
  expect(report.fills).toBeGreaterThan(1_000);
  expect(report.trades).toBeGreaterThan(300);
  expect(report.refusals).toBeGreaterThan(150);
  expect(report.ambiguous).toBeGreaterThan(5);
});
