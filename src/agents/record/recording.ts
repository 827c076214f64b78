import type { Json, RunEvent } from '../../engine/index.ts';

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** Position of an exchange in a run. */
interface ExchangeKey {
  readonly sample: number;
  readonly bar: number;
  /** Number of the role that sent the request. Absent in a strategy with one prompt. */
  readonly step?: number | undefined;
  readonly round: number;
  readonly attempt: number;
}

/** Replies that an earlier process of the same run received and paid for. */
export interface Recording {
  readonly exchanges: number;
  /** Recorded kind of the model's server. `undefined` before the first exchange. */
  readonly configured: EventOf<'model_configured'> | undefined;
  /** Returns the recorded tool definitions of a role. */
  tools(role: string | undefined): Json | undefined;
  exchange(key: ExchangeKey): EventOf<'model_called'> | undefined;
  /** Returns the limit that the run reached before this round. */
  limit(sample: number, bar: number, round: number, step?: number): EventOf<'limit_reached'> | undefined;
  /** Returns a tool call by its number in the run. */
  toolCall(sequence: number): EventOf<'tool_called'> | undefined;
  /** Returns a reply of a user's own agent by its number in the decision at a bar. */
  agentReply(bar: number, number: number): EventOf<'agent_replied'> | undefined;
  /** Number of replies of the user's own agent. */
  readonly agentReplies: number;
}

/** Reads the events that a run can replay from a journal. */
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
 * Adapts another run's record for use in a separate run. Contains the exchanges of one sample, without the
 * limits that ended the recorded run.
 *
 * @param sample sample of the recorded run
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
