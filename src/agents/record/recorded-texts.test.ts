import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../toolkit/index.ts';
import type { Message } from '../model/types.ts';
import { withRecordedManuals, withRecordedMessages } from './recording.ts';

const tool = (description: string, note: string, type = 'string'): ToolDefinition => ({
  type: 'function',
  function: {
    name: 'memory_log',
    description,
    parameters: { type: 'object', properties: { note: { type, description: note } } } as never,
  },
});

describe('tool manuals of a recorded run', () => {
  it('are read from the recording, even if the current manuals differ', () => {
    const recorded = [tool('Old words.', 'A line')];
    expect(withRecordedManuals([tool('New words.', 'A note')], recorded as never)).toEqual(recorded);
  });

  it('are the current manuals if the tool has other parameters or no recording', () => {
    const now = [tool('New words.', 'A note')];
    expect(withRecordedManuals(now, [tool('Old words.', 'A line', 'number')] as never)).toEqual(now);
    expect(withRecordedManuals(now, undefined)).toBe(now);
  });
});

describe('messages of a recorded round', () => {
  const answer = (text: object): Message => ({
    role: 'tool',
    callId: 'c1',
    name: 'trade_execute',
    text: JSON.stringify(text),
  });

  it('repeat recorded errors and instructions', () => {
    const recorded: Message[] = [
      answer({ error: 'Old.', remediation: 'Old.', code: 'no_position' }),
      { role: 'user', text: 'Old instruction.' },
    ];
    const now: Message[] = [
      answer({ error: 'New.', remediation: 'New.', code: 'no_position' }),
      { role: 'user', text: 'New instruction.' },
    ];
    expect(withRecordedMessages(now, recorded as never)).toEqual(recorded);
  });

  it('show current figures, prompts and other calls', () => {
    const now: Message[] = [
      { role: 'system', text: 'Trade A.' },
      { role: 'user', text: '{"bar":1,"account":{"cash":100}}' },
      answer({ status: 'accepted' }),
    ];
    const recorded = [
      { role: 'system', text: 'Trade B.' },
      { role: 'user', text: '{"bar":1,"account":{"cash":101}}' },
      { ...answer({ status: 'refused' }), callId: 'c2' },
    ];
    expect(withRecordedMessages(now, recorded as never)).toEqual(now);
    expect(withRecordedMessages(now, recorded.slice(1) as never)).toBe(now);
  });
});
