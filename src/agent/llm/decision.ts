import type { BarContext, DecisionOutcome, ModelFailureKind } from '../../engine/index.ts';
import { RunStop } from '../../engine/index.ts';
import type { ToolDefinition, Toolkit } from '../../toolkit/index.ts';
import type { Budget, BudgetLimit, Spending } from '../model/budget.ts';
import { canonicalJson } from '../model/canonical.ts';
import { type Exchanger, ModelUnavailable } from '../model/exchange.ts';
import { textCalls } from '../model/text-calls.ts';
import type { Message, ModelReply } from '../model/types.ts';
import type { Recording } from '../record/recording.ts';
import { estimatedTokens, fitContext } from './context-window.ts';
import { echoed, readCalls, runTools, withIds } from './tool-round.ts';

const LAST_ROUND =
  'This was the last round with tools. Answer now in a few sentences: what you decided and why. Calls are no longer made.';

/** Tries to make a conversation fit that the server still found too long. */
const SHRINKS = 3;
const SHRINK = 0.7;

const HINTS: Partial<Record<ModelFailureKind, string>> = {
  unauthorised: 'Check the key and its rights, then resume the run.',
  insufficient_quota: 'Check the credit and the quota of the account, then resume the run.',
  rejected:
    'Check what the server says of the request (model, sampling, extra_body, tools), then resume the run.',
};
const OTHER_HINT =
  'Check the server, then resume the run; on_failure: hold goes on without a decision instead.';

export interface DecisionOptions {
  /** As the model may see it. */
  readonly turn: BarContext;
  readonly sample: number;
  /** System prompt and observation. */
  readonly opening: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolkit: Toolkit;
  readonly rounds: number;
  readonly toolOutputCharacters: number;
  /** Tokens that requests may take, the reply's own left out. */
  readonly contextTokens: number;
  readonly exchanger: Exchanger;
  readonly policy: 'hold' | 'stop';
  /** Makes calls that came as text. */
  readonly textToolCalls: boolean;
  /** Whether the decision before was held since the server refused its request for good. */
  readonly rejectedBefore: boolean;
  readonly budget: { readonly decision: Budget; readonly run: Budget };
  readonly spent: { readonly decision: Spending; readonly run: Spending };
  readonly recording?: Recording | undefined;
  readonly replayOnly: boolean;
}

export interface DecisionEnd {
  readonly outcome: DecisionOutcome;
  readonly rounds: number;
  readonly toolCalls: number;
  readonly text: string;
}

/** One decision: rounds of replies and tool calls, until the model answers or something keeps it from answering. */
export class DecisionLoop {
  readonly #options: DecisionOptions;
  readonly #messages: Message[];
  readonly #toolCharacters: number;
  /** What the next round adds to the conversation. */
  #added: Message[];
  #contextTokens: number;
  #toolCalls = 0;
  #wasRejected = false;

  constructor(options: DecisionOptions) {
    this.#options = options;
    this.#messages = [...options.opening];
    this.#added = [...options.opening];
    this.#toolCharacters = canonicalJson(options.tools).length;
    this.#contextTokens = options.contextTokens;
  }

  /** @throws RunStop when the run's budget is used up, or the model is out of reach and the policy says stop */
  async run(): Promise<DecisionEnd> {
    const { rounds, tools } = this.#options;
    for (let round = 1; round <= rounds; round++) {
      if (this.#limitReached(round)) return this.#end('budget', round - 1, '');
      const final = round === rounds || tools.length === 0;
      if (final && round > 1) this.#say({ role: 'user', text: LAST_ROUND });
      const given = await this.#ask(round, final);
      if (given === undefined) return this.#end('held', round - 1, '');
      const reply = this.#withTextCalls(given);
      if (reply === undefined) return this.#end('text_tool_calls', round, given.text);
      const outcome = outcomeOf(reply, final);
      if (outcome !== undefined) return this.#end(outcome, round, reply.text);
      await this.#makeCalls(reply, round);
    }
    return this.#end('rounds_exhausted', rounds, '');
  }

  /** The reply with the calls of its text; undefined when it has such, and they are not to be made. */
  #withTextCalls(reply: ModelReply): ModelReply | undefined {
    const { tools, textToolCalls } = this.#options;
    if (reply.end !== 'stop') return reply;
    const offered = tools.map((tool) => tool.function.name);
    const found = textCalls(reply.text, offered);
    if (found === undefined) return reply;
    if (!textToolCalls) return undefined;
    // The server's own items hold the calls as text: what goes back is made of the reply.
    const { items: _, ...rest } = reply;
    return { ...rest, text: found.rest, toolCalls: found.calls, end: 'tool_calls' };
  }

  /** Whether the decision was held since the server refused its request for good. */
  get wasRejected(): boolean {
    return this.#wasRejected;
  }

  #end(outcome: DecisionOutcome, rounds: number, text: string): DecisionEnd {
    return { outcome, rounds, toolCalls: this.#toolCalls, text };
  }

