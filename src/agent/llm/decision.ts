import type { DecisionOutcome, Json } from '../../engine/index.ts';
import { canonicalJson } from '../model/canonical.ts';
import { ModelUnavailable } from '../model/exchange.ts';
import { textCalls } from '../model/text-calls.ts';
import type { Message, ModelReply } from '../model/types.ts';
import { estimatedTokens, fitContext } from './context-window.ts';
import type { DecisionOptions } from './decision-options.ts';
import { limitReached } from './limit-reached.ts';
import { type AnswerCallsEnd, makeAnswerCalls } from './output/answer-calls.ts';
import type { AnswerForm } from './output/answer-form.ts';
import { isAnswerCall, readAnswer } from './output/read-answer.ts';
import { echoed, type ReadCall, readCalls, runTools, withIds } from './tool-round.ts';
import { heldOrStopped } from './unavailable.ts';

const LAST_ROUND =
  'This was the last round with tools. Answer now in a few sentences: what you decided and why. Calls are no longer made.';

const LAST_ROUND_OF_FORM =
  'This was the last round with tools. Give your whole answer now, in the form that was asked for. Other calls are no longer made.';
const REPAIR = 'Give the whole answer once more, in the form that was asked for.';
const NOT_MADE = 'This call was not made.';

/** Tries to make a conversation fit that the server still found too long. */
const SHRINKS = 3;
const SHRINK = 0.7;

export interface DecisionEnd {
  readonly outcome: DecisionOutcome;
  readonly rounds: number;
  readonly toolCalls: number;
  readonly text: string;
  /** Of the form that was asked for. */
  readonly answer?: Json;
  /** What was wrong with the answer after it could be repaired. */
  readonly problem?: string;
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
  /** Whether the round for a better answer has begun. */
  #repairing = false;

  constructor(options: DecisionOptions) {
    this.#options = options;
    this.#messages = [...options.opening];
    this.#added = [...options.opening];
    this.#toolCharacters = canonicalJson(options.tools).length;
    this.#contextTokens = options.contextTokens;
  }

