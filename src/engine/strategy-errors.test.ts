import { expect, it } from 'vitest';
import { placeIn } from './decision.ts';

it('reports the line of the strategy file from any position in the stack, and nothing if it is absent', () => {
  const error = new Error('no');
  error.stack = 'Error: no\n    at library (/x/other.ts:9:1)\n    at Object.onBar (/home/me/mine.ts:12:5)';
  expect(placeIn(error, 'strategies/mine.ts')).toBe(' (strategies/mine.ts:12)');
  expect(placeIn(error, 'theirs.ts')).toBe('');
  expect(placeIn('a text', 'mine.ts')).toBe('');
});
