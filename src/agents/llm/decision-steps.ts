import { type BarContext, type ModelFailureKind, RunStop, type Speaker } from '../../engine/index.ts';
import type { ToolDefinition, Toolkit, WrittenCall } from '../../toolkit/index.ts';
import type { AgentBudget, Budget, Spending } from '../model/budget.ts';
import type { Exchanger, ModelUnavailable } from '../model/exchange.ts';
import type { Message, ToolCall } from '../model/types.ts';
import type { Recording } from '../record/recording.ts';
import type { AnswerForm } from './output/answer-calls.ts';

/** Gives each tool call of a reply a unique id. `changed` is true if an id was missing or a duplicate. */
export function withIds(
  calls: readonly ToolCall[],
  round: number,
): { readonly calls: readonly ToolCall[]; readonly changed: boolean } {
  const seen = new Set<string>();
  let changed = false;
  const named = calls.map((call, index) => {
    if (call.id !== '' && !seen.has(call.id)) {
      seen.add(call.id);
      return call;
    }
    changed = true;
    return { ...call, id: `call_${round}_${index + 1}` };
  });
  return { calls: named, changed };
}

/** Tool call as the model wrote it (`call`), and the same call after parsing (`read`). */
export interface ReadCall {
  readonly call: ToolCall;
  readonly read: WrittenCall;
}

/**
 * Parses the tool calls of a reply.
 *
 * @param offered names of the tools that were offered to the model
 */
export function readCalls(
  calls: readonly ToolCall[],
  toolkit: Pick<Toolkit, 'read'>,
  offered: readonly string[],
): ReadCall[] {
  return calls.map((call) => ({ call, read: toolkit.read(call.name, call.arguments, offered) }));
}

/**
 * Returns a tool call in the form in which the next request repeats it. Malformed arguments are replaced by
 * the corrected ones, because some servers reject malformed arguments.
 */
export function echoed({ call, read }: ReadCall): ToolCall {
  return read.fixed === undefined ? call : { ...call, arguments: read.fixed };
}

/**
 * Makes the tool calls of a reply and returns one message with the answer for each call. The toolkit
 * determines the order in which the calls are made.
 *
 * @param outputCharacters maximum number of characters of one answer that the model receives
 * @throws the error of a failed call, after all calls have ended
 */
export async function runTools(
  calls: readonly ReadCall[],
  turn: BarContext,
  outputCharacters: number,
): Promise<Message[]> {
  const answers = await Promise.allSettled(calls.map(({ read }) => read.make(turn, outputCharacters)));
  return answers.map((answer, index): Message => {
    if (answer.status === 'rejected') throw answer.reason;
    const { id, name } = calls[index]!.call;
    return { role: 'tool', callId: id, name, text: answer.value };
  });
}

/** Assumed number of characters per token. Most texts have more; numbers have fewer. */
const CHARACTERS_PER_TOKEN = 3;
/** Characters of JSON added per message: the role and brackets. */
const OVERHEAD = 30;

export const DROPPED =
  '[This output was dropped to stay within the context; call the tool again if you need it.]';

/**
 * Estimates the number of tokens of a request. The estimate is usually too high rather than too low.
 *
 * @param toolCharacters number of characters of the tool definitions in the request
 */
