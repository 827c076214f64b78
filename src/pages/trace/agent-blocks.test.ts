import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../journal/index.ts';
import { agentBlock, jsonText, observationTexts, publishedBlock } from './agent-blocks.ts';
import { ModelCounter, modelBlock } from './model-blocks.ts';

const event = (type: string, fields: object = {}): JournalEvent =>
  ({ type, bar: 3, ...fields }) as JournalEvent;
const plain = { tone: 'plain', facts: [], texts: [], links: [] };
const json = (label: string, text: string, more: object = {}) => ({ label, text, form: 'json', ...more });
const words = (label: string, text: string, more: object = {}) => ({ label, text, form: 'words', ...more });

describe('the blocks of an agent', () => {
  it('show the observation that was sent, with the events since the last decision first', () => {
    expect(
      agentBlock(event('agent_asked', { decision: 2, observation: { bar: 3, since_last_decision: [] } })),
    ).toEqual({
      ...{ ...plain, kind: 'model', title: 'The agent was asked: decision 2' },
      texts: [
        json('since the last decision', '[]', { sent: true }),
        json('sent to the agent', '{\n  "bar": 3\n}', { sent: true }),
      ],
    });
    expect(observationTexts(' {"a": 1}', 'x')).toEqual([json('x', '{\n  "a": 1\n}', { sent: true })]);
    for (const text of ['plain', '{broken'])
      expect(observationTexts(text, 'x')).toEqual([words('x', text, { sent: true })]);
    expect(observationTexts(5, 'x')).toEqual([json('x', '5', { sent: true })]);
  });

  it('show its replies and failures', () => {
    const reply = (message: unknown) => agentBlock(event('agent_replied', { message }));
    expect(reply({ type: 'call', tool: 'buy', arguments: '{"n": 1}' })).toEqual({
      ...{ ...plain, kind: 'model', title: 'The agent called buy' },
      texts: [json('as it wrote it', '{\n  "n": 1\n}', { folded: true })],
    });
    const ended = { ...plain, kind: 'model', title: 'The agent ended its decision' };
    expect(reply({ type: 'done', text: 'Hold.' })).toEqual({
      ...ended,
      texts: [words('the agent said', 'Hold.')],
    });
    expect(reply({ text: ' ' })).toEqual(ended);
    expect(reply(undefined)).toEqual(ended);
    expect(agentBlock(event('agent_replied', { failure: { kind: 'timeout', message: 'slow' } }))).toEqual({
      ...{ ...plain, kind: 'model', title: 'The agent failed', tone: 'bad' },
      facts: [
        ['Failure', 'timeout'],
        ['Message', 'slow'],
      ],
    });
    expect(agentBlock(event('note'))).toBeUndefined();
  });

  it('show JSON in texts without escaped quotes', () => {
    expect(jsonText('x', '[1]')).toEqual(json('x', '[\n  1\n]'));
    expect(jsonText('x', '[1', true)).toEqual(json('x', '"[1"', { folded: true }));
    expect(jsonText('x', undefined)).toEqual(json('x', ''));
  });

  it('show published documents, fundamentals and changes of the universe', () => {
    const rows = { documents: [{ id: '1', title: 'T', availableAt: '2024', text: 'x' }, 5] };
    expect(publishedBlock(event('documents_known', rows))).toEqual({
      ...{ ...plain, kind: 'other', title: 'Documents became known' },
      texts: [json('1 T, available at 2024', '{\n  "text": "x"\n}')],
    });
    const row = { symbol: 'A', field: 'eps', periodEnd: '', availableAt: '2024', value: 1 };
    expect(publishedBlock(event('fundamentals_known', { rows: [row] }))).toMatchObject({
      title: 'Fundamentals became known',
      texts: [json('A eps, available at 2024', '{\n  "value": 1\n}')],
    });
    expect(publishedBlock(event('fundamentals_known'))).toMatchObject({ texts: [] });
    expect(publishedBlock(event('universe_changed', { entered: ['A', 'B'], left: 'x' }))).toEqual({
      ...{ ...plain, kind: 'other', title: 'Universe', facts: [['Can be traded from here', 'A, B']] },
    });
    expect(publishedBlock(event('universe_changed', { left: ['C'] })).facts).toEqual([['No longer', 'C']]);
  });
});