  #say(message: Message): void {
    this.#messages.push(message);
    this.#added.push(message);
  }

  async #makeCalls(reply: ModelReply, round: number): Promise<void> {
    const { toolkit, turn, tools, toolOutputCharacters } = this.#options;
    const { calls, changed } = withIds(reply.toolCalls, round);
    const offered = tools.map((tool) => tool.function.name);
    const read = readCalls(calls, toolkit, offered);
    const sane = read.map(echoed);
    const asSent = !changed && sane.every((call, index) => call === calls[index]);
    // The reply is in the record of its own round: it is not added again.
    this.#messages.push({
      role: 'assistant',
      text: reply.text,
      toolCalls: sane,
      ...(reply.echo === undefined ? {} : { echo: reply.echo }),
      ...(reply.items === undefined || !asSent ? {} : { items: reply.items }),
    });
    this.#toolCalls += calls.length;
    for (const answer of await runTools(read, turn, toolOutputCharacters)) this.#say(answer);
  }

  /** The reply of a round; undefined when there is none and the policy is to hold. */
  async #ask(round: number, final: boolean): Promise<ModelReply | undefined> {
    const { exchanger, turn, tools } = this.#options;
    let attemptsBefore = 0;
    for (let shrinks = 0; ; shrinks++) {
      const { messages } = fitContext(this.#messages, this.#toolCharacters, this.#contextTokens);
      const added = this.#added;
      try {
        const request = { messages, tools, final };
        const reply = await exchanger.round({ turn, round, request, added, attemptsBefore });
        this.#added = [];
        return reply;
      } catch (error) {
        if (!(error instanceof ModelUnavailable)) throw error;
        attemptsBefore = error.attempts;
        if (error.failure.kind !== 'context_too_long' || shrinks >= SHRINKS || !this.#shrink(messages)) {
          return this.#unavailable(error, round);
        }
      }
    }
  }

  /** Lowers the limit below what was too long; says whether that leaves anything out. */
  #shrink(messages: readonly Message[]): boolean {
    const tokens = estimatedTokens(messages, this.#toolCharacters);
    this.#contextTokens = Math.floor(tokens * SHRINK);
    const next = fitContext(this.#messages, this.#toolCharacters, this.#contextTokens);
    return estimatedTokens(next.messages, this.#toolCharacters) < tokens;
  }

  #unavailable({ failure, attempts }: ModelUnavailable, round: number): undefined {
    const { turn, sample, rejectedBefore } = this.#options;
    this.#wasRejected = failure.kind === 'rejected';
    // A key, a purse or a model's name that is wrong now is wrong at every bar; so is a request refused twice.
    const lasting =
      failure.kind === 'unauthorised' ||
      failure.kind === 'insufficient_quota' ||
      failure.status === 404 ||
      (this.#wasRejected && rejectedBefore);
    const policy = lasting ? 'stop' : this.#options.policy;
    turn.record({ type: 'model_unavailable', bar: turn.bar, sample, round, attempts, failure, policy });
    if (policy === 'hold') return undefined;
    const status = failure.status === null ? '' : ` (HTTP ${failure.status})`;
    throw new RunStop('stopped', {
      code: 'model_unavailable',
      message: `The model could not be asked at bar ${turn.bar}, round ${round}, in ${attempts} attempts: ${failure.kind}${status}, ${failure.message}.`,
      hint: HINTS[failure.kind] ?? OTHER_HINT,
    });
  }

  #limitReached(round: number): boolean {
    const { turn, sample } = this.#options;
    const limit = this.#limit(round);
    if (limit === undefined) return false;
    turn.record({ type: 'limit_reached', bar: turn.bar, sample, round, ...limit });
    if (limit.scope === 'decision') return true;
    throw new RunStop('budget_exhausted', {
      code: 'budget_exhausted',
      message: `The run's budget of ${limit.allowed} ${limit.limit} is used up at bar ${turn.bar}.`,
      hint: `Go on with: npx sandtable resume RUN --budget ${limit.limit}=MORE`,
    });
  }

  #limit(round: number): { scope: 'run' | 'decision'; limit: BudgetLimit; allowed: number } | undefined {
    const { turn, sample, recording, replayOnly, budget, spent } = this.#options;
    const then = recording?.limit(sample, turn.bar, round);
    if (then !== undefined) return { scope: then.scope, limit: then.limit, allowed: then.allowed };
    // A round that was paid for is not refused afterwards; and no clock is read where a record decides.
    const recorded = recording?.exchange({ sample, bar: turn.bar, round, attempt: 1 }) !== undefined;
    const clock = !recorded && !replayOnly;
    const limit = spent.decision.reached(budget.decision, clock);
    if (limit !== undefined) return { scope: 'decision', limit, allowed: budget.decision[limit]! };
    const ofRun = clock ? spent.run.reached(budget.run, true) : undefined;
    return ofRun === undefined ? undefined : { scope: 'run', limit: ofRun, allowed: budget.run[ofRun]! };
  }
}

/** How a reply ends the decision; undefined when its calls are to be made. */
function outcomeOf(reply: ModelReply, final: boolean): DecisionOutcome | undefined {
  // A reply that was cut, filtered or refused may hold calls: none of them is made.
  if (reply.end === 'length') return 'cut';
  if (reply.end === 'filtered') return 'filtered';
  if (reply.end === 'refused') return 'refused';
  if (reply.end === 'tool_calls') return final ? 'rounds_exhausted' : undefined;
  return reply.text.trim() === '' ? 'empty' : 'answered';
}
