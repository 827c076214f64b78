import type { AgentBudget } from '../model/budget.ts';

/** Settings of a run with a user's own agent. All defaults are filled in. */
export interface OwnAgent {
  /** Agent as shown in the record. */
  readonly shown: string;
  readonly tools: readonly string[];
  readonly every: number;
  readonly warmUp: number;
  readonly timeoutSeconds: number;
  readonly calls: number;
  readonly failures: number;
  /** Budget of the whole run. */
  readonly budget: AgentBudget;
}
