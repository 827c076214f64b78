import type { Decider } from '../engine/index.ts';
import type { TrialInput } from './trial-request.ts';

/** Wraps a trial's decider. Reports each decision, and closes all positions at the end if requested. */
export function trialDecider(
  decider: Decider,
  bars: number,
  { deciding, closeAtEnd = false }: Pick<TrialInput, 'deciding' | 'closeAtEnd'>,
): Decider {
  if (deciding === undefined && !closeAtEnd) return decider;
  return {
    ...(decider.decisionTimeout === undefined ? {} : { decisionTimeout: decider.decisionTimeout }),
    waitedMs: () => decider.waitedMs?.() ?? 0,
    watch: (turn) => decider.watch?.(turn),
    close: () => decider.close?.(),
    decide(turn) {
      deciding?.();
      const { orders, account, bar } = turn;
      const left = bars - 1 - bar;
      if (!closeAtEnd || left > (orders.fillsAtClose ? 0 : 1)) return decider.decide(turn);
      for (const { id } of orders.pending()) orders.cancel(id);
      for (const { symbol } of account.positions()) orders.close({ symbol, reason: 'end of the window' });
      return undefined;
    },
  };
}
