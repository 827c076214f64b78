import { type BarContext, RunStop, type TokenUsage } from '../../engine/index.ts';
import { decimal, decimalString } from '../../kernel/index.ts';
import { type AgentBudget, Spending } from '../model/budget.ts';
import { usageOf } from '../model/usage.ts';
import type { RunServices } from '../run-services.ts';
import type { AgentMessage } from './messages.ts';

/** What a decision took, as the agent says. */
export interface Reported {
  readonly usage: TokenUsage;
  /** US dollars as a decimal string; null where it said nothing of them. */
  readonly cost: string | null;
}

/** Holds an agent's run to its budget, and adds up what the agent says of its costs. */
export class AgentSpending {
  readonly #budget: AgentBudget;
  readonly #services: RunServices;
  readonly #run = new Spending(true);
  #decisions = 0;
  #calls = 0;
  #decision = new Spending(true);
  #saidTokens = false;
  #saidCost = false;
  #isMetered = false;

  /** @param budget of the run, where the services have none in its place */
  constructor(budget: AgentBudget, services: RunServices) {
    this.#budget = services.budget ?? budget;
    this.#services = services;
  }

  /**
   * A decision begins.
   *
   * @throws RunStop where the budget is used up; the limit is written down before
   */
  begin(turn: BarContext): void {
    const { bar } = turn;
    const reached = this.#reached(bar);
    if (reached !== undefined) {
      const { limit, allowed } = reached;
      const { sample = 1 } = this.#services;
      turn.record({ type: 'limit_reached', bar, sample, round: 1, scope: 'run', limit, allowed });
      throw new RunStop('budget_exhausted', {
        code: 'budget_exhausted',
        message: `The run's budget of ${allowed} ${limit} is used up at bar ${bar}.`,
        hint: `Go on with: npx sandtable resume RUN --budget ${limit}=MORE`,
      });
    }
    this.#decisions += 1;
    this.#decision = new Spending(true);
    this.#saidTokens = false;
    this.#saidCost = false;
  }

  /**
   * Before the agent is asked for what is not recorded: a decision is one call to a budget that is shared with other runs.
   *
   * @throws RunStop of `sharedBudgetStop` where a limit is reached
   */
  async meter(): Promise<void> {
    if (this.#isMetered) return;
    await this.#services.meter?.ask();
    this.#isMetered = true;
  }

  /** A decision is over, or was broken off: what it took is counted where it is shared. */
  async settle(): Promise<void> {
    if (!this.#isMetered) return;
    this.#isMetered = false;
    const { usage, dollars } = this.#decision;
    await this.#services.meter?.paid(usage.input + usage.output, Number(dollars));
  }

  add(message: AgentMessage): void {
    if (message.type === 'call') this.#calls += 1;
    const usage = usageOf(message.usage);
    const cost = message.cost === undefined ? null : decimalString(decimal(message.cost));
    this.#saidTokens ||= usage !== null;
    this.#saidCost ||= cost !== null;
    for (const spent of [this.#run, this.#decision]) spent.add(usage, cost);
  }

  /** What the decision under way has taken. */
  get reported(): Reported {
    const { usage, dollars } = this.#decision;
    return { usage, cost: this.#saidCost ? dollars : null };
  }

  /**
   * A decision has been made: a budget that nobody counts would never stop.
   *
   * @throws RunStop where the agent did not say what the budget limits
   */
  checkCounted(bar: number): void {
    const { tokens, usd } = this.#budget;
    const missing =
      usd !== undefined && !this.#saidCost
        ? (['cost', 'usd'] as const)
        : tokens !== undefined && !this.#saidTokens
          ? (['usage', 'tokens'] as const)
          : undefined;
    if (missing === undefined) return;
    const [field, limit] = missing;
    throw new RunStop('stopped', {
      code: 'agent_cost_unknown',
      message: `The agent did not say what its decision at bar ${bar} took: it has no ${field}, and the run has a budget of ${limit}.`,
      hint: `Have its messages carry ${field} (0 where no model was asked), or leave ${limit} out of the budget; then resume the run.`,
    });
  }

  #reached(bar: number): { readonly limit: keyof AgentBudget; readonly allowed: number } | undefined {
    const { recording, replayOnly = false } = this.#services;
    const then = recording?.limit(this.#services.sample ?? 1, bar, 1);
    if (then?.scope === 'run') return { limit: then.limit, allowed: then.allowed };
    // What was decided is not refused afterwards; and no clock is read where a record decides.
    if (replayOnly || recording?.agentReply(bar, 1) !== undefined) return undefined;
    const { decisions, calls, ...budget } = this.#budget;
    if (decisions !== undefined && this.#decisions >= decisions)
      return { limit: 'decisions', allowed: decisions };
    if (calls !== undefined && this.#calls >= calls) return { limit: 'calls', allowed: calls };
    const limit = this.#run.reached(budget, true);
    return limit === undefined ? undefined : { limit, allowed: this.#budget[limit]! };
  }
}
