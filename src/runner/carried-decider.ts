import type { Decider } from '../engine/index.ts';

/** Decider that takes over the account of an earlier one. */
export interface Successor {
  /** First bar at whose close the decider is called. */
  readonly firstAsked: number;
  readonly decider: Decider;
}

/** Combines several deciders. Each is called from its bar on. Bars before that are history for it. */
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
