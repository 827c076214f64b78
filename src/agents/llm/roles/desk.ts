import { type BarContext, isJsonObject, type Json } from '../../../engine/index.ts';
import type { DecisionEnd } from '../decision.ts';
import { callsOf, makeAnswerCalls } from '../output/answer-calls.ts';
import type { Role, Shared } from '../role.ts';
import type { FlowStep } from './read-roles.ts';
import type { TradeOutcomes } from './trade-outcomes.ts';

/** Text of a role within a decision, as shown to later roles. */
interface Said {
  readonly title: string;
  readonly text: string;
}

/** Result of one role's step, which a later role may veto. */
interface Proposal {
  readonly role: Role;
  readonly speech: DecisionEnd;
  /** Ids of the orders that the role has placed. */
  readonly orders: readonly number[];
}

/**
 * Runs the roles of a strategy in the order of their flow, passes the text of each role to later roles, and
 * applies vetoes.
 */
export class Desk {
  readonly #roles: ReadonlyMap<string, Role>;
  readonly #flow: readonly FlowStep[] | undefined;
  readonly #shared: Shared;
  readonly #trades: TradeOutcomes;
  #said: Said[] = [];
  #step = 0;
  #rounds = 0;
  #toolCalls = 0;

  /** @param flow undefined for a strategy with one prompt */
  constructor(
    roles: readonly Role[],
    flow: readonly FlowStep[] | undefined,
    shared: Shared,
    trades: TradeOutcomes,
  ) {
    this.#roles = new Map(roles.map((role) => [role.name, role]));
    this.#flow = flow;
    this.#shared = shared;
    this.#trades = trades;
  }

  /**
   * Makes one decision.
   *
   * @throws RunStop if the run's budget is exhausted, or a model is unavailable and `on_failure` is `stop`
   */
  async decide(turn: BarContext): Promise<DecisionEnd> {
    this.#said = [];
    this.#step = 0;
    this.#rounds = 0;
    this.#toolCalls = 0;
    const [only] = this.#roles.values();
    if (this.#flow === undefined) {
      const { speech } = await this.#placed(turn, only!, () => only!.speak(turn, {}));
      if (speech.outcome === 'answered') only!.note(turn, speech.text);
      return speech;
    }
    let last: DecisionEnd | undefined;
    for (const [index, step] of this.#flow.entries()) {
      if (typeof step === 'object' && 'veto' in step) continue;
      const next = this.#flow[index + 1];
      if (typeof step === 'object') last = await this.#debate(turn, step.debate, step.rounds);
      else if (typeof next === 'object' && 'veto' in next)
        last = await this.#underVeto(turn, step, next.veto, next.again);
      else last = (await this.#speak(turn, step, step, false)).speech;
      if (last.outcome === 'budget' && this.#isSpent()) break;
    }
    return { ...last!, rounds: this.#rounds, toolCalls: this.#toolCalls };
  }

  /** True if the budget of the whole decision is used up. The budgets of single roles are ignored. */
  #isSpent(): boolean {
    const { spent, budget } = this.#shared;
    return spent.decision.reached(budget.decision, false) !== undefined;
  }

  async #debate(turn: BarContext, names: readonly string[], rounds: number): Promise<DecisionEnd> {
    let last: DecisionEnd | undefined;
    for (let round = 1; round <= rounds; round++) {
      for (const name of names) {
        const title = rounds === 1 ? name : `${name}, round ${round} of ${rounds}`;
        last = (await this.#speak(turn, name, title, false)).speech;
        if (last.outcome === 'budget' && this.#isSpent()) return last;
      }
    }
    return last!;
  }

  async #underVeto(turn: BarContext, name: string, veto: string, again: number): Promise<DecisionEnd> {
    for (let tries = 0; ; tries++) {
      const title = tries === 0 ? name : `${name}, once more`;
      const proposal = await this.#speak(turn, name, title, true);
      const planned = this.#planned(proposal, turn);
      if (planned.length === 0) return this.#standing(turn, proposal);
      const { speech } = await this.#speak(turn, veto, veto, false, planned);
      const verdict = verdictOf(speech);
      if (verdict.approve) {
        this.#standing(turn, proposal);
        return this.#carriedOut(turn, proposal);
      }
      for (const order of proposal.orders) turn.orders.cancel(order);
      this.#trades.forget(proposal.orders);
      const problem = `${veto} vetoed it: ${verdict.reason}`;
      const spent = speech.outcome === 'budget' && this.#isSpent();
      if (tries < again && !spent) continue;
      proposal.role.note(turn, `Vetoed by ${veto}: ${verdict.reason} It was: ${proposal.speech.text}`);
      return { ...proposal.speech, outcome: 'vetoed', problem };
    }
  }

  /**
   * Accepts a proposal that was not vetoed, and returns its result. Stores an answer as a note, which the
   * role receives in its later decisions.
   */
  #standing(turn: BarContext, { role, speech }: Proposal): DecisionEnd {
    if (speech.outcome === 'answered') role.note(turn, speech.text);
    return speech;
  }

  /** Returns the actions that another role can veto: calls derived from an answer, and placed orders. */
  #planned({ role, speech, orders }: Proposal, turn: BarContext): readonly Json[] {
    const calls = speech.answer === undefined ? [] : callsOf(role.calls, speech.answer);
    const placed = turn.orders.pending().filter(({ id }) => orders.includes(id));
    return [
      ...calls.map(({ tool, arguments: given }) => ({ tool, arguments: given })),
      ...placed.map((order) => ({
        order_id: order.id,
        symbol: turn.symbols[order.symbol]!,
        action: order.action,
        order_type: order.type,
        quantity: order.size.kind === 'units' ? order.size.units.toNumber() : null,
      })),
    ];
  }

