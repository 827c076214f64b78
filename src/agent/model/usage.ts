import { z } from 'zod';
import type { TokenUsage } from '../../engine/index.ts';
import type { Body, ModelReply } from './types.ts';

// An invalid count (negative, fractional, a text) makes the whole usage unusable.
const tokens = z.number().int().min(0);

const detailsSchema = z.looseObject({ cached_tokens: z.unknown(), reasoning_tokens: z.unknown() }).partial();

const usageSchema = z.looseObject({
  prompt_tokens: tokens.optional(),
  completion_tokens: tokens.optional(),
  input_tokens: tokens.optional(),
  output_tokens: tokens.optional(),
  total_tokens: tokens.optional().catch(undefined),
  prompt_tokens_details: detailsSchema.nullish().catch(null),
  completion_tokens_details: detailsSchema.nullish().catch(null),
  input_tokens_details: detailsSchema.nullish().catch(null),
  output_tokens_details: detailsSchema.nullish().catch(null),
  /** DeepSeek's name for cached input. */
  prompt_cache_hit_tokens: z.unknown().optional(),
});

/**
 * Reads the reported token usage under the field names of either protocol. `null` if it is unusable.
 *
 * More cached than input tokens, or more reasoning than output tokens, are impossible. Such counts are set to
 * 0, so that the full price applies. If the total exceeds input plus output, the difference counts as output:
 * Google and xAI exclude reasoning from the output count.
 */
export function usageOf(given: unknown): TokenUsage | null {
  const parsed = usageSchema.safeParse(given);
  if (!parsed.success) return null;
  const usage = parsed.data;
  const input = usage.prompt_tokens ?? usage.input_tokens;
  const answer = usage.completion_tokens ?? usage.output_tokens;
  if (input === undefined || answer === undefined) return null;
  const output = Math.max(answer, (usage.total_tokens ?? 0) - input);
  const read = usage.prompt_tokens_details ?? usage.input_tokens_details;
  const written = usage.completion_tokens_details ?? usage.output_tokens_details;
  return {
    input,
    cached: partOf(input, read?.cached_tokens ?? usage.prompt_cache_hit_tokens),
    output,
    reasoning: partOf(output, written?.reasoning_tokens),
  };
}

function partOf(whole: number, part: unknown): number {
  const count = tokens.safeParse(part);
  return count.success && count.data <= whole ? count.data : 0;
}

/** Minimum number of characters of JSON per token. The estimate is therefore rather too high than too low. */
const CHARACTERS_PER_TOKEN = 3;

/** Estimates the usage of an exchange from the length of its texts. */
export function estimatedUsage(body: Body, reply: ModelReply): TokenUsage {
  const { text, toolCalls, reasoning = '' } = reply;
  const count = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);
  const thought = count(reasoning.length);
  return {
    estimated: true,
    input: count(JSON.stringify(body).length),
    cached: 0,
    output: count(text.length + (toolCalls.length === 0 ? 0 : JSON.stringify(toolCalls).length)) + thought,
    reasoning: thought,
  };
}