describe('the blocks of a model', () => {
  const usage = { input: 10, cached: 4, output: 2, reasoning: 1 };

  it('show its configuration', () => {
    const configured = { model: 'm', provider: 'p', api: 'chat', tools: ['a'], configuration: { t: 0 } };
    const block = {
      ...{
        ...plain,
        kind: 'model',
        title: 'Model: m',
        facts: [
          ['Provider', 'p'],
          ['Protocol', 'chat'],
        ],
      },
      texts: [
        json('tools offered', '[\n  "a"\n]', { folded: true }),
        json('configuration', '{\n  "t": 0\n}', { folded: true }),
      ],
    };
    expect(modelBlock(event('model_configured', { ...configured, price: null }))).toEqual(block);
    expect(modelBlock(event('model_configured', configured))).toEqual(block);
    expect(
      modelBlock(event('model_configured', { ...configured, role: 'bear', price: { input: 1 } })),
    ).toEqual({
      ...{ ...block, title: 'bear · Model: m' },
      texts: [...block.texts, json('price per million tokens', '{\n  "input": 1\n}', { folded: true })],
    });
  });

  it('show each exchange: what was sent, what the model answered, and the usage', () => {
    const added = [
      { role: 'system', text: 'Trade.' },
      { role: 'developer', content: 'Be careful.' },
      { role: 'user', text: '{"bar":3}' },
      { role: 'tool', name: 'compute', text: '{"x":1}' },
      { role: 'assistant', text: 'Earlier.' },
      { role: 'critic', text: 'No.' },
      'not a message',
    ];
    const reply = {
      text: 'Buy.',
      reasoning: 'Up.',
      end: 'stop',
      toolCalls: [{ name: 'buy', arguments: '{"n":1}' }, 5],
    };
    expect(
      modelBlock(
        event('model_called', { round: 2, attempt: 1, sample: 1, added, reply, usage, cost: '0.5' }),
      ),
    ).toEqual({
      ...{ ...plain, kind: 'model', title: 'Round 2' },
      facts: [
        ['Tokens', '10 in (4 cached), 2 out (1 reasoning)'],
        ['Cost', '0.5 USD'],
      ],
      texts: [
        words('the model was instructed', 'Trade.', { sent: true, folded: true }),
        words('the model was instructed', 'Be careful.', { sent: true, folded: true }),
        json('sent to the model', '{\n  "bar": 3\n}', { sent: true }),
        json('the model saw of compute', '{\n  "x": 1\n}', { sent: true, folded: true }),
        words('assistant', 'Earlier.'),
        words('critic', 'No.', { sent: true }),
        words('the model’s reasoning', 'Up.'),
        words('the model said', 'Buy.'),
        json('it called buy with', '{\n  "n": 1\n}', { folded: true }),
      ],
    });
  });

  it('show failures, retries and limits', () => {
    const failure = { kind: 'http', status: 500, message: 'down' };
    const called = { round: 1, attempt: 2, sample: 2, added: null, failure, cost: null };
    expect(modelBlock(event('model_called', called))).toEqual({
      ...{ ...plain, kind: 'model', title: 'Round 1, attempt 2', tone: 'bad' },
      facts: [
        ['Sample', '2'],
        ['Failure', 'http'],
        ['HTTP status', '500'],
        ['Message', 'down'],
      ],
    });
    const endOf = (end: string) =>
      modelBlock(event('model_called', { round: 1, attempt: 1, reply: { end } }))!.facts;
    expect(['stop', 'tool_calls', 'length'].map(endOf)).toEqual([[], [], [['Cut short', 'length']]]);
    const unavailable = { sample: 0, round: 1, attempts: 3, failure, policy: 'hold' };
    expect(modelBlock(event('model_unavailable', unavailable))).toEqual({
      ...{ ...plain, kind: 'model', title: 'The model could not be reached', tone: 'bad' },
      facts: [
        ...[
          ['Round', '1'],
          ['Attempts', '3'],
          ['Failure', 'http'],
          ['HTTP status', '500'],
          ['Message', 'down'],
        ],
        ['Policy', 'hold'],
      ],
    });
    expect(
      modelBlock(event('limit_reached', { allowed: 5, limit: 'rounds', scope: 'decision', round: 6 })),
    ).toEqual({
      ...{ ...plain, kind: 'model', title: 'Limit reached: 5 rounds', tone: 'bad' },
      facts: [
        ['Of the', 'decision'],
        ['Before round', '6'],
      ],
    });
    expect(modelBlock(event('note'))).toBeUndefined();
  });

  it('show a decision with its answer', () => {
    const made = {
      outcome: 'answered',
      sample: 3,
      rounds: 2,
      toolCalls: 1,
      text: 'Done.',
      answer: { a: 1 },
      usage,
    };
    expect(modelBlock(event('decision_made', { ...made, cost: '0.1' }))).toEqual({
      ...{ ...plain, kind: 'model', title: 'Decision: answered', tone: 'good' },
      facts: [
        ...[
          ['Sample', '3'],
          ['Rounds', '2'],
          ['Tool calls', '1'],
        ],
        ...[
          ['Tokens', '10 in (4 cached), 2 out (1 reasoning)'],
          ['Cost', '0.1 USD'],
        ],
      ],
      texts: [words('last words', 'Done.'), json('answer', '{\n  "a": 1\n}')],
    });
    expect(modelBlock(event('role_spoke', { outcome: 'failed', text: ' ', problem: 'p' }))).toMatchObject({
      ...{ title: 'failed', tone: 'bad', facts: [['Problem', 'p']], texts: [] },
    });
  });

  it('add up to the totals of a run', () => {
    const counter = new ModelCounter();
    expect(counter.totals).toEqual({ decisions: 0, inputTokens: 0, outputTokens: 0, cost: null });
    counter.add(event('decision_made', { usage, cost: '0.5' }));
    counter.add(event('decision_made', { usage: { input: 'x' }, cost: '0.25' }));
    expect(counter.totals).toEqual({ decisions: 2, inputTokens: 10, outputTokens: 2, cost: '0.75' });
    counter.add(event('decision_made', { usage, cost: 'free' }));
    counter.add(event('decision_made', { cost: '1' }));
    expect(counter.totals).toEqual({ decisions: 4, inputTokens: 20, outputTokens: 4, cost: null });
  });
});
