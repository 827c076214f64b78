import { describe, expect, it } from 'vitest';
import { modelLines } from './model-usage.ts';

type Usage = NonNullable<Parameters<typeof modelLines>[0]>;

const USAGE = {
  model: 'small-1',
  decisions: 1_200,
  outcomes: { answered: 1_200 },
  requests: 2_000,
  failedRequests: 0,
  inputTokens: 10_000,
  cachedTokens: 0,
  outputTokens: 500,
  reasoningTokens: 0,
  cost: '0.25',
  incurred: { requests: 2_000, cost: '0.25' },
  replayed: { requests: 0, cost: '0' },
} as unknown as Usage;

const lines = (changes: Partial<Record<keyof Usage, unknown>> = {}, after: number | null = null) =>
  new Map(modelLines({ ...USAGE, ...changes } as Usage, after));

describe('the summary lines about a model', () => {
  it('are absent without a model', () => {
    expect(modelLines(null, 0.1)).toEqual([]);
  });

  it('show decisions, requests, tokens and the cost', () => {
    expect([...lines()]).toEqual([
      ['Model', 'small-1: 1,200 decisions, 2,000 requests'],
      ['Tokens', '10,000 in, 500 out'],
      ['Cost', '$0.250000'],
    ]);
    expect(lines({ cost: '1' }).get('Cost')).toBe('$1.00');
  });

  it('show exceptional events', () => {
    const found = lines({
      outcomes: { answered: 5, rounds_exhausted: 2, held: 1, text_tool_calls: 3 },
      failedRequests: 4,
      cachedTokens: 30,
      reasoningTokens: 20,
      estimatedRequests: 7,
    });
    expect(found.get('Model')).toBe(
      'small-1: 1,200 decisions (2 rounds exhausted, 1 not reached, 3 text tool calls), 2,000 requests, 4 of them failed',
    );
    expect(found.get('Tokens')).toBe(
      '10,000 in, 30 of them cached, 500 out, 20 of them reasoning; estimated for 7 of 2,000 requests whose server reported no usage',
    );
    expect(found.get('Warning')).toContain('3 decisions ended with tool calls written as text');
  });

  it('show the return after costs, unless the cost is zero or unknown', () => {
    expect(lines({}, 0.05).get('Cost')).toBe('$0.250000; return after it 5.00%');
    expect(lines({ cost: '0' }, 0.05).get('Cost')).toBe('$0.000000');
    expect(lines({ cost: null }, null).get('Cost')).toBe('not known: no price for this model');
  });

  it('separate what a replayed run paid now', () => {
    const cost = lines({ replayed: { requests: 1, cost: '0.2' }, incurred: { requests: 1, cost: '0.05' } });
    expect(cost.get('Cost')).toBe('$0.250000; $0.050000 now, $0.200000 replayed');
  });

  it('have one line for each role, with its cost if it is known', () => {
    const role = (name: string, cost: string | null) => ({
      role: name,
      model: 'm',
      turns: 3,
      outcomes: { answered: 3 },
      requests: 4,
      cost,
    });
    const found = lines({ roles: [role('analyst', '0.5'), role('trader', null)] });
    expect(found.get('  analyst')).toBe('m: 3 turns, 4 requests, $0.500000');
    expect(found.get('  trader')).toBe('m: 3 turns, 4 requests');
  });

  it('show the servers of a model that changed', () => {
    const servedBy = [
      { model: 'a', fingerprint: 'f1', firstBar: 0, requests: 3 },
      { model: '', fingerprint: 'f2', firstBar: 1_200, requests: 2 },
    ];
    expect(lines({ servedBy }).get('Answered by')).toBe(
      'a f1 (3 requests from bar 0), f2 (2 requests from bar 1,200): the model changed within the run',
    );
  });
});
