import { createRandom, type Random } from '../../src/kernel/index.ts';
import { atEqualVolatility } from '../../src/results/analysis/series/benchmark-rows.ts';
import { pairedDifference } from '../../src/results/analysis/series/bootstrap.ts';
import { seededDraws } from '../../src/results/analysis/series/resamples.ts';

/** Autocorrelations of successive session returns to simulate. 0 means independent returns. */
export const PERSISTENCES = [0, 0.2, 0.5, -0.3];
/** Numbers of sessions that are simulated. */
export const SESSIONS = [60, 252, 1_000];

/** Simulations of one autocorrelation and one number of sessions. */
export interface Coverage {
  readonly persistence: number;
  readonly sessions: number;
  /** Share of simulations whose interval of the difference in mean returns contains 0, the true difference. */
  readonly mean: number;
  /** Same, for the difference in Sharpe ratios. */
  readonly sharpe: number;
}

/**
 * Simulates pairs of a run and a benchmark with the same distribution of returns. Returns the share of 95%
 * confidence intervals that contain the true difference, which is 0.
 *
 * The intervals are calculated as for the verdict of a run. The benchmark is first scaled to the same
 * volatility.
 */
export function coverageOf(
  persistence: number,
  sessions: number,
  simulations: number,
  seed: number,
): Coverage {
  const random = createRandom(seed, `coverage ${persistence} ${sessions}`);
  const draw = seededDraws('verdict');
  let [means, sharpes] = [0, 0];
  for (let simulation = 0; simulation < simulations; simulation++) {
    const own = returnsOf(persistence, sessions, random);
    const benchmark = returnsOf(persistence, sessions, random);
    const scaled = atEqualVolatility({ own, benchmark }, 0);
    if ('reason' in scaled) throw new Error(scaled.reason);
    const found = pairedDifference(own, scaled.returns, 252, draw)!;
    if (found.meanReturn.low <= 0 && found.meanReturn.high >= 0) means += 1;
    if (found.sharpe!.low <= 0 && found.sharpe!.high >= 0) sharpes += 1;
  }
  return { persistence, sessions, mean: means / simulations, sharpe: sharpes / simulations };
}

/**
 * Simulates session returns: a stationary first-order autoregression with mean 0.05% and normal innovations
 * of 1%.
 */
function returnsOf(persistence: number, sessions: number, random: Random): Float64Array {
  const returns = new Float64Array(sessions);
  let value = random.normal() / Math.sqrt(1 - persistence ** 2);
  for (let session = 0; session < sessions; session++) {
    returns[session] = 0.0005 + 0.01 * value;
    value = persistence * value + random.normal();
  }
  return returns;
}
