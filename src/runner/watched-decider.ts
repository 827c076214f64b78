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
      // Node reports an unhandled rejection after one turn of the event loop. Code that the last decision
      // scheduled for the next turn runs in that turn. Both belong to the run.
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    },
  };
}
