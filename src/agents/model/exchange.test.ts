import { describe, expect, it } from 'vitest';
import {
  type BarContext,
  type Json,
  type ModelFailure,
  type RunEvent,
  runSettingsSchema,
  World,
} from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { recordingOf } from '../record/recording.ts';
import { Exchanger, type ExchangerOptions, ModelUnavailable } from './exchange.ts';
import { ModelCallFailed } from './failures.ts';
import { Limiter } from './limiter.ts';
import type { Exchange, Protocol } from './types.ts';

const usage = { input: 1_000, cached: 0, output: 100, reasoning: 0 };
const answered = (text: string): Exchange => ({ reply: { text, toolCalls: [], end: 'stop' }, usage });
const failed = (kind: ModelFailure['kind'], retryAfterMs?: number): ModelCallFailed =>
  new ModelCallFailed({ kind, status: null, message: kind }, retryAfterMs);

const protocol: Protocol = {
  path: '/chat/completions',
  body: ({ messages }) => ({ messages: messages as unknown as Json }),
  reply: () => answered(''),
  assemble: async () => undefined,
};

interface Bench {
  readonly exchanger: Exchanger;
  readonly turn: BarContext;
  readonly events: RunEvent[];
  /** Milliseconds waited before each further attempt. */
  readonly waits: number[];
  readonly sent: () => number;
}

/**
 * Creates an exchanger whose server gives these answers, one per request. Its clock only records the waits.
 */
function bench(
  answers: readonly (Exchange | ModelCallFailed)[],
  changes: Partial<ExchangerOptions> = {},
): Bench {
  const events: RunEvent[] = [];
  const world = new World(simulateMarket({ seed: 1, bars: 5 }), runSettingsSchema.parse({}), (event) =>
    events.push(event),
  );
  world.reveal();
  const waits: number[] = [];
  let sent = 0;
  let time = 0;
  const sleep = async (milliseconds: number): Promise<void> => {
    time += milliseconds;
  };
  const exchanger = new Exchanger({
    sample: 1,
    protocol,
    client: {
      async send() {
        const answer = answers[sent];
        sent += 1;
        if (answer === undefined) throw new Error('more requests than answers');
        if (answer instanceof ModelCallFailed) throw answer;
        return answer;
      },
    },
    limiter: new Limiter({}, { now: () => time, sleep }),
    retry: { retries: 2, baseMs: 1_000, longestMs: 1_500 },
    price: { input: 1, output: 2 },
    replayOnly: false,
    clock: {
      now: () => time,
      sleep(milliseconds) {
        waits.push(milliseconds);
        return sleep(milliseconds);
      },
    },
    random: () => 1,
    ...changes,
  });
  return { exchanger, turn: world.turn, events, waits, sent: () => sent };
}

const round = (turn: BarContext, attemptsBefore = 0) => ({
  turn,
  round: 1,
  request: { messages: [], tools: [], final: false },
  added: [],
  attemptsBefore,
});

const callsOf = (events: readonly RunEvent[]) => events.filter((event) => event.type === 'model_called');

describe('Exchanger', () => {
  it('records each exchange with its cost and returns the total usage', async () => {
    const seen: unknown[] = [];
    const { exchanger, turn, events } = bench([answered('buy')], {
      onExchange: (...words) => seen.push(words),
    });
    expect((await exchanger.round(round(turn))).text).toBe('buy');
    expect(callsOf(events)).toMatchObject([{ bar: 0, round: 1, attempt: 1, usage, cost: '0.0012' }]);
    expect(seen).toEqual([[usage, '0.0012']]);
  });

  it('retries as often as the strategy allows', async () => {
    const down = failed('server_error');
    const { exchanger, turn, events, sent } = bench([down, down, down, answered('too late')]);
    const error = await exchanger.round(round(turn)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelUnavailable);
    expect((error as ModelUnavailable).attempts).toBe(3);
    expect(sent()).toBe(3);
    expect(callsOf(events).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  it('makes the last allowed attempt', async () => {
    const down = failed('server_error');
    const { exchanger, turn } = bench([down, down, answered('at last')]);
    expect((await exchanger.round(round(turn))).text).toBe('at last');
  });

  it('does not retry permanent errors', async () => {
    const { exchanger, turn, sent, waits } = bench([failed('unauthorised'), answered('')]);
    await expect(exchanger.round(round(turn))).rejects.toBeInstanceOf(ModelUnavailable);
    expect(sent()).toBe(1);
    expect(waits).toEqual([]);
  });

  it('doubles its waits up to the maximum', async () => {
    const down = failed('connection');
    const retry = { retries: 4, baseMs: 1_000, longestMs: 3_000 };
    const { exchanger, turn, waits } = bench([down, down, down, down, answered('')], { retry });
    await exchanger.round(round(turn));
    expect(waits).toEqual([1_000, 2_000, 3_000, 3_000]);
  });

  it('waits as long as the server requests, plus jitter, up to the maximum', async () => {
    const { exchanger, turn, waits } = bench(
      [failed('rate_limited', 200), failed('rate_limited', 3_600_000), answered('')],
      { random: () => 0.25 },
    );
    await exchanger.round(round(turn));
    expect(waits).toEqual([200 + 250, 1_500]);
  });

  it('continues the number of attempts of a longer conversation', async () => {
    const { exchanger, turn, events } = bench([answered('')]);
    await exchanger.round(round(turn, 2));
    expect(callsOf(events)).toMatchObject([{ attempt: 3, added: [] }]);
  });

  it('answers from a recording without a request, and only the same request of another run', async () => {
    const first = bench([answered('recorded')]);
    await first.exchanger.round(round(first.turn));
    const recording = recordingOf(first.events);
    const again = bench([], { recording });
    expect((await again.exchanger.round(round(again.turn))).text).toBe('recorded');
    expect(again.sent()).toBe(0);
    const other = bench([answered('asked')], { recording, otherRecord: true });
    const request = {
      messages: [{ role: 'user', text: 'another' } as const],
      tools: [],
      final: false,
    };
    expect((await other.exchanger.round({ ...round(other.turn), request })).text).toBe('asked');
  });

  it('sends nothing in a replay', async () => {
    const { exchanger, turn, sent } = bench([answered('')], { replayOnly: true });
    await expect(exchanger.round(round(turn))).rejects.toMatchObject({ code: 'record_missing' });
    expect(sent()).toBe(0);
  });

  it('passes every request to the inspector and sends no request that the inspector forbids', async () => {
    const seen: string[] = [];
    const { exchanger, turn, sent } = bench([answered('')], {
      inspect(request) {
        seen.push(request);
        throw new Error('a canary');
      },
    });
    await expect(exchanger.round(round(turn))).rejects.toThrow('a canary');
    expect(seen).toEqual(['{"messages":[]}']);
    expect(sent()).toBe(0);
  });

  it('stops immediately when the run is interrupted', async () => {
    const { exchanger, turn, sent } = bench([answered('')], {
      signal: AbortSignal.abort(new Error('ctrl-c')),
    });
    await expect(exchanger.round(round(turn))).rejects.toThrow('ctrl-c');
    expect(sent()).toBe(0);
  });
});
