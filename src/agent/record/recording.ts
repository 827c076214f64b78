import type { RunEvent } from '../../engine/index.ts';

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** Where an exchange stands in a run. */
interface ExchangeKey {
  readonly sample: number;
  readonly bar: number;
  /** Of the role that asked; left out in a strategy of one prompt. */
  readonly step?: number | undefined;
  readonly round: number;
  readonly attempt: number;
}

/** What an earlier process of the same run was answered, and paid for. */
export interface Recording {
  readonly exchanges: number;
  /** The server's kind as it was then; undefined before the first exchange. */
  readonly configured: EventOf<'model_configured'> | undefined;
  exchange(key: ExchangeKey): EventOf<'model_called'> | undefined;
  /** A limit that the run reached before this round. */
  limit(sample: number, bar: number, round: number, step?: number): EventOf<'limit_reached'> | undefined;
  /** A tool's call by its number in the run. */
  toolCall(sequence: number): EventOf<'tool_called'> | undefined;
  /** What an agent of the user's own said, by its number in the decision at a bar. */
  agentReply(bar: number, number: number): EventOf<'agent_replied'> | undefined;
  /** How often it said something. */
  readonly agentReplies: number;
}

/** Reads what can be replayed from a journal's events. */
export function recordingOf(events: readonly RunEvent[]): Recording {
  const exchanges = new Map<string, EventOf<'model_called'>>();
  const limits = new Map<string, EventOf<'limit_reached'>>();
  const toolCalls = new Map<number, EventOf<'tool_called'>>();
  const agentReplies = new Map<string, EventOf<'agent_replied'>>();
  let configured: EventOf<'model_configured'> | undefined;
  for (const event of events) {
    if (event.type === 'model_called') {
      exchanges.set(`${placeOf(event)}/${event.attempt}`, event);
    } else if (event.type === 'limit_reached') {
      limits.set(placeOf(event), event);
    } else if (event.type === 'tool_called') toolCalls.set(event.sequence, event);
    else if (event.type === 'agent_replied') agentReplies.set(`${event.bar}/${event.number}`, event);
    else if (event.type === 'model_configured') configured ??= event;
  }
  return {
    exchanges: exchanges.size,
    configured,
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
 * Another run's record, to answer a run of its own: its sample's exchanges, and none of the limits that ended it.
 *
 * @param sample of the recorded run
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
