import { describe, expect, it } from 'vitest';
import { businessDays, type RecordSketch } from '../../../../test/support/records.ts';
import { storedRun } from '../../../../test/support/stored-run.ts';
import { pairedDifference, seededDraws } from '../../analysis/index.ts';
import { COMPARED_FIGURES, comparedWith, compareRuns } from './compare.ts';

const days = businessDays(40);
const rising = days.map((_, bar) => 100 + bar + (bar % 3));
const waving = days.map((_, bar) => 100 + (bar % 7) - (bar % 2));
const returnsOf = (equity: readonly number[]): Float64Array =>
  Float64Array.from(equity.slice(1), (value, at) => value / equity[at]! - 1);
const draw = seededDraws('paired resamples');
const stored = (id: string, equity: readonly number[], dates = days, more: Partial<RecordSketch> = {}) =>
  storedRun(id, { cash: '100', equity, dates, strategy: id, ...more });

describe('a comparison with a chosen baseline', () => {
  const [a, b] = [stored('a', rising), stored('b', waving)];

  it('has differences of all figures from the baseline', () => {
    const [first, second] = comparedWith(1, [a, b]);
    expect(second).toEqual({
      ...{ name: 'b', runId: 'b', folder: 'b', strategy: 'b', summary: b.summary, differences: {} },
      ...{ against: undefined, sharedSessions: 40, overlap: undefined },
    });
    expect(Object.keys(first!.differences)).toEqual([...COMPARED_FIGURES]);
    for (const name of COMPARED_FIGURES) {
      const [own, base] = [a.summary[name], b.summary[name]];
      expect(first!.differences[name], name).toBe(
        own === null || base === null ? null : Number(own) - Number(base),
      );
    }
    expect(first!.differences.finalEquity).toBe(139 - 103);
    expect(first!.differences.winRate).toBeNull();
    expect(first).toMatchObject({ name: 'a', sharedSessions: 40, overlap: { share: null, sameSide: 1 } });
  });

  it('compares the returns of the sessions that both runs have', () => {
    const part = stored('part', waving.slice(5, 30), days.slice(5, 30));
    const [, found] = comparedWith(0, [a, part]);
    expect(found!.sharedSessions).toBe(25);
    const { periodsPerYear } = a.summary;
    const expected = pairedDifference(
      returnsOf(waving.slice(5, 30)),
      returnsOf(rising.slice(5, 30)),
      periodsPerYear,
      draw,
    );
    expect(expected).toBeDefined();
    expect(found!.against).toEqual(expected);
    const [whole] = comparedWith(1, [a, b]);
    expect(whole!.against).toEqual(
      pairedDifference(returnsOf(rising), returnsOf(waving), b.summary.periodsPerYear, draw),
    );
  });

  it('has no interval if the equity of a run was zero', () => {
    const broke = stored('broke', waving.with(20, 0));
    expect(comparedWith(0, [a, broke])[1]).toMatchObject({ sharedSessions: 40, against: undefined });
    expect(comparedWith(0, [broke, a])[1]!.against).toBeUndefined();
  });

  it('has no differences of money in another currency', () => {
    const euro = stored('euro', waving, days, { settings: { currency: 'EUR' } });
    const { finalEquity, commissionPaid, slippagePaid, totalReturn } = comparedWith(0, [a, euro])[1]!
      .differences;
    expect([finalEquity, commissionPaid, slippagePaid]).toEqual([null, null, null]);
    expect(totalReturn).toBeCloseTo(1.03 - 1.39, 12);
  });
});

describe('samples among compared runs', () => {
  it('are runs that differ only in the seed, without repeated runs', () => {
    const made = (id: string, last: number, seed: number, more: object = {}) =>
      storedRun(id, { cash: '100', equity: [100, last], settings: { seed, ...more } });
    const runs = [
      made('a', 110, 1),
      made('b', 130, 2),
      made('again', 110, 1),
      made('other', 120, 3, { commissionRate: 0.1 }),
      storedRun('parameters', { cash: '100', equity: [100, 105] }, { fast: 5 }),
    ];
    const [group, ...more] = compareRuns(runs).samples;
    expect(more).toEqual([]);
    expect(group).toMatchObject({ strategy: 'test', runIds: ['a', 'b'] });
    expect(group!.figures.totalReturn).toEqual({
      mean: expect.closeTo(0.2, 12),
      deviation: expect.closeTo(Math.sqrt(0.02), 12),
    });
    expect(group!.figures.finalEquity).toEqual({ mean: 120, deviation: expect.closeTo(Math.sqrt(200), 10) });
    expect(group!.figures).not.toHaveProperty('sharpe');
  });
});
