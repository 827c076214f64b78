import { expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import { createRandom } from '../../../kernel/index.ts';
import { computeMetrics } from '../figures/metrics.ts';

/** Run whose returns are those of its benchmark plus a constant and a share of random noise. */
function metricsOf(noise: number) {
  const random = createRandom(8, 'active');
  let [close, worth] = [100, 1000];
  const [closes, equity] = [[close], [worth]];
  for (let session = 0; session < 50; session++) {
    const change = 0.01 * random.normal();
    close *= 1 + change;
    worth *= 1 + change + 0.001 + noise * random.normal();
    closes.push(close);
    equity.push(worth);
  }
  const prices = closes.map((price) => [[price, price, price, price, 1]] as const);
  return computeMetrics(runRecord({ cash: '1000', equity, prices }));
}

it('a constant difference from the benchmark has no tracking error, in spite of rounding', () => {
  const { trackingError, informationRatio } = metricsOf(0);
  expect(trackingError.value).toBe(0);
  expect(informationRatio).toMatchObject({
    value: null,
    reason: 'the run and the benchmark differ by the same each session',
  });
});

it('a difference of a millionth has a tracking error', () => {
  const { trackingError, informationRatio, periodsPerYear } = metricsOf(1e-6);
  expect(trackingError.value! / (1e-6 * Math.sqrt(periodsPerYear))).toBeGreaterThan(0.7);
  expect(trackingError.value! / (1e-6 * Math.sqrt(periodsPerYear))).toBeLessThan(1.3);
  expect(informationRatio.value! * trackingError.value!).toBeCloseTo(0.001 * periodsPerYear, 3);
});
