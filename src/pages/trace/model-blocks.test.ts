import { expect, it } from 'vitest';
import { modelBlock } from './model-blocks.ts';

const usage = { input: 10, cached: 0, output: 2, reasoning: 0 };

it('shows the role that wrote a block', () => {
  const spoke = {
    type: 'role_spoke',
    bar: 3,
    sample: 1,
    role: 'bear',
    step: 2,
    outcome: 'answered',
    text: 'Dear.',
  };
  expect(modelBlock({ ...spoke, rounds: 1, toolCalls: 0, usage, cost: '0.01' })).toMatchObject({
    title: 'bear · answered',
    texts: [{ label: 'last words', text: 'Dear.' }],
  });
  const asked = {
    type: 'model_called',
    bar: 3,
    sample: 1,
    role: 'bear',
    step: 2,
    round: 1,
    attempt: 1,
    added: [],
  };
  expect(modelBlock({ ...asked, reply: { text: 'Dear.', toolCalls: [], end: 'stop' }, usage })?.title).toBe(
    'bear · Round 1',
  );
  const made = {
    type: 'decision_made',
    bar: 3,
    sample: 1,
    outcome: 'vetoed',
    problem: 'risk vetoed it: too big.',
  };
  expect(modelBlock({ ...made, rounds: 1, toolCalls: 0, text: '', usage, cost: null })).toMatchObject({
    title: 'Decision: vetoed',
    tone: 'bad',
  });
});
