import { RunStop } from '../../engine/index.ts';
import type { BudgetLimit } from './budget.ts';

/** What requests to models have taken together. */
export interface ModelSpending {
  readonly calls: number;
  /** Input and output together. */
  readonly tokens: number;
  readonly usd: number;
}

/** Counts what the requests of many runs take together, in whatever thread or on whatever machine they are made. */
export interface Meter {
  /** Before each request. @throws RunStop of `sharedBudgetStop` where a limit is reached */
  ask(): Promise<void>;
  /** After each that was asked for: what it took; nothing for one that failed. */
  paid(tokens: number, usd: number): Promise<void>;
}

/** The code of the error that ends a run for a budget it shares with others. */
export const SHARED_BUDGET_SPENT = 'shared_budget_spent';

/** How a run ends at a limit it shares with others: it is no result, and can be run again. */
export function sharedBudgetStop(limit: BudgetLimit, allowed: number): RunStop {
  return new RunStop('budget_exhausted', {
    code: SHARED_BUDGET_SPENT,
    message: sharedBudgetText(limit, allowed),
    hint: 'What has been done is kept: go on with --resume and a larger --budget.',
  });
}

/** Whether a run ended at a limit it shares with others, and not at its own. */
export function isSharedBudgetStop(error: unknown): boolean {
  return error instanceof RunStop && error.code === SHARED_BUDGET_SPENT;
}

export function sharedBudgetText(limit: BudgetLimit, allowed: number): string {
  return `The budget of all trials together is used up: ${allowed} ${limit}.`;
}
