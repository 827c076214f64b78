import type { Decider } from '../engine/index.ts';

/** Deciders that take over an account one after the other. */
export interface Successor {
  /** The first bar at whose close it is asked. */
  readonly firstAsked: number;
  readonly decider: Decider;
}

/** One decider of several, each asked from its bar on; those whose turn has not come see the bars as history. */
export function carriedDecider(first: Decider, successors: readonly Successor[]): Decider {
  if (successors.length === 0) return first;
  const all: readonly Successor[] = [{ firstAsked: 0, decider: first }, ...successors];
  return {
    ...(first.decisionTimeout === undefined ? {} : { decisionTimeout: first.decisionTimeout }),
    waitedMs: () => all.reduce((sum, { decider }) => sum + (decider.waitedMs?.() ?? 0), 0),
    watch(turn) {
      for (const { decider } of all) decider.watch?.(turn);
    },
    decide(turn) {
      for (const { decider, firstAsked } of all) if (firstAsked > turn.bar) decider.watch?.(turn);
      return all.findLast(({ firstAsked }) => firstAsked <= turn.bar)!.decider.decide(turn);
    },
    async close() {
      for (const { decider } of all) await decider.close?.();
    },
  };
}
