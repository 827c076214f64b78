import { describe, expect, it } from 'vitest';
import { readSteps, writeSteps } from './time-map.ts';

describe('instants as steps', () => {
  it('writes equal steps as a count, and a single step without one', () => {
    expect(writeSteps([100, 110, 120, 130, 160])).toEqual({ first: 100, unit: 10, steps: '1x3 3' });
    expect(writeSteps([0, 6, 10, 16])).toEqual({ first: 0, unit: 2, steps: '3 2 3' });
  });

  it('uses the largest unit that divides all steps', () => {
    expect(writeSteps([5, 17, 35])).toEqual({ first: 5, unit: 6, steps: '2 3' });
    expect(writeSteps([5, 12, 22])).toEqual({ first: 5, unit: 1, steps: '7 10' });
  });

  it.each([[[]], [[7]], [[7, 7]], [[7, 8]], [[3, 13, 23, 24, 34, 44]]])('reads back %j', (times) => {
    const read = [...readSteps(writeSteps(times))];
    expect(read).toEqual(times.length === 0 ? [0] : times);
  });

  it('writes no steps for one instant', () => {
    expect(writeSteps([7])).toEqual({ first: 7, unit: 1, steps: '' });
  });
});
