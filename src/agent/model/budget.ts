import { z } from 'zod';
import type { TokenUsage } from '../../engine/index.ts';
import { type Decimal, decimal, decimalString } from '../../kernel/index.ts';

/** What may be spent; a missing limit is none. */
export const budgetSchema = z.strictObject({
  /** Input and output together. */
  tokens: z.number().int().min(1).optional(),
  usd: z.number().gt(0).optional(),
  /** Requests, those that failed included. */
  calls: z.number().int().min(1).optional(),
  /** Of wall-clock time. */
  seconds: z.number().gt(0).optional(),
});

export type Budget = z.infer<typeof budgetSchema>;
export type BudgetLimit = keyof Budget;

/** What an agent's run may spend: `calls` are of tools, `tokens` and `usd` what the agent says that it has spent. */
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

/** What has been spent, on a run or on one decision. */
export class Spending {
  #calls = 0;
  #usage = NOTHING;
  #dollars: Decimal = decimal(0);
  #costKnown = true;
  readonly #hasPrice: boolean;
  readonly #startedAt = performance.now();

  /** @param hasPrice whether the model's price is known */
  constructor(hasPrice: boolean) {
    this.#hasPrice = hasPrice;
  }

  add(usage: TokenUsage | null, cost: string | null): void {
    this.#calls += 1;
    this.#usage = addUsage(this.#usage, usage);
    if (cost !== null) this.#dollars = this.#dollars.plus(cost);
    // A request that failed without telling its tokens is counted as free: most are.
    else if (usage !== null) this.#costKnown = false;
  }

  get usage(): TokenUsage {
    return this.#usage;
  }

  /** US dollars as a decimal string; null when some of it is not known. */
  get cost(): string | null {
    const known = this.#costKnown && (this.#hasPrice || this.#calls === 0);
    return known ? this.dollars : null;
  }

  /** US dollars that are known of, as a decimal string. */
  get dollars(): string {
    return decimalString(this.#dollars);
  }

  /** The first limit that is used up; of those the machine does not decide, unless `clock` is set. */
  reached(budget: Budget, clock: boolean): BudgetLimit | undefined {
    if (budget.calls !== undefined && this.#calls >= budget.calls) return 'calls';
    const { input, output } = this.#usage;
    if (budget.tokens !== undefined && input + output >= budget.tokens) return 'tokens';
    if (budget.usd !== undefined && this.#dollars.gte(budget.usd)) return 'usd';
    const seconds = (performance.now() - this.#startedAt) / 1000;
    if (clock && budget.seconds !== undefined && seconds >= budget.seconds) return 'seconds';
    return undefined;
  }
}
