import type { AgentBudget } from '../model/budget.ts';

/** What a run and an agent of the user's own hold to, with every default filled in. */
export interface OwnAgent {
  /** As the record has it. */
  readonly shown: string;
  readonly tools: readonly string[];
  readonly every: number;
  readonly warmUp: number;
  readonly timeoutSeconds: number;
  readonly calls: number;
  readonly failures: number;
  /** Of the whole run. */
  readonly budget: AgentBudget;
}