  /** @throws RunStop when the run's budget is used up, or the model is out of reach and the policy says stop */
  async run(): Promise<DecisionEnd> {
    const { rounds, form } = this.#options;
    for (let round = 1; round <= rounds || this.#repairing; round++) {
      if (limitReached(round, this.#options)) return this.#end('budget', round - 1, '');
      const final = round >= rounds || this.#repairing || !this.#hasTools;
      if (final && round > 1 && !this.#repairing)
        this.#say({ role: 'user', text: form === undefined ? LAST_ROUND : LAST_ROUND_OF_FORM });
      const given = await this.#ask(round, final);
      if (given === undefined) return this.#end('held', round - 1, '');
      const end = await (form === undefined
        ? this.#free(given, round, final)
        : this.#formed(given, round, final, form));
      if (end !== undefined) return end;
    }
    return this.#end('rounds_exhausted', rounds, '');
  }

  /** Whether there are tools beside that of the answer. */
  get #hasTools(): boolean {
    const { tools, form } = this.#options;
    return tools.length > (form?.tool === undefined ? 0 : 1);
  }

  /** What a reply whose answer is any text comes to; undefined where the conversation goes on. */
  async #free(given: ModelReply, round: number, final: boolean): Promise<DecisionEnd | undefined> {
    const reply = this.#withTextCalls(given);
    if (reply === undefined) return this.#end('text_tool_calls', round, given.text);
    const outcome = outcomeOf(reply, final);
    if (outcome !== undefined) return this.#end(outcome, round, reply.text);
    await this.#makeCalls(reply, round);
    return undefined;
  }

  /** The same for an answer of a form: one that is not of it may be given once more. */
  async #formed(
    given: ModelReply,
    round: number,
    final: boolean,
    { request, calls }: AnswerForm,
  ): Promise<DecisionEnd | undefined> {
    const failed = failedEnd(given);
    if (failed !== undefined) return this.#end(failed, round, given.text);
    let read = readAnswer(given, request.schema);
    const reply = 'fault' in read ? this.#withTextCalls(given) : given;
    if (reply === undefined) return this.#end('text_tool_calls', round, given.text);
    if (reply !== given) read = readAnswer(reply, request.schema);
    const answers = reply.toolCalls.length === 0 || reply.toolCalls.some(isAnswerCall);
    if (!answers && !final) {
      await this.#makeCalls(reply, round);
      return undefined;
    }
    let problem = 'fault' in read ? `it is not of that form: ${read.fault}` : undefined;
    if ('answer' in read) {
      // Calls beside the answer were written before it could be read.
      if (!final && reply.toolCalls.length > 1) await this.#makeCalls(reply, round, 'Taken.');
      const { refusal, stands } = await this.#carryOut(read.answer, calls);
      problem = refusal === undefined ? undefined : `it could not be carried out: ${refusal}`;
      // What has been done in part cannot be asked for again.
      if (problem === undefined || stands || this.#repairing)
        return this.#answered(reply, round, read.answer, problem);
    }
    if (this.#repairing) {
      return { ...this.#end('malformed_answer', round, reply.text), problem: notTaken(problem) };
    }
    this.#repairing = true;
    const words = `${notTaken(problem)} ${REPAIR}`;
    await this.#makeCalls(reply, round, words, true);
    if (reply.toolCalls.length === 0) this.#say({ role: 'user', text: words });
    return undefined;
  }

  async #carryOut(answer: Json, calls: AnswerForm['calls']): Promise<AnswerCallsEnd> {
    const { toolkit, turn, onlyAnswers = false } = this.#options;
    if (onlyAnswers) return { made: 0, stands: false };
    const end = await makeAnswerCalls(calls, answer, toolkit, turn);
    this.#toolCalls += end.made;
    return end;
  }

  #answered(reply: ModelReply, round: number, answer: Json, problem: string | undefined): DecisionEnd {
    const text = reply.text.trim() === '' ? JSON.stringify(answer) : reply.text;
    const outcome = problem === undefined ? 'answered' : 'malformed_answer';
    const end = { ...this.#end(outcome, round, text), answer };
    return problem === undefined ? end : { ...end, problem: notTaken(problem) };
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

  /**
   * @param ofAnswer what the tool of the answer is answered, among the others
   * @param onlyAnswer leaves the other calls aside
   */
  async #makeCalls(reply: ModelReply, round: number, ofAnswer = '', onlyAnswer = false): Promise<void> {
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
    const isAside = ({ call }: ReadCall): boolean =>
      this.#options.form !== undefined && (onlyAnswer || isAnswerCall(call));
    const made = read.filter((one) => !isAside(one));
    this.#toolCalls += made.length;
    for (const answer of await runTools(made, turn, toolOutputCharacters)) this.#say(answer);
    for (const { call } of read.filter(isAside))
      this.#say({
        role: 'tool',
        callId: call.id,
        name: call.name,
        text: isAnswerCall(call) ? ofAnswer : NOT_MADE,
      });
  }

  /** The reply of a round; undefined when there is none and the policy is to hold. */
  async #ask(round: number, final: boolean): Promise<ModelReply | undefined> {
    const { exchanger, turn, tools, form, speaker } = this.#options;
    let attemptsBefore = 0;
    for (let shrinks = 0; ; shrinks++) {
      const { messages } = fitContext(this.#messages, this.#toolCharacters, this.#contextTokens);
      const added = this.#added;
      try {
        const request = { messages, tools, final, answer: form?.request };
        const reply = await exchanger.round({ turn, round, speaker, request, added, attemptsBefore });
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

  #unavailable(error: ModelUnavailable, round: number): undefined {
    this.#wasRejected = error.failure.kind === 'rejected';
    heldOrStopped(error, round, this.#options);
  }
}

function notTaken(problem: string | undefined): string {
  return `The answer was not taken: ${problem}.`;
}

/** How a reply ends the decision; undefined when its calls are to be made. */
function outcomeOf(reply: ModelReply, final: boolean): DecisionOutcome | undefined {
  const failed = failedEnd(reply);
  if (failed !== undefined) return failed;
  if (reply.end === 'tool_calls') return final ? 'rounds_exhausted' : undefined;
  return reply.text.trim() === '' ? 'empty' : 'answered';
}

// A reply that was cut, filtered or refused may hold calls: none of them is made.
function failedEnd({ end }: ModelReply): DecisionOutcome | undefined {
  if (end === 'length') return 'cut';
  if (end === 'filtered' || end === 'refused') return end;
  return undefined;
}
