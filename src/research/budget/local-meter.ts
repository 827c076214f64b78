import { setTimeout as sleep } from 'node:timers/promises';
import { type Meter, type ModelSpending, sharedBudgetStop } from '../../agent/index.ts';
import { NOTHING_SPENT, reachedLimit, type SweepBudget } from './reached.ts';

/** Time in milliseconds that a request waits for other requests near the end of a budget. */
const WAIT = 50;

/**
 * Counts the model usage of all trials on this machine. Near the end of the budget, requests wait for each
 * other and each one is assumed to be as large as the largest so far. A budget of calls is exact. A budget of
 * tokens or dollars can be exceeded by the last request, as in a run.
 */
export class LocalMeter implements Meter {
  readonly #budget: SweepBudget;
  readonly #onSpent: (spent: ModelSpending) => void;
  #spent: ModelSpending;
  #open = 0;
  #largest = { tokens: Number.POSITIVE_INFINITY, usd: Number.POSITIVE_INFINITY };

  /** @param spent usage before this process */
  constructor(budget: SweepBudget, spent: ModelSpending, onSpent: (spent: ModelSpending) => void) {
    this.#budget = budget;
    this.#spent = spent;
    this.#onSpent = onSpent;
  }

  async ask(): Promise<void> {
    for (;;) {
      const limit = reachedLimit(this.#budget, this.#spent);
      if (limit !== undefined) throw sharedBudgetStop(limit, this.#budget[limit]!);
      if (this.#open === 0 || (this.#leaves('tokens') && this.#leaves('usd'))) break;
      await sleep(WAIT);
    }
    this.#open += 1;
    this.#add({ ...NOTHING_SPENT, calls: 1 });
  }

  paid(tokens: number, usd: number): Promise<void> {
    const larger = (before: number, now: number): number =>
      Number.isFinite(before) ? Math.max(before, now) : now;
    this.#largest = { tokens: larger(this.#largest.tokens, tokens), usd: larger(this.#largest.usd, usd) };
    this.#open -= 1;
    this.#add({ calls: 0, tokens, usd });
    return Promise.resolve();
  }

  /** Returns true if one more request of the largest size stays within a limit. */
  #leaves(limit: 'tokens' | 'usd'): boolean {
    const most = this.#budget[limit];
    return most === undefined || this.#spent[limit] + (this.#open + 1) * this.#largest[limit] <= most;
  }

  #add(more: ModelSpending): void {
    const { calls, tokens, usd } = this.#spent;
    this.#spent = { calls: calls + more.calls, tokens: tokens + more.tokens, usd: usd + more.usd };
    this.#onSpent(this.#spent);
  }
}
