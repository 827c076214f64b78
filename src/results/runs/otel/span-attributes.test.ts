import { expect, it } from 'vitest';
import type { RunEvent } from '../../../engine/index.ts';
import type { Timing } from '../files.ts';
import { runSpans } from './run-spans.ts';

const usage = { input: 100, cached: 40, output: 20, reasoning: 5 };
const started = {
  ...{ type: 'run_started', symbols: ['AAA', 'BBB'], mask: {} },
  strategy: { name: 'trader', kind: 'prompt', parameters: {} },
};
const spansOf = (events: readonly object[], runId = '20260102-030405-trader', timing?: object) =>
  runSpans({ runId, events: events as RunEvent[], timing: timing as Timing | undefined });

it('the spans of a decision have the attributes of the OpenTelemetry conventions', () => {
  const events = [
    started,
    { type: 'model_configured', role: 'analyst', provider: 'moonshot', model: 'kimi', configuration: {} },
    { type: 'model_configured', provider: 'openai', model: 'gpt', configuration: { sampling: { top_p: 1 } } },
    {
      ...{
        type: 'model_called',
        bar: 4,
        round: 2,
        attempt: 3,
        request: 'hash',
        added: [{ text: 'Hi' }],
        usage,
      },
      ...{ role: 'analyst', step: 1, cost: null, reply: { text: 'Buy.', end: 'stop' } },
    },
    { type: 'tool_called', bar: 4, sequence: 7, name: 'compute', arguments: { code: '1' }, result: [1] },
    {
      ...{ type: 'role_spoke', bar: 4, outcome: 'answered', rounds: 2, toolCalls: 1, text: 'Up.', usage },
      cost: '0.5',
    },
    { type: 'model_called', bar: 4, round: 1, attempt: 1, request: 'other', added: [], cost: '0.1' },
    {
      ...{ type: 'decision_made', bar: 4, outcome: 'held', rounds: 3, toolCalls: 0, text: 'Hold.', usage },
      cost: null,
    },
  ];
  const [run, decision, turn, chat, tool, own] = spansOf(events).map(({ attributes }) => attributes);
  expect(run).toEqual({
    'gen_ai.conversation.id': '20260102-030405-trader',
    'sandtable.run.id': '20260102-030405-trader',
    'sandtable.strategy': 'trader',
    'sandtable.strategy.kind': 'prompt',
    'sandtable.symbols': ['AAA', 'BBB'],
    'sandtable.masked': true,
    'sandtable.times': 'medians of each kind, laid out in order',
  });
  const ended = (text: string, outcome: string, rounds: number, calls: number) => ({
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 20,
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: text }], finish_reason: outcome },
    ]),
    'sandtable.outcome': outcome,
    'sandtable.rounds': rounds,
    'sandtable.tool_calls': calls,
    'sandtable.bar': 4,
  });
  expect(decision).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'trader',
    'gen_ai.provider.name': 'moonshot_ai',
    'gen_ai.conversation.id': '20260102-030405-trader',
    'error.type': 'held',
    'sandtable.cost.usd': undefined,
    ...ended('Hold.', 'held', 3, 0),
  });
  expect(turn).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'analyst',
    'gen_ai.provider.name': 'moonshot_ai',
    'gen_ai.request.model': 'kimi',
    'sandtable.step': 1,
    'error.type': undefined,
    'sandtable.cost.usd': '0.5',
    ...ended('Up.', 'answered', 2, 1),
  });
  expect(chat).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'moonshot_ai',
    'gen_ai.conversation.id': '20260102-030405-trader',
    'gen_ai.agent.name': 'analyst',
    'gen_ai.request.model': 'kimi',
    'gen_ai.response.model': undefined,
    'openai.response.system_fingerprint': undefined,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 20,
    'gen_ai.usage.cache_read.input_tokens': 40,
    'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]',
    'gen_ai.output.messages':
      '[{"role":"assistant","parts":[{"type":"text","content":"Buy."}],"finish_reason":"stop"}]',
    'error.type': undefined,
    'sandtable.bar': 4,
    'sandtable.round': 2,
    'sandtable.attempt': 3,
    'sandtable.request.sha256': 'hash',
    'sandtable.cost.usd': undefined,
  });
  expect(tool).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'compute',
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': '7',
    'gen_ai.tool.call.arguments': '{"code":"1"}',
    'gen_ai.tool.call.result': '[1]',
    'error.type': undefined,
    'sandtable.bar': 4,
  });
  expect(own).toMatchObject({
    'gen_ai.agent.name': 'trader',
    'gen_ai.request.model': 'gpt',
    'gen_ai.request.top_p': 1,
    'gen_ai.response.finish_reasons': undefined,
    'gen_ai.output.messages': undefined,
    'sandtable.cost.usd': '0.1',
  });
});

it('a tool call outside of a decision belongs to the run, and an agent decides without a model', () => {
  const tool = { type: 'tool_called', bar: 0, sequence: 1, name: 'bars', arguments: {}, result: {} };
  const turn = { type: 'role_spoke', bar: 0, outcome: 'answered', text: '', usage };
  const spans = spansOf([started, tool, turn, { type: 'agent_asked', bar: 0 }, tool]);
  expect(spans.map(({ name, parent }) => [name, parent?.name])).toEqual([
    ['sandtable run trader', undefined],
    ['execute_tool bars', 'sandtable run trader'],
    ['invoke_agent trader', 'sandtable run trader'],
    ['execute_tool bars', 'invoke_agent trader'],
  ]);
  expect(spans[2]!.attributes['gen_ai.provider.name']).toBeUndefined();
});

it('spans without a recorded start begin at the time in the run id, or in 1970', () => {
  const startOf = (runId: string, timing?: object) => spansOf([started], runId, timing)[0]!.start;
  expect(startOf('20260102-030405-trader')).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
  expect(startOf('run-20260102-030405-trader')).toBe(0);
  expect(startOf('20269902-030405-trader')).toBe(0);
  expect(startOf('x', { startedAt: '2026-01-02T00:00:00.000Z', tools: {} })).toBe(Date.UTC(2026, 0, 2));
});

it('a failed run has the message of its error, or its outcome', () => {
  const errorOf = (more: object) =>
    spansOf([started, { type: 'run_finished', outcome: 'failed', bars: 1, ...more }])[0]!.error;
  expect(errorOf({ error: { message: 'Stopped.' } })).toBe('Stopped.');
  expect(errorOf({ error: 'text' })).toBe('failed');
  expect(errorOf({})).toBeUndefined();
  expect(spansOf([{ type: 'run_finished', outcome: 'failed', bars: 1 }])).toEqual([]);
});
