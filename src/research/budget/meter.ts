import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import {
  type Budget,
  type BudgetLimit,
  type Meter,
  type ModelSpending,
  SHARED_BUDGET_SPENT,
  sharedBudgetStop,
  sharedBudgetText,
} from '../../agents/index.ts';
import { RunStop } from '../../engine/index.ts';
import { AppError, messageOf } from '../../kernel/index.ts';

type Question =
  | { readonly type: 'ask'; readonly id: string }
  | { readonly type: 'paid'; readonly id: string; readonly tokens: number; readonly usd: number };

type Answer =
  | { readonly type: 'go'; readonly id: string }
  | { readonly type: 'stop'; readonly id: string; readonly message: string; readonly isSpent: boolean };

/**
 * Makes a meter of model usage available to the other threads of this process. The threads connect with
 * `channelMeter`.
 *
 * @returns the name of the channel between the threads, and a function that closes the channel
 */
export function serveMeter(meter: Meter): { readonly name: string; close(): void } {
  const name = `sandtable-meter-${randomUUID()}`;
  const channel = new BroadcastChannel(name);
  const answer = async (question: Question): Promise<Answer> => {
    const { id } = question;
    try {
      await (question.type === 'ask' ? meter.ask() : meter.paid(question.tokens, question.usd));
      return { type: 'go', id };
    } catch (error) {
      const isSpent = error instanceof RunStop && error.code === SHARED_BUDGET_SPENT;
      return { type: 'stop', id, message: messageOf(error), isSpent };
    }
  };
  let isOpen = true;
  channel.onmessage = (event): void => {
    const { data } = event as { readonly data: Question | Answer };
    if (data.type !== 'ask' && data.type !== 'paid') return;
    void answer(data).then((reply) => {
      if (isOpen) channel.postMessage(reply);
    });
  };
  channel.unref();
  return {
    name,
    close() {
      isOpen = false;
      channel.close();
    },
  };
}

/**
 * Creates the client for a meter that another thread serves with `serveMeter`.
 *
 * @param name name of the channel, which `serveMeter` returned
 */
export function channelMeter(name: string): Meter {
  const channel = new BroadcastChannel(name);
  const waiting = new Map<string, (answer: Answer) => void>();
  channel.onmessage = (event): void => {
    const { data } = event as { readonly data: Question | Answer };
    if (data.type !== 'go' && data.type !== 'stop') return;
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  // Without `unref`, the open channel would keep an otherwise idle thread running.
  channel.unref();
  const exchange = async (question: (id: string) => Question): Promise<void> => {
    const id = randomUUID();
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    channel.postMessage(question(id));
    const answer = await answered;
    if (answer.type === 'go') return;
    throw new RunStop(answer.isSpent ? 'budget_exhausted' : 'stopped', {
      code: answer.isSpent ? SHARED_BUDGET_SPENT : 'budget_unknown',
      message: answer.message,
      hint: 'Finished trials are saved. Continue with --resume.',
    });
  };
  return {
    ask: () => exchange((id) => ({ type: 'ask', id })),
    paid: (tokens, usd) => exchange((id) => ({ type: 'paid', id, tokens, usd })),
  };
}

/** Limits of the total model usage of all trials of a sweep. */
export type SweepBudget = Omit<Budget, 'seconds'>;

export const NOTHING_SPENT: ModelSpending = { calls: 0, tokens: 0, usd: 0 };

const LIMITS = ['calls', 'tokens', 'usd'] as const;

/** Returns the first limit of a budget that is exhausted. `undefined` if no limit is exhausted. */
export function reachedLimit(
  budget: SweepBudget,
  spent: ModelSpending,
): Exclude<BudgetLimit, 'seconds'> | undefined {
  return LIMITS.find((limit) => spent[limit] >= (budget[limit] ?? Number.POSITIVE_INFINITY));
}

/**
 * Merges two counts of the usage by the same model requests, taken at different times. The larger number of
 * calls, tokens and dollars is the newer one, because counts only increase.
 */
export function mostSpent(one: ModelSpending, other: ModelSpending): ModelSpending {
  return {
    calls: Math.max(one.calls, other.calls),
    tokens: Math.max(one.tokens, other.tokens),
    usd: Math.max(one.usd, other.usd),
  };
}

/** Thrown by the code that runs the trials of a sweep if the sweep's budget of model usage is exhausted. */
export class BudgetReached extends Error {}

export function budgetReached(budget: SweepBudget, limit: Exclude<BudgetLimit, 'seconds'>): BudgetReached {
  return new BudgetReached(sharedBudgetText(limit, budget[limit] ?? 0));
}

/**
 * Returns the error for a sweep whose budget is exhausted.
 *
 * @param done number of finished trials
 */
export function budgetSpent(reached: BudgetReached, folder: string, done: number): AppError {
  return new AppError({
    code: 'budget_spent',
    message: `${reached.message} ${done} trials are finished and saved in ${folder}.`,
    hint: `Continue with a larger budget: npx sandtable sweep --resume ${folder} --budget …`,
    kind: 'run',
  });
}

/**
 * Interval in milliseconds at which a waiting model request checks the budget again. Near the end of a
 * budget, requests wait until the usage of earlier requests is known.
 */
const WAIT = 50;

/**
 * Counts the model usage of all trials on this machine and delays requests near the end of the budget. The
 * usage of a new or unanswered request is estimated as the largest usage of any request so far. A new request
 * waits if the estimated total exceeds the limit. A budget of calls is exact. A budget of tokens or dollars
 * is exceeded only if a request is larger than all earlier requests.
 */
export class LocalMeter implements Meter {
  readonly #budget: SweepBudget;
  readonly #onSpent: (spent: ModelSpending) => void;
  #spent: ModelSpending;
  #open = 0;
  #largest = { tokens: Number.POSITIVE_INFINITY, usd: Number.POSITIVE_INFINITY };

  /**
   * Creates a meter.
   *
   * @param spent model usage by earlier processes of the sweep
   * @param onSpent called with the new total usage after each change
   */
  constructor(budget: SweepBudget, spent: ModelSpending, onSpent: (spent: ModelSpending) => void) {
    this.#budget = budget;
    this.#spent = spent;
    this.#onSpent = onSpent;
  }

  async ask(): Promise<void> {
    for (;;) {
      const limit = reachedLimit(this.#budget, this.#spent);
      if (limit !== undefined) throw sharedBudgetStop(limit, this.#budget[limit]!);
      const lacking = (['tokens', 'usd'] as const).find((one) => !this.#leaves(one));
      if (lacking === undefined || (this.#open === 0 && !Number.isFinite(this.#largest[lacking]))) break;
      // All earlier requests are answered, so waiting cannot free any budget: the next request would exceed
      // the limit.
      if (this.#open === 0) throw sharedBudgetStop(lacking, this.#budget[lacking]!);
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

  /** True if the unanswered requests and one more, each as large as the largest so far, fit into a limit. */
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
