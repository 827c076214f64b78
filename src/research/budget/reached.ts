import { type Budget, type BudgetLimit, type ModelSpending, sharedBudgetText } from '../../agent/index.ts';
import { AppError } from '../../kernel/index.ts';

/** Limits on the model usage of all trials of a sweep together. */
export type SweepBudget = Omit<Budget, 'seconds'>;

export const NOTHING_SPENT: ModelSpending = { calls: 0, tokens: 0, usd: 0 };

const LIMITS = ['calls', 'tokens', 'usd'] as const;

/** Returns the first limit that is exhausted. */
export function reachedLimit(
  budget: SweepBudget,
  spent: ModelSpending,
): Exclude<BudgetLimit, 'seconds'> | undefined {
  return LIMITS.find((limit) => spent[limit] >= (budget[limit] ?? Number.POSITIVE_INFINITY));
}

/** Returns the larger of two counts of the same requests. A count can be outdated, but never too large. */
export function mostSpent(one: ModelSpending, other: ModelSpending): ModelSpending {
  return {
    calls: Math.max(one.calls, other.calls),
    tokens: Math.max(one.tokens, other.tokens),
    usd: Math.max(one.usd, other.usd),
  };
}

/** Thrown by the executor of trials when the sweep's budget is exhausted. */
export class BudgetReached extends Error {}

export function budgetReached(budget: SweepBudget, limit: Exclude<BudgetLimit, 'seconds'>): BudgetReached {
  return new BudgetReached(sharedBudgetText(limit, budget[limit] ?? 0));
}

/** Returns the error for a sweep whose budget is exhausted. */
export function budgetSpent(reached: BudgetReached, folder: string, done: number): AppError {
  return new AppError({
    code: 'budget_spent',
    message: `${reached.message} ${done} trials were finished; they are in ${folder}.`,
    hint: `Go on with a larger one: npx sandtable sweep --resume ${folder} --budget …`,
    kind: 'run',
  });
}