  async #carriedOut(turn: BarContext, { role, speech }: Proposal): Promise<DecisionEnd> {
    if (speech.answer === undefined) return speech;
    const { toolkit } = this.#shared;
    const { answer } = speech;
    const before = new Set(idsOf(turn));
    const { made, refusal } = await makeAnswerCalls(role.calls, answer, toolkit, turn);
    this.#trades.placed(turn, role.name, speech.text, newIds(turn, before));
    this.#toolCalls += made;
    if (refusal === undefined) return speech;
    return { ...speech, outcome: 'malformed_answer', problem: `The answer was not taken: ${refusal}.` };
  }

  /** Runs one step of a role, records the step, and passes its text to later roles. */
  async #speak(
    turn: BarContext,
    name: string,
    title: string,
    underVeto: boolean,
    planned?: readonly Json[],
  ): Promise<Proposal> {
    const { sample = 1 } = this.#shared.services;
    const role = this.#roles.get(name)!;
    this.#step += 1;
    const speaker = { role: name, step: this.#step };
    const said = saidText(this.#said, planned);
    const proposal = await this.#placed(turn, role, () =>
      role.speak(turn, { speaker, said, onlyAnswers: underVeto }),
    );
    const { speech } = proposal;
    const { usage, cost } = role.speechSpent;
    turn.record({ type: 'role_spoke', bar: turn.bar, sample, ...speaker, ...speech, usage, cost });
    this.#rounds += speech.rounds;
    this.#toolCalls += speech.toolCalls;
    this.#said.push({ title, text: wordsOf(speech) });
    if (speech.outcome === 'answered' && !underVeto) role.note(turn, speech.text);
    return proposal;
  }

  /** Runs `work`. Records that the role placed all orders that are new afterwards. */
  async #placed(turn: BarContext, role: Role, work: () => Promise<DecisionEnd>): Promise<Proposal> {
    const before = new Set(idsOf(turn));
    const speech = await work();
    const orders = newIds(turn, before);
    this.#trades.placed(turn, role.name, speech.text, orders);
    return { role, speech, orders };
  }
}

function idsOf(turn: BarContext): number[] {
  return turn.orders.pending().map(({ id }) => id);
}

function newIds(turn: BarContext, before: ReadonlySet<number>): number[] {
  return idsOf(turn).filter((id) => !before.has(id));
}

function verdictOf({ outcome, answer, problem }: DecisionEnd): {
  readonly approve: boolean;
  readonly reason: string;
} {
  if (outcome === 'answered' && isJsonObject(answer))
    return { approve: answer.approve === true, reason: sentence(String(answer.reason)) };
  // A missing verdict counts as a veto, so that an unclear answer does not approve a trade.
  return {
    approve: false,
    reason: sentence(`it gave no verdict (${problem ?? outcome.replaceAll('_', ' ')})`),
  };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}

function wordsOf({ outcome, text, answer }: DecisionEnd): string {
  if (outcome !== 'answered') return `(no answer: ${outcome.replaceAll('_', ' ')})`;
  return answer === undefined ? text.trim() : JSON.stringify(answer);
}

function saidText(said: readonly Said[], planned: readonly Json[] | undefined): string | undefined {
  // Headings inside a role's text are quoted, so that they do not look like the text of another role.
  const parts = said.map(({ title, text }) => `## ${title}\n${text.replaceAll(/^(?=[ \t]*##? )/gm, '> ')}`);
  const before = parts.length === 0 ? [] : [`Earlier answers in this decision:\n\n${parts.join('\n\n')}`];
  const plan =
    planned === undefined
      ? []
      : [
          `Nothing of this is done unless you approve it:\n${planned.map((one) => JSON.stringify(one)).join('\n')}`,
        ];
  return before.length + plan.length === 0 ? undefined : [...before, ...plan].join('\n\n');
}
