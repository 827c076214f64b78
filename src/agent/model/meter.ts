import { RunStop } from '../../engine/index.ts';
import type { BudgetLimit } from './budget.ts';

/** Total usage of all model requests. */
export interface ModelSpending {
  readonly calls: number;
  /** Input and output tokens together. */
  readonly tokens: number;
  readonly usd: number;
}

/** Counts the model usage of many runs, across threads and machines. */
export interface Meter {
  /**
   * Called before each request.
   *
   * @throws RunStop of `sharedBudgetStop` if a limit is reached
   */
  ask(): Promise<void>;
  /** Called after each request with its usage. 0 for a failed request. */
  paid(tokens: number, usd: number): Promise<void>;
}

/** Error code of a run that ended because a shared budget is used up. */
export const SHARED_BUDGET_SPENT = 'shared_budget_spent';

/** Creates the stop for a reached limit of a shared budget. Such a run has no result and can be run again. */
export function sharedBudgetStop(limit: BudgetLimit, allowed: number): RunStop {
  return new RunStop('budget_exhausted', {
    code: SHARED_BUDGET_SPENT,
    message: sharedBudgetText(limit, allowed),
    hint: 'What has been done is kept: go on with --resume and a larger --budget.',
  });
}

/** Returns true if a run ended at a limit of a shared budget. */
export function isSharedBudgetStop(error: unknown): boolean {
  return error instanceof RunStop && error.code === SHARED_BUDGET_SPENT;
}

export function sharedBudgetText(limit: BudgetLimit, allowed: number): string {
  return `The budget of all trials together is used up: ${allowed} ${limit}.`;
}
