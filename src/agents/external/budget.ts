import { type BarContext, RunStop, type TokenUsage } from '../../engine/index.ts';
import { decimal, decimalString } from '../../kernel/index.ts';
import { type AgentBudget, Spending } from '../model/budget.ts';
import { usageOf } from '../model/types.ts';
import type { RunServices } from '../run-services.ts';
import type { AgentMessage } from './messages.ts';

/** Usage and cost of a decision, as reported by the agent. */
export interface Reported {
  readonly usage: TokenUsage;
  /** US dollars as a decimal string. `null` if the agent reported no cost. */
  readonly cost: string | null;
}

/** Enforces the budget of an agent's run and totals the usage that the agent reports. */
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

  /** @param budget budget from the settings of the agent. `services.budget` overrides it */
  constructor(budget: AgentBudget, services: RunServices) {
    this.#budget = services.budget ?? budget;
    this.#services = services;
  }

  /**
   * Starts a decision. If the budget is used up, records the reached limit and throws.
   *
   * @throws RunStop if the budget is used up
   */
  begin(turn: BarContext): void {
    const { bar } = turn;
    // Adds the whole previous decision as one request. `exceededByNext` then compares the budget with the
    // largest decision so far.
    const { usage, dollars } = this.#decision;
    this.#run.add(usage, dollars);
    const reached = this.#reached(bar);
    if (reached !== undefined) {
      const { limit, allowed } = reached;
      const { sample = 1 } = this.#services;
      turn.record({ type: 'limit_reached', bar, sample, round: 1, scope: 'run', limit, allowed });
      throw new RunStop('budget_exhausted', {
        code: 'budget_exhausted',
        message: `The run's budget of ${allowed} ${limit} is exhausted at bar ${bar}.`,
        hint: `Continue: npx sandtable resume RUN --budget ${limit}=MORE`,
      });
    }
    this.#decisions += 1;
    this.#decision = new Spending(true);
    this.#saidTokens = false;
    this.#saidCost = false;
  }

  /**
   * Counts one call in a budget that several runs share. Must be called before the first unrecorded request
   * of a decision.
   *
   * @throws RunStop created by `sharedBudgetStop`, if a limit is reached
   */
  async meter(): Promise<void> {
    if (this.#isMetered) return;
    await this.#services.meter?.ask();
    this.#isMetered = true;
  }

  /** Adds the usage of a finished or aborted decision to the shared budget. */
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
    this.#decision.add(usage, cost);
  }

  /** Usage and cost reported for the current decision. */
  get reported(): Reported {
    const { usage, dollars } = this.#decision;
    return { usage, cost: this.#saidCost ? dollars : null };
  }

  /**
   * Checks that the agent reports its tokens or its cost if the budget limits them. Without reports, the
   * budget would never stop the run.
   *
   * @throws RunStop if a required report is missing
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
      message: `The agent reported no ${field} for its decision at bar ${bar}, and the run has a budget of ${limit}.`,
      hint: `Add ${field} to its messages (0 without a model call), or remove ${limit} from the budget. Then resume the run.`,
    });
  }

  #reached(bar: number): { readonly limit: keyof AgentBudget; readonly allowed: number } | undefined {
    const { recording, replayOnly = false } = this.#services;
    const then = recording?.limit(this.#services.sample ?? 1, bar, 1);
    if (then?.scope === 'run') return { limit: then.limit, allowed: then.allowed };
    // A recorded decision is already paid for, so limits do not apply to it. A replay must also not depend on
    // the clock.
    if (replayOnly || recording?.agentReply(bar, 1) !== undefined) return undefined;
    const { decisions, calls, ...budget } = this.#budget;
    if (decisions !== undefined && this.#decisions >= decisions)
      return { limit: 'decisions', allowed: decisions };
    if (calls !== undefined && this.#calls >= calls) return { limit: 'calls', allowed: calls };
    const limit = this.#run.reached(budget, true) ?? this.#run.exceededByNext(budget);
    return limit === undefined ? undefined : { limit, allowed: this.#budget[limit]! };
  }
}
