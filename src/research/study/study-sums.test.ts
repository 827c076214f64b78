import { describe, expect, it } from 'vitest';
import type { StudyCell } from '../../results/analysis/index.ts';
import { usageOf } from './study-sums.ts';

function cell(model: object | null): StudyCell {
  return { model } as unknown as StudyCell;
}

const A = { model: 'm-1', fingerprint: 'f' };
const B = { model: 'm-2', fingerprint: 'f' };

describe('the model usage of an arm', () => {
  it('is the sum of its runs, and counts the runs of each server', () => {
    expect(
      usageOf([
        cell({ requests: 3, tokens: 100, cost: 0.25, served: [A] }),
        cell(null),
        cell({ requests: 4, tokens: 50, cost: 0.5, served: [A, B] }),
      ]),
    ).toEqual({
      requests: 7,
      tokens: 150,
      cost: 0.75,
      served: [
        { ...A, runs: 2 },
        { ...B, runs: 1 },
      ],
    });
  });

  it('has no cost if the cost of one run is unknown', () => {
    const known = { requests: 1, tokens: 1, cost: 1, served: [] };
    expect(usageOf([cell(known), cell({ ...known, cost: null })])?.cost).toBeNull();
    expect(usageOf([cell(known), cell(known)])?.cost).toBe(2);
  });

  it('is null for a rule', () => {
    expect(usageOf([cell(null)])).toBeNull();
  });
});
