import { describe, expect, it } from 'vitest';
import { withoutThoughts } from './wire-parts.ts';

describe('withoutThoughts', () => {
  it.each([
    ['Hold.', { text: 'Hold.' }],
    ['<think>\nUp?\n</think>\n\nHold.', { text: 'Hold.', reasoning: 'Up?' }],
    ['Up? Down?</think>Hold.', { text: 'Hold.', reasoning: 'Up? Down?' }],
    ['<think>Up? Down?', { text: '', reasoning: 'Up? Down?' }],
    ['I write <think>so</think> on purpose.', { text: 'I write <think>so</think> on purpose.' }],
  ])('reads %j', (text, parts) => {
    expect(withoutThoughts(text)).toEqual(parts);
  });
});
