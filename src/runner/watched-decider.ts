import type { Decider } from '../engine/index.ts';
import type { Watch } from './context.ts';

/** Wraps a decider so that each decision reports its bar to the watch. */
export function watchedDecider(decider: Decider, watch: Watch): Decider {
  return {
    ...(decider.decisionTimeout === undefined ? {} : { decisionTimeout: decider.decisionTimeout }),
    waitedMs: () => decider.waitedMs?.() ?? 0,
    decide(turn) {
      watch.deciding(turn.bar);
      return decider.decide(turn);
    },
    async close() {
      await decider.close?.();
      // A rejection that nobody catches is reported after a turn of the event loop, and what the last decision left to
      // the next turn runs in that: both are still the run's.
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    },
  };
}
