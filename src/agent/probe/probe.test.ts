import { describe, expect, it } from 'vitest';
import { binomialTail } from './binomial.ts';
import { readSaid } from './probe.ts';

describe('binomialTail', () => {
  it('sums the tail of the distribution', () => {
    // (C(10,8) + C(10,9) + C(10,10)) / 1024
    expect(binomialTail(10, 8, 0.5)).toBeCloseTo(56 / 1024, 12);
    expect(binomialTail(3, 3, 0.2)).toBeCloseTo(0.008, 12);
    expect(binomialTail(1_000, 0, 0.5)).toBe(1);
    expect(binomialTail(1_000, 500, 0.5)).toBeCloseTo(0.5126, 4);
  });
});

describe('readSaid', () => {
  it.each([
    ['{"direction": "up", "close": 1200.5}', { direction: 'up', close: 1200.5 }],
    ['Here: ```json\n{"direction": "down", "close": null}\n```', { direction: 'down', close: null }],
    ['{"direction": "sideways", "close": "high"}', { direction: null, close: null }],
    ['I do not know.', { direction: null, close: null }],
  ])('reads %s', (text, said) => {
    expect(readSaid(text)).toEqual(said);
  });
});
