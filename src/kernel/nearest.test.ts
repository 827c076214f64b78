import { describe, expect, it } from 'vitest';
import { nearest } from './errors.ts';

describe('the closest word', () => {
  it.each([
    ['leverge', 'leverage'],
    ['max-position', 'maxPosition'],
    ['maxPositions', 'maxPosition'],
    ['MAXDRAWDOWN', 'maxDrawdown'],
    ['lots', 'lot'],
  ])('of %s is %s', (word, meant) => {
    expect(nearest(word, ['lot', 'tick', 'leverage', 'maxPosition', 'maxDrawdown'])).toBe(meant);
  });

  it.each(['', 'x', 'colour', 'constructor'])('of "%s" is absent', (word) => {
    expect(nearest(word, ['lot', 'leverage', 'maxPosition'])).toBeUndefined();
  });
});
