import { describe, expect, it } from 'vitest';
import { costOf } from './prices.ts';
import { estimatedUsage, usageOf } from './types.ts';

describe('usageOf', () => {
  it('reads the field names of both protocols and of DeepSeek', () => {
    const used = { input: 10, cached: 4, output: 3, reasoning: 2 };
    expect(
      usageOf({
        prompt_tokens: 10,
        completion_tokens: 3,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 2 },
      }),
    ).toEqual(used);
    expect(
      usageOf({
        input_tokens: 10,
        output_tokens: 3,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens_details: { reasoning_tokens: 2 },
      }),
    ).toEqual(used);
    expect(usageOf({ prompt_tokens: 10, completion_tokens: 3, prompt_cache_hit_tokens: 4 })?.cached).toBe(4);
  });

  it('bills impossible numbers of cached tokens as ordinary tokens', () => {
    for (const cached_tokens of [11, -1, 0.5, 'many', null]) {
      const usage = usageOf({
        prompt_tokens: 10,
        completion_tokens: 0,
        prompt_tokens_details: { cached_tokens },
      });
      expect(usage).toMatchObject({ input: 10, cached: 0 });
      expect(costOf(usage, { input: 1_000_000, cached: 0, output: 0 })).toBe('10');
    }
  });

  it('bills the part of a total beyond input and output as output', () => {
    const counted = { prompt_tokens: 20, completion_tokens: 10 };
    expect(usageOf({ ...counted, total_tokens: 530 })).toMatchObject({ input: 20, output: 510 });
    expect(usageOf({ ...counted, total_tokens: 5 })).toMatchObject({ input: 20, output: 10 });
  });

  it.each([null, undefined, {}, { prompt_tokens: -1, completion_tokens: 2 }, { prompt_tokens: 1 }, 'none'])(
    'returns null for %j',
    (given) => {
      expect(usageOf(given)).toBeNull();
    },
  );
});

describe('estimatedUsage', () => {
  it('estimates one token per three characters of requests and replies', () => {
    const reply = { text: 'x'.repeat(30), toolCalls: [], end: 'stop', reasoning: 'y'.repeat(9) } as const;
    expect(estimatedUsage({ a: 'z'.repeat(52) }, reply)).toEqual({
      estimated: true,
      input: 20,
      cached: 0,
      output: 13,
      reasoning: 3,
    });
  });
});
