import { isJsonObject, type Json, parseJson, type RunEvent, withRecordedTexts } from '../../engine/index.ts';
import type { ToolDefinition } from '../../toolkit/index.ts';
import type { Message } from '../model/types.ts';

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** Position of an exchange (a request to a model and its reply) in a run. */
interface ExchangeKey {
  readonly sample: number;
  readonly bar: number;
  /** Number of the step in the decision. Absent in a strategy with one prompt. */
  readonly step?: number | undefined;
  readonly round: number;
  readonly attempt: number;
}

/** Replies of models and agents, recorded by an earlier process of the same run or by another run. */
export interface Recording {
  readonly exchanges: number;
  /** Recorded settings of the model. `undefined` before the first exchange. */
  readonly configured: EventOf<'model_configured'> | undefined;
  /** Returns the recorded tool definitions of a role. */
  tools(role: string | undefined): Json | undefined;
  exchange(key: ExchangeKey): EventOf<'model_called'> | undefined;
  /**
   * Returns the recorded budget limit that was reached before this round. `undefined` if none was reached.
   */
  limit(sample: number, bar: number, round: number, step?: number): EventOf<'limit_reached'> | undefined;
  /** Returns a recorded tool call by its number in the run, from 1. */
  toolCall(sequence: number): EventOf<'tool_called'> | undefined;
  /** Returns a recorded reply of a user's own agent by its number in the decision at a bar, from 1. */
  agentReply(bar: number, number: number): EventOf<'agent_replied'> | undefined;
  /** Number of replies of the user's own agent. */
  readonly agentReplies: number;
}

/** Collects the events of a journal that a later process can replay instead of sending requests. */
export function recordingOf(events: readonly RunEvent[]): Recording {
  const exchanges = new Map<string, EventOf<'model_called'>>();
  const limits = new Map<string, EventOf<'limit_reached'>>();
  const toolCalls = new Map<number, EventOf<'tool_called'>>();
  const agentReplies = new Map<string, EventOf<'agent_replied'>>();
  const tools = new Map<string | undefined, Json>();
  let configured: EventOf<'model_configured'> | undefined;
  for (const event of events) {
    if (event.type === 'model_called') {
      exchanges.set(`${placeOf(event)}/${event.attempt}`, event);
    } else if (event.type === 'limit_reached') {
      limits.set(placeOf(event), event);
    } else if (event.type === 'tool_called') toolCalls.set(event.sequence, event);
    else if (event.type === 'agent_replied') agentReplies.set(`${event.bar}/${event.number}`, event);
    else if (event.type === 'model_configured') {
      configured ??= event;
      tools.set(event.role, event.tools);
    }
  }
  return {
    exchanges: exchanges.size,
    configured,
    tools: (role) => tools.get(role),
    exchange: (key) => exchanges.get(`${placeOf(key)}/${key.attempt}`),
    limit: (sample, bar, round, step) => limits.get(placeOf({ sample, bar, step, round })),
    toolCall: (sequence) => toolCalls.get(sequence),
    agentReply: (bar, number) => agentReplies.get(`${bar}/${number}`),
    agentReplies: agentReplies.size,
  };
}

function placeOf({ sample, bar, step, round }: Omit<ExchangeKey, 'attempt'>): string {
  return `${sample}/${bar}/${step ?? 0}/${round}`;
}

/**
 * Adapts the recording of another run, so that its replies can be reused. The result has only the exchanges
 * of one sample, and no budget limits of the whole recorded run. Samples are independent runs of one
 * strategy.
 *
 * @param sample number of the sample in the recorded run, from 1
 */
export function otherRecording(recording: Recording, sample: number): Recording {
  return {
    ...recording,
    exchange: (key) => recording.exchange({ ...key, sample }),
    limit(_, bar, round, step) {
      const limit = recording.limit(sample, bar, round, step);
      return limit?.scope === 'run' ? undefined : limit;
    },
  };
}

/**
 * Returns tool definitions with the recorded manuals, so that requests equal the recorded ones even if a
 * manual has been reworded since. For a tool that differs in more than its texts, returns the current
 * definition.
 *
 * @param recorded tools of a `model_configured` event. `undefined` without a record
 */
export function withRecordedManuals(
  tools: readonly ToolDefinition[],
  recorded: Json | undefined,
): readonly ToolDefinition[] {
  if (!Array.isArray(recorded)) return tools;
  return tools.map((tool) => {
    const bare = bareDefinition(tool);
    const then = recorded.find((one: Json) => bareDefinition(one) === bare);
    return (then as ToolDefinition | undefined) ?? tool;
  });
}

/** Returns a tool definition as JSON without its descriptions. */
const bareDefinition = (definition: Json): string =>
  JSON.stringify(definition, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );

/**
 * Returns the messages that a round adds, with texts from the record of this run. Replaces only texts that
 * Sandtable itself writes, such as errors and instructions, because their wording may have changed. Prompts
 * and numbers are not replaced.
 *
 * @param recorded `added` of the round's `model_called` event. `undefined` without a record
 */
export function withRecordedMessages(
  added: readonly Message[],
  recorded: Json | undefined,
): readonly Message[] {
  if (!Array.isArray(recorded) || recorded.length !== added.length) return added;
  return added.map((message, index) => {
    const then: Json = recorded[index];
    if (!isJsonObject(then) || typeof then.text !== 'string' || then.role !== message.role) return message;
    if (message.role === 'tool' && (then.callId !== message.callId || then.name !== message.name))
      return message;
    if (message.role !== 'tool' && message.role !== 'user') return message;
    return { ...message, text: recordedText(message.text, then.text) };
  });
}

function recordedText(now: string, recorded: string): string {
  if (now === recorded) return now;
  const [value, then] = [jsonOf(now), jsonOf(recorded)];
  // If neither text is JSON, both are an instruction or a truncated tool answer. The recorded text is then
  // used.
  if (value === undefined && then === undefined) return recorded;
  if (value === undefined || then === undefined) return now;
  return withRecordedTexts(value, then) === then ? recorded : now;
}

function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
