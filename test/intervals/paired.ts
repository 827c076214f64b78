import { createRandom } from '../../src/kernel/index.ts';
import { studyDifference } from '../../src/results/analysis/study/paired.ts';

/** Simulated studies without a difference. */
export interface NoDifference {
  readonly windows: number;
  readonly sessions: number;
  readonly samples?: number;
  /** Mean of a sample, in standard deviations of a session. */
  readonly drift?: number;
  /** Autocorrelation of neighbouring sessions. */
  readonly memory?: number;
}

/** Share of simulated studies without a difference whose p is below 0.05. */
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