export function estimatedTokens(messages: readonly Message[], toolCharacters: number): number {
  let characters = toolCharacters;
  for (const message of messages) characters += OVERHEAD + charactersOf(message);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function charactersOf(message: Message): number {
  if (message.role !== 'assistant') return message.text.length;
  const { text, toolCalls, echo, items } = message;
  if (items !== undefined) return JSON.stringify(items).length;
  return (
    text.length + JSON.stringify(toolCalls).length + (echo === undefined ? 0 : JSON.stringify(echo).length)
  );
}

/**
 * Shortens a conversation to a maximum number of tokens. Replaces outputs of tools by a short text, oldest
 * first.
 *
 * @param toolCharacters number of characters of the tool definitions, which count towards the maximum
 * @returns the messages, and `fits`: true if messages and tool definitions have at most `mostTokens` tokens
 */
export function fitContext(
  messages: readonly Message[],
  toolCharacters: number,
  mostTokens: number,
): { readonly messages: readonly Message[]; readonly fits: boolean } {
  let tokens = estimatedTokens(messages, toolCharacters);
  if (tokens <= mostTokens) return { messages, fits: true };
  const kept = [...messages];
  for (const [index, message] of kept.entries()) {
    if (tokens <= mostTokens) break;
    if (message.role !== 'tool' || message.text.length <= DROPPED.length) continue;
    kept[index] = { ...message, text: DROPPED };
    tokens -= Math.floor((message.text.length - DROPPED.length) / CHARACTERS_PER_TOKEN);
  }
  return { messages: kept, fits: tokens <= mostTokens };
}

const HINTS: Partial<Record<ModelFailureKind, string>> = {
  unauthorised: 'Check the key and its rights, then resume the run.',
  insufficient_quota: 'Check the credit and the quota of the account, then resume the run.',
  rejected:
    'Check the server’s message about the request (model, sampling, extra_body, tools), then resume the run.',
};
const OTHER_HINT =
  'Check the server, then resume the run; on_failure: hold continues without a decision instead.';

/**
 * Records that a model was unavailable. Returns normally if the run skips this decision and continues.
 *
 * @throws RunStop if the policy (the setting `on_failure`) is `stop`, or if the failure would occur again at
 *   every bar
 */
export function heldOrStopped(
  { failure, attempts }: ModelUnavailable,
  round: number,
  options: Pick<DecisionOptions, 'turn' | 'sample' | 'speaker' | 'rejectedBefore' | 'policy'>,
): void {
  const { turn, sample, speaker, rejectedBefore } = options;
  // These failures would occur again at every bar: a wrong key, missing credit, an unknown model, or a
  // request that the server refused in this decision and in the previous one.
  const lasting =
    failure.kind === 'unauthorised' ||
    failure.kind === 'insufficient_quota' ||
    failure.status === 404 ||
    (failure.kind === 'rejected' && rejectedBefore);
  const policy = lasting ? 'stop' : options.policy;
  const { bar } = turn;
  turn.record({ type: 'model_unavailable', bar, sample, ...speaker, round, attempts, failure, policy });
  if (policy === 'hold') return;
  const status = failure.status === null ? '' : ` (HTTP ${failure.status})`;
  throw new RunStop('stopped', {
    code: 'model_unavailable',
    message: `The model${speaker?.role === undefined ? '' : ` of ${speaker.role}`} was unreachable at bar ${bar}, round ${round}, in ${attempts} attempts: ${failure.kind}${status}, ${failure.message}.`,
    hint: HINTS[failure.kind] ?? OTHER_HINT,
  });
}

/** Options of one decision. */
export interface DecisionOptions {
  /**
   * Market and account data of the current bar. Symbols, dates or prices are masked if the run uses a mask.
   */
  readonly turn: BarContext;
  readonly sample: number;
  /** Role that decides, and the number of its step in the decision. Absent in a strategy with one prompt. */
  readonly speaker?: Speaker | undefined;
  /** First messages of the conversation: system prompt, observation, and texts of earlier roles. */
  readonly opening: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolkit: Toolkit;
  /** Required form of the answer. Default: any text. */
  readonly form?: AnswerForm | undefined;
  /** If true, the tool calls derived from a structured answer are left to the caller. */
  readonly onlyAnswers?: boolean;
  readonly rounds: number;
  readonly toolOutputCharacters: number;
  /** Maximum number of tokens of a request, without the reply. */
  readonly contextTokens: number;
  readonly exchanger: Exchanger;
  readonly policy: 'hold' | 'stop';
  /** If true, tool calls that the model writes in its text are executed. */
  readonly textToolCalls: boolean;
  /** True if the previous decision was skipped because the server rejected its request as invalid. */
  readonly rejectedBefore: boolean;
  /** Budgets of this role in one decision, of the whole decision, and of the run. */
  readonly budget: Readonly<Record<'role' | 'decision' | 'run', Budget>>;
  readonly spent: Readonly<Record<'role' | 'decision' | 'run', Spending>>;
  readonly recording?: Recording | undefined;
  /** True if replies come from the recording of this run itself (resume or replay), not from another run. */
  readonly repeats?: boolean;
  readonly replayOnly: boolean;
}

type Limited = Pick<
  DecisionOptions,
  'turn' | 'sample' | 'speaker' | 'recording' | 'replayOnly' | 'budget' | 'spent'
>;

/**
 * Returns true if a budget is exhausted before a round, and records the limit. The run's budget of tokens or
 * dollars also counts as exhausted if another request as large as the largest one so far would exceed it.
 *
 * @throws RunStop if the run's budget is exhausted
 */
export function limitReached(round: number, options: Limited): boolean {
  const { turn, sample, speaker } = options;
  const limit = limitOf(round, options);
  if (limit === undefined) return false;
  turn.record({ type: 'limit_reached', bar: turn.bar, sample, ...speaker, round, ...limit });
  if (limit.scope !== 'run') return true;
  throw new RunStop('budget_exhausted', {
    code: 'budget_exhausted',
    message: `The run's budget of ${limit.allowed} ${limit.limit} is exhausted at bar ${turn.bar}.`,
    hint: `Continue: npx sandtable resume RUN --budget ${limit.limit}=MORE`,
  });
}

function limitOf(
  round: number,
  options: Limited,
): { scope: 'run' | 'decision' | 'role'; limit: keyof AgentBudget; allowed: number } | undefined {
  const { turn, sample, speaker, recording, replayOnly, budget, spent } = options;
  const step = speaker?.step;
  const then = recording?.limit(sample, turn.bar, round, step);
  if (then !== undefined) return { scope: then.scope, limit: then.limit, allowed: then.allowed };
  // A recorded round has already been paid for, so the time limit and the run's budget do not apply to it.
  // Replays must not depend on the clock.
  const recorded = recording?.exchange({ sample, bar: turn.bar, step, round, attempt: 1 }) !== undefined;
  const clock = !recorded && !replayOnly;
  for (const scope of ['role', 'decision'] as const) {
    const limit = spent[scope].reached(budget[scope], clock);
    if (limit !== undefined) return { scope, limit, allowed: budget[scope][limit]! };
  }
  const ofRun = clock
    ? (spent.run.reached(budget.run, true) ?? spent.run.exceededByNext(budget.run))
    : undefined;
  return ofRun === undefined ? undefined : { scope: 'run', limit: ofRun, allowed: budget.run[ofRun]! };
}
