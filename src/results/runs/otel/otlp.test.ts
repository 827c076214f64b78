import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { version } from '../../../kernel/index.ts';
import { inputMessages, otlpRequests, outputMessages, type Span } from './otlp.ts';

const hex = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

function span(name: string, own: Partial<Span> = {}): Span {
  return {
    name,
    kind: 1,
    parent: undefined,
    start: 1_700_000_000_000,
    end: 1_700_000_000_001,
    attributes: {},
    ...own,
  };
}

describe('the requests to a collector', () => {
  it('contain each span with its ids, times in nanoseconds, attributes and status', () => {
    const run = span('run', {
      attributes: {
        ...{
          text: 'a',
          yes: true,
          whole: 5,
          large: 2 ** 53,
          half: 0.5,
          list: ['a', 'b'],
          missing: undefined,
        },
      },
    });
    const chat = span('chat', { kind: 3, parent: run, start: 0.0015, end: 2.0004, error: 'Too slow.' });
    const orphan = span('orphan', { parent: span('elsewhere') });
    expect(otlpRequests('r1', [run, chat, orphan])).toEqual([
      {
        resourceSpans: [
          {
            resource: {
              attributes: [
                { key: 'service.name', value: { stringValue: 'sandtable' } },
                { key: 'service.version', value: { stringValue: version() } },
              ],
            },
            scopeSpans: [
              {
                scope: { name: 'sandtable', version: version() },
                spans: [
                  {
                    ...{ traceId: hex('r1', 32), spanId: hex('r1/0', 16), name: 'run', kind: 1, status: {} },
                    startTimeUnixNano: '1700000000000000000',
                    endTimeUnixNano: '1700000000001000000',
                    attributes: [
                      { key: 'text', value: { stringValue: 'a' } },
                      { key: 'yes', value: { boolValue: true } },
                      { key: 'whole', value: { intValue: '5' } },
                      { key: 'large', value: { doubleValue: 2 ** 53 } },
                      { key: 'half', value: { doubleValue: 0.5 } },
                      {
                        key: 'list',
                        value: { arrayValue: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] } },
                      },
                    ],
                  },
                  {
                    ...{ traceId: hex('r1', 32), spanId: hex('r1/1', 16), parentSpanId: hex('r1/0', 16) },
                    ...{ name: 'chat', kind: 3, startTimeUnixNano: '2000', endTimeUnixNano: '2000000' },
                    ...{ attributes: [], status: { code: 2, message: 'Too slow.' } },
                  },
                  {
                    ...{ traceId: hex('r1', 32), spanId: hex('r1/2', 16), name: 'orphan', kind: 1 },
                    startTimeUnixNano: '1700000000000000000',
                    endTimeUnixNano: '1700000000001000000',
                    ...{ attributes: [], status: {} },
                  },
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  it('have at most 500 spans each', () => {
    const namesOf = (count: number): string[][] =>
      otlpRequests(
        'r',
        Array.from({ length: count }, (_, at) => span(String(at))),
      ).map((request) => {
        const [resource] = (request as { resourceSpans: { scopeSpans: { spans: { name: string }[] }[] }[] })
          .resourceSpans;
        return resource!.scopeSpans[0]!.spans.map(({ name }) => name);
      });
    expect(namesOf(0)).toEqual([]);
    expect(namesOf(500).map(({ length }) => length)).toEqual([500]);
    const [first, second, ...more] = namesOf(501);
    expect([first!.length, first!.at(-1), second, more]).toEqual([500, '499', ['500'], []]);
  });
});

describe('messages in the format of the OpenTelemetry conventions', () => {
  it('consist of a role and parts', () => {
    expect(
      inputMessages([
        { role: 'system', text: 'Trade.' },
        {},
        { role: 'tool', text: '{"value":1}', callId: 'c1' },
        { role: 'tool' },
        'not a message',
      ]),
    ).toEqual([
      { role: 'system', parts: [{ type: 'text', content: 'Trade.' }] },
      { role: 'user', parts: [{ type: 'text', content: '' }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '{"value":1}' }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: '', response: '' }] },
    ]);
    expect(inputMessages(null)).toEqual([]);
  });

  it('of a model contain its reasoning, text and tool calls', () => {
    const call = { id: 'c1', name: 'compute', arguments: { code: '1' } };
    expect(
      outputMessages({ text: 'Buy.', reasoning: 'Up.', toolCalls: [call, 'x', {}], end: 'length' }),
    ).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Up.' },
          { type: 'text', content: 'Buy.' },
          { type: 'tool_call', ...call },
          { type: 'tool_call', id: '', name: '', arguments: {} },
        ],
        finish_reason: 'length',
      },
    ]);
    expect(outputMessages({ toolCalls: 'none', reasoning: 5 })).toEqual([
      { role: 'assistant', parts: [], finish_reason: 'stop' },
    ]);
    expect(outputMessages('text')).toEqual([]);
  });
});
