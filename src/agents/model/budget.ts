import { z } from 'zod';
import { RunStop, type TokenUsage } from '../../engine/index.ts';
import { type Decimal, decimal, decimalString } from '../../kernel/index.ts';

/** Spending limits for model requests. A missing limit means unlimited. */
export const budgetSchema = z.strictObject({
  /** Input and output tokens together. */
  tokens: z.number().int().min(1).optional(),
  usd: z.number().gt(0).optional(),
  /** Number of requests, including failed ones. */
  calls: z.number().int().min(1).optional(),
  /** Wall-clock time. */
  seconds: z.number().gt(0).optional(),
});

export type Budget = z.infer<typeof budgetSchema>;
export type BudgetLimit = keyof Budget;

/**
 * Spending limits of an agent's run. `calls` counts tool calls. `tokens` and `usd` count the usage that the
 * agent reports.
 */
export const agentBudgetSchema = budgetSchema.extend({ decisions: z.number().int().min(1).optional() });

export type AgentBudget = z.infer<typeof agentBudgetSchema>;

const NOTHING: TokenUsage = { input: 0, cached: 0, output: 0, reasoning: 0 };

function addUsage(one: TokenUsage, other: TokenUsage | null): TokenUsage {
  if (other === null) return one;
  return {
    ...(one.estimated === true || other.estimated === true ? { estimated: true } : {}),
    input: one.input + other.input,
    cached: one.cached + other.cached,
    output: one.output + other.output,
    reasoning: one.reasoning + other.reasoning,
  };
}

/**
 * Running totals of model usage for one run or one decision: requests, tokens, US dollars and elapsed time.
 */
export class Spending {
  #calls = 0;
  #usage = NOTHING;
  #dollars: Decimal = decimal(0);
  #costKnown = true;
  #largest = { tokens: 0, usd: 0 };
  readonly #hasPrice: boolean;
  readonly #startedAt = performance.now();

  /** @param hasPrice true if the price of the model is known */
  constructor(hasPrice: boolean) {
    this.#hasPrice = hasPrice;
  }

  add(usage: TokenUsage | null, cost: string | null): void {
    this.#calls += 1;
    this.#usage = addUsage(this.#usage, usage);
    if (cost !== null) this.#dollars = this.#dollars.plus(cost);
    // A failed request that reports no tokens counts as free. Servers usually do not charge for it.
    else if (usage !== null) this.#costKnown = false;
    const { tokens, usd } = this.#largest;
    const used = usage === null ? 0 : usage.input + usage.output;
    this.#largest = { tokens: Math.max(tokens, used), usd: Math.max(usd, Number(cost ?? 0)) };
  }

  get usage(): TokenUsage {
    return this.#usage;
  }

  /** Cost in US dollars as a decimal string. `null` if part of the cost is unknown. */
  get cost(): string | null {
    const known = this.#costKnown && (this.#hasPrice || this.#calls === 0);
    return known ? this.dollars : null;
  }

  /** Known part of the cost in US dollars, as a decimal string. */
  get dollars(): string {
    return decimalString(this.#dollars);
  }

  /**
   * Returns the first exhausted limit of the budget, or `undefined` if no limit is reached.
   *
   * @param clock if true, the time limit is checked as well. Must be false in replays, because elapsed time
   *   depends on the machine
   */
  reached(budget: Budget, clock: boolean): BudgetLimit | undefined {
    if (budget.calls !== undefined && this.#calls >= budget.calls) return 'calls';
    const { input, output } = this.#usage;
    if (budget.tokens !== undefined && input + output >= budget.tokens) return 'tokens';
    if (budget.usd !== undefined && this.#dollars.gte(budget.usd)) return 'usd';
    const seconds = (performance.now() - this.#startedAt) / 1000;
    if (clock && budget.seconds !== undefined && seconds >= budget.seconds) return 'seconds';
    return undefined;
  }

  /**
   * Returns the first limit of tokens or US dollars that the next request would exceed, or `undefined`. The
   * next request is assumed to use as many tokens and dollars as the largest request so far.
   */
  exceededByNext({ tokens, usd }: Budget): BudgetLimit | undefined {
    const { input, output } = this.#usage;
    if (tokens !== undefined && input + output + this.#largest.tokens > tokens) return 'tokens';
    if (usd !== undefined && this.#dollars.plus(this.#largest.usd).gt(usd)) return 'usd';
    return undefined;
  }
}

/** Total usage of all model requests that a shared budget counts. */
export interface ModelSpending {
  readonly calls: number;
  /** Input and output tokens together. */
  readonly tokens: number;
  readonly usd: number;
}

/** Counts the model usage of many runs, across threads and machines. */
export interface Meter {
  /**
   * Checks the limits of the shared budget. Must be called before each request.
   *
   * @throws RunStop created by `sharedBudgetStop`, if a limit is reached
   */
  ask(): Promise<void>;
  /**
   * Adds the tokens and the cost in US dollars of a request. Must be called after each request. Both are 0
   * for a failed request.
   */
  paid(tokens: number, usd: number): Promise<void>;
}

/** Error code of a run that ended because a shared budget is used up. */
export const SHARED_BUDGET_SPENT = 'shared_budget_spent';

/**
 * Creates the error that stops a run when a limit of a shared budget is reached. The run has no result and
 * can be repeated later.
 */
export function sharedBudgetStop(limit: BudgetLimit, allowed: number): RunStop {
  return new RunStop('budget_exhausted', {
    code: SHARED_BUDGET_SPENT,
    message: sharedBudgetText(limit, allowed),
    hint: 'Finished trials are saved. Continue with --resume and a larger --budget.',
  });
}

/** Returns true if an error stopped a run because a limit of a shared budget was reached. */
export function isSharedBudgetStop(error: unknown): boolean {
  return error instanceof RunStop && error.code === SHARED_BUDGET_SPENT;
}

export function sharedBudgetText(limit: BudgetLimit, allowed: number): string {
  return `The shared budget of all trials is exhausted: ${allowed} ${limit}.`;
}
