import { describe, expect, it } from 'vitest';
import type { Message } from '../model/types.ts';
import { DROPPED, estimatedTokens, fitContext } from './decision-steps.ts';

const tool = (callId: string, text: string): Message => ({ role: 'tool', callId, name: 'compute', text });

describe('fitContext', () => {
  const messages: Message[] = [
    { role: 'system', text: 'Trade.' },
    tool('1', 'a'.repeat(3_000)),
    tool('2', 'b'.repeat(3_000)),
    tool('3', 'c'.repeat(3_000)),
  ];

  it('drops the oldest outputs first, and only as many as necessary', () => {
    const { messages: kept, fits } = fitContext(messages, 0, estimatedTokens(messages, 0) - 10);
    expect(fits).toBe(true);
    expect(kept.map((message) => ('text' in message ? message.text.slice(0, 10) : ''))).toEqual([
      'Trade.',
      DROPPED.slice(0, 10),
      'bbbbbbbbbb',
      'cccccccccc',
    ]);
  });

  it('reports that the conversation does not fit when nothing more can be dropped', () => {
    expect(fitContext(messages, 0, 20).fits).toBe(false);
  });
});
