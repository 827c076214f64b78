import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../engine/index.ts';
import { runSpans, type SpanSource } from './run-spans.ts';

const START = Date.UTC(2026, 0, 2, 3, 4, 5);
const usage = { input: 100, cached: 40, output: 20, reasoning: 5 };

const started = {
  type: 'run_started',
  strategy: { name: 'trader', kind: 'prompt', parameters: {} },
  symbols: ['AAA'],
};
const configured = (role: string | undefined, provider: string, sampling?: object) => ({
  type: 'model_configured',
  provider,
  model: `${provider}-1`,
  ...(role === undefined ? {} : { role }),
  configuration: sampling === undefined ? {} : { sampling },
});
const called = (bar: number, changes: object = {}) => ({
  type: 'model_called',
  bar,
  round: 1,
  attempt: 1,
  request: 'hash',
  added: [],
  usage,
  cost: '0.5',
  ...changes,
});
const tool = (bar: number, result: unknown) => ({
  type: 'tool_called',
  bar,
  sequence: 7,
  name: 'compute',
  arguments: { code: '1' },
  result,
});
const ended = (type: 'decision_made' | 'role_spoke', bar: number, changes: object = {}) => ({
  ...{ type, bar, outcome: 'answered', rounds: 2, toolCalls: 1, text: 'Buy.', usage, cost: null },
  ...changes,
});

function spansOf(events: readonly object[], timing?: object) {
  const spans = runSpans({
    runId: '20260102-030405-trader',
    events: [started, ...events] as RunEvent[],
    timing: timing as SpanSource['timing'],
  });
  return spans.map((span) => ({
    ...span,
    parent: span.parent?.name,
    from: span.start - START,
    to: span.end - START,
  }));
}

describe('the spans of a run', () => {
  it('are nested: run, decision, request and tool call', () => {
    const spans = spansOf([
      configured(undefined, 'google'),
      called(3),
      tool(3, { value: 1 }),
      ended('decision_made', 3, { cost: '0.25' }),
      called(4),
      ended('decision_made', 4),
      { type: 'run_finished', outcome: 'completed', bars: 9 },
    ]);
    expect(spans.map(({ name, parent, kind, from, to }) => [name, parent, kind, from, to])).toEqual([
      ['sandtable run trader', undefined, 1, 0, 3],
      ['invoke_agent trader', 'sandtable run trader', 1, 0, 2],
      ['chat google-1', 'invoke_agent trader', 3, 0, 1],
      ['execute_tool compute', 'invoke_agent trader', 1, 1, 2],
      ['invoke_agent trader', 'sandtable run trader', 1, 2, 3],
      ['chat google-1', 'invoke_agent trader', 3, 2, 3],
    ]);
    expect(spans[0]!.attributes).toMatchObject({
      'sandtable.masked': false,
      'sandtable.outcome': 'completed',
      'sandtable.bars': 9,
    });
    expect(spans[1]!.attributes).toMatchObject({
      'gen_ai.provider.name': 'gcp.gemini',
      'sandtable.bar': 3,
      'sandtable.rounds': 2,
      'sandtable.cost.usd': '0.25',
      'gen_ai.usage.input_tokens': 100,
    });
    expect(spans[4]!.attributes['sandtable.cost.usd']).toBeUndefined();
    expect(spans[2]!.attributes).toMatchObject({
      'sandtable.cost.usd': '0.5',
      'gen_ai.usage.cache_read.input_tokens': 40,
    });
    expect(spans.every(({ error }) => error === undefined)).toBe(true);
  });

  it('use the median duration of their kind, from the start to the end of the run', () => {
    const timing = {
      startedAt: new Date(START + 10).toISOString(),
      finishedAt: new Date(START + 500).toISOString(),
      model: { p50Milliseconds: 100 },
      tools: { compute: { p50Milliseconds: 30 } },
    };
    const events = [called(0), tool(0, 1), ended('decision_made', 0)];
    const finished = { type: 'run_finished', outcome: 'completed', bars: 1 };
    const times = (last: object) => spansOf([...events, last], timing).map(({ from, to }) => [from, to]);
    expect(times(finished)).toEqual([
      [10, 500],
      [10, 140],
      [10, 110],
      [110, 140],
    ]);
    timing.finishedAt = new Date(START + 20).toISOString();
    expect(times(finished)[0]).toEqual([10, 140]);
  });

  it('have a turn for each role and step', () => {
    const spans = spansOf([
      configured('analyst', 'mistral'),
      called(0, { role: 'analyst', step: 1 }),
      called(0, { role: 'analyst', step: 1, round: 2 }),
      ended('role_spoke', 0, { outcome: 'rounds_exhausted' }),
      called(0, { role: 'analyst', step: 2 }),
      ended('decision_made', 0),
    ]);
    expect(spans.map(({ name, parent }) => [name, parent]).slice(1)).toEqual([
      ['invoke_agent trader', 'sandtable run trader'],
      ['invoke_agent analyst', 'invoke_agent trader'],
      ['chat mistral-1', 'invoke_agent analyst'],
      ['chat mistral-1', 'invoke_agent analyst'],
      ['invoke_agent analyst', 'invoke_agent trader'],
      ['chat mistral-1', 'invoke_agent analyst'],
    ]);
    expect(spans[2]).toMatchObject({ error: 'rounds exhausted' });
    expect(spans[2]!.attributes).toMatchObject({
      'error.type': 'rounds_exhausted',
      'gen_ai.provider.name': 'mistral_ai',
      'sandtable.step': 1,
    });
    expect(spans[5]!.error).toBeUndefined();
  });

  it('contain failures', () => {
    const [run, decision, chat, one, other] = spansOf([
      called(0, { failure: { kind: 'timeout', message: 'Too slow.' }, cost: null }),
      tool(0, { error: 'No such column.' }),
      tool(0, { error: 5 }),
      ended('decision_made', 0, { outcome: 'held', problem: 'No answer.' }),
      { type: 'run_finished', outcome: 'failed', bars: 1, error: { message: 'Stopped.' } },
    ]);
    expect(run!.error).toBe('Stopped.');
    expect(decision!.error).toBe('No answer.');
    expect(chat).toMatchObject({ name: 'chat unknown', error: 'Too slow.' });
    expect(chat!.attributes['error.type']).toBe('timeout');
    expect(chat!.attributes['sandtable.cost.usd']).toBeUndefined();
    expect(one).toMatchObject({ error: 'No such column.' });
    expect(one!.attributes['error.type']).toBe('tool_error');
    expect(other!.error).toBeUndefined();
    expect(other!.attributes['error.type']).toBeUndefined();
  });

  it('contain numeric sampling settings', () => {
    const [, , chat] = spansOf([
      configured(undefined, 'openai', { temperature: 0, seed: 7, top_p: 'x' }),
      called(0, { served: { model: 'm', fingerprint: 'f' }, reply: { end: 'stop' } }),
    ]);
    expect(chat!.attributes).toMatchObject({
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.temperature': 0,
      'gen_ai.request.seed': 7,
      'gen_ai.response.model': 'm',
      'gen_ai.response.finish_reasons': ['stop'],
    });
    expect(chat!.attributes).not.toHaveProperty('gen_ai.request.top_p');
  });
});
