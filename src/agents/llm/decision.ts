import type { DecisionOutcome, Json } from '../../engine/index.ts';
import { ModelUnavailable } from '../model/exchange.ts';
import { textCalls } from '../model/text-calls.ts';
import type { Message, ModelReply } from '../model/types.ts';
import { canonicalJson } from '../model/wire-parts.ts';
import { withRecordedMessages } from '../record/recording.ts';
import {
  type DecisionOptions,
  echoed,
  estimatedTokens,
  fitContext,
  heldOrStopped,
  limitReached,
  type ReadCall,
  readCalls,
  runTools,
  withIds,
} from './decision-steps.ts';
import {
  type AnswerCallsEnd,
  type AnswerForm,
  isAnswerCall,
  makeAnswerCalls,
  readAnswer,
} from './output/answer-calls.ts';

const LAST_ROUND =
  'This was the last round with tools. Answer now in a few sentences: your decision and its reasons. Further tool calls are ignored.';

const LAST_ROUND_OF_FORM =
  'This was the last round with tools. Give the complete answer now, in the requested form. Other calls are ignored.';
const REPAIR = 'Give the complete answer again, in the requested form.';
const NOT_MADE = 'This call was not made.';

/**
 * Maximum number of times that a conversation is shortened and sent again after the server reports that it is
 * too long.
 */
const SHRINKS = 3;
const SHRINK = 0.7;

/** Result of a decision, or of one role's step within a decision. */
export interface DecisionEnd {
  readonly outcome: DecisionOutcome;
  readonly rounds: number;
  readonly toolCalls: number;
  readonly text: string;
  /** Answer in the required form. */
  readonly answer?: Json;
  /**
   * Reason why the answer was not carried out: it is still invalid after one correction, a tool call failed,
   * or another role vetoed it.
   */
  readonly problem?: string;
}

/**
 * One decision. Runs rounds until the model answers, or a limit or failure ends the decision. A round is one
 * request, its reply, and the tool calls in this reply.
 */
export class DecisionLoop {
  readonly #options: DecisionOptions;
  readonly #messages: Message[];
  readonly #toolCharacters: number;
  /** Messages that the next round adds to the conversation. */
  #added: Message[];
  #contextTokens: number;
  #toolCalls = 0;
  #wasRejected = false;
  /** True once the model has been requested to correct its answer. */
  #repairing = false;

  constructor(options: DecisionOptions) {
    this.#options = options;
    this.#messages = [...options.opening];
    this.#added = [...options.opening];
    this.#toolCharacters = canonicalJson(options.tools).length;
    this.#contextTokens = options.contextTokens;
  }

  /**
   * Runs the decision and returns its result.
   *
   * @throws RunStop if the run's budget is used up, or the model is unavailable and `on_failure` is `stop`
   */
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

  /** True if the model has tools other than the tool for its answer. */
  get #hasTools(): boolean {
    const { tools, form } = this.#options;
    return tools.length > (form?.tool === undefined ? 0 : 1);
  }

  /** Handles a reply if the answer may be any text. Returns `undefined` if the conversation continues. */
  async #free(given: ModelReply, round: number, final: boolean): Promise<DecisionEnd | undefined> {
    const reply = this.#withTextCalls(given);
    if (reply === undefined) return this.#end('text_tool_calls', round, given.text);
    const outcome = outcomeOf(reply, final);
    if (outcome !== undefined) return this.#end(outcome, round, reply.text);
    await this.#makeCalls(reply, round);
    return undefined;
  }

  /**
   * Handles a reply if the answer must have a required form. The model may correct an invalid answer once.
   */
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
      // The other calls of the reply are made before the calls derived from the answer, because the model
      // wrote them together with the answer.
      if (!final && reply.toolCalls.length > 1) await this.#makeCalls(reply, round, 'Taken.');
      const { refusal, stands } = await this.#carryOut(read.answer, calls);
      problem = refusal === undefined ? undefined : `it could not be carried out: ${refusal}`;
      // If some calls of the answer have already been made, the answer cannot be requested again.
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

  /**
   * Returns the reply, with any tool calls that the model wrote in its text. Returns `undefined` if the text
   * contains calls but such calls are disabled.
   */
  #withTextCalls(reply: ModelReply): ModelReply | undefined {
    const { tools, textToolCalls } = this.#options;
    if (reply.end !== 'stop') return reply;
    const offered = tools.map((tool) => tool.function.name);
    const found = textCalls(reply.text, offered);
    if (found === undefined) return reply;
    if (!textToolCalls) return undefined;
    // The reply's `items` contain the calls as text, so they are dropped. The next request is then built from
    // the parsed calls.
    const { items: _, ...rest } = reply;
    return { ...rest, text: found.rest, toolCalls: found.calls, end: 'tool_calls' };
  }

  /** True if the decision was skipped because the server rejected its request as invalid. */
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
   * Makes the tool calls of a reply and adds their answers to the conversation.
   *
   * @param ofAnswer result text for the tool whose arguments are the answer
   * @param onlyAnswer if true, the other calls are not made
   */
  async #makeCalls(reply: ModelReply, round: number, ofAnswer = '', onlyAnswer = false): Promise<void> {
    const { toolkit, turn, tools, toolOutputCharacters } = this.#options;
    const { calls, changed } = withIds(reply.toolCalls, round);
    const offered = tools.map((tool) => tool.function.name);
    const read = readCalls(calls, toolkit, offered);
    const sane = read.map(echoed);
    const asSent = !changed && sane.every((call, index) => call === calls[index]);
    // The reply is already recorded with its round. It is therefore added only to the conversation, and not
    // to `#added`, which the next round records.
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

  /**
   * Requests the reply of a round. Returns `undefined` if the model is unavailable and `on_failure` is
   * `hold`.
   */
  async #ask(round: number, final: boolean): Promise<ModelReply | undefined> {
    const { exchanger, turn, tools, form, speaker } = this.#options;
    let attemptsBefore = 0;
    this.#takeRecordedTexts(round);
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

  /**
   * Replaces texts that this round adds to the conversation by the recorded texts of the same round. A
   * resumed run then sends the same requests, even if Sandtable's wording has changed.
   */
  #takeRecordedTexts(round: number): void {
    const { recording, repeats, turn, sample, speaker } = this.#options;
    if (repeats !== true) return;
    const place = { sample, bar: turn.bar, step: speaker?.step, round, attempt: 1 };
    const added = withRecordedMessages(this.#added, recording?.exchange(place)?.added);
    for (const [index, message] of added.entries())
      this.#messages[this.#messages.indexOf(this.#added[index]!)] = message;
    this.#added = [...added];
  }

  /**
   * Sets the token limit below the size of the refused request. Returns true if this makes the conversation
   * shorter.
   */
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

/**
 * Returns the outcome of the decision. `undefined` if the decision continues with the tool calls of the
 * reply.
 */
function outcomeOf(reply: ModelReply, final: boolean): DecisionOutcome | undefined {
  const failed = failedEnd(reply);
  if (failed !== undefined) return failed;
  if (reply.end === 'tool_calls') return final ? 'rounds_exhausted' : undefined;
  return reply.text.trim() === '' ? 'empty' : 'answered';
}

// A reply that was truncated, filtered or refused may contain tool calls. They are never made.
function failedEnd({ end }: ModelReply): DecisionOutcome | undefined {
  if (end === 'length') return 'cut';
  if (end === 'filtered' || end === 'refused') return end;
  return undefined;
}
