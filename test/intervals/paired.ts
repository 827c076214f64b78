import { createRandom } from '../../src/kernel/index.ts';
import { studyDifference } from '../../src/results/analysis/study/paired.ts';

/** Parameters of simulated studies whose true difference is 0. */
export interface NoDifference {
  readonly windows: number;
  readonly sessions: number;
  readonly samples?: number;
  /**
   * Standard deviation of a sample's mean return, as a multiple of the standard deviation of a session's
   * return. Default: 0.
   */
  readonly drift?: number;
  /** Autocorrelation of successive session returns. Default: 0. */
  readonly memory?: number;
}

/** Returns the share of simulated studies without a true difference whose p-value is below 0.05. */
export function shareFound(
  { windows, sessions, samples = 1, drift = 0, memory = 0 }: NoDifference,
  studies = 1_000,
  seed = 12,
): number {
  const random = createRandom(seed, JSON.stringify([windows, sessions, samples, drift, memory]));
  let below = 0;
  for (let study = 0; study < studies; study++) {
    const shared = Array.from({ length: windows }, () =>
      Array.from({ length: samples }, () => {
        const own = drift * random.normal();
        let last = random.normal();
        return Float64Array.from({ length: sessions }, () => {
          last = memory * last + Math.sqrt(1 - memory ** 2) * random.normal();
          return 0.01 * (own + last);
        });
      }),
    );
    const none = shared.map(() => [new Float64Array(sessions)]);
    if (studyDifference(shared, none, 252)!.p < 0.05) below += 1;
  }
  return below / studies;
}
