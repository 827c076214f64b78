import { describe, expect, it } from 'vitest';
import { equalCounts, timeBlocks } from '../sweep/maps.ts';
import type { PreparedSweep } from '../sweep/prepare-sweep.ts';
import { judgedWindow } from './windows.ts';

const DAY = 86_400_000;
const clock = (bars: number): Float64Array => Float64Array.from({ length: bars }, (_, bar) => bar * DAY);
const day = (number: number): string => new Date(number * DAY).toISOString().slice(0, 10);

describe('an evaluated window', () => {
  it('begins with the first bar from its start, and ends before its end', () => {
    expect(judgedWindow(clock(20), 5 * DAY, 10 * DAY)).toEqual({
      period: { from: day(0), to: day(9), evaluateFrom: day(5) },
      shown: { from: day(5), to: day(9), historyBars: 5 },
    });
    expect(judgedWindow(clock(20), 4.5 * DAY, 9.5 * DAY).shown).toEqual({
      from: day(5),
      to: day(9),
      historyBars: 5,
    });
  });

  it('has no history at the first bar, and one bar of history at the second', () => {
    expect(judgedWindow(clock(20), 0, 5 * DAY).period).toEqual({ from: day(0), to: day(4) });
    expect(judgedWindow(clock(20), DAY, 5 * DAY).period).toMatchObject({ evaluateFrom: day(1) });
  });
});

describe('time blocks', () => {
  const blocksOf = (bars: number) =>
    timeBlocks({ files: { market: { clock: clock(bars) } }, period: {} } as unknown as PreparedSweep);

  it('are an even number of at least ten sessions each, at most sixteen blocks', () => {
    expect(blocksOf(40)).toEqual({ edges: [], starts: [] });
    expect(blocksOf(41).starts).toEqual([0, 10, 21, 31].map((bar) => bar * DAY));
    expect(blocksOf(60).starts).toHaveLength(4);
    expect(blocksOf(61).starts).toHaveLength(6);
    expect(blocksOf(161).starts).toHaveLength(16);
    expect(blocksOf(5_000).starts).toHaveLength(16);
    const { edges, starts } = blocksOf(161);
    expect(edges).toEqual(starts.slice(1));
  });

  it('use the largest count of all trials', () => {
    const sums = (count: number[]) => ({ count, sum: [1, 2], squares: [3, 4] });
    expect(equalCounts([sums([10, 4]), sums([9, 10])])).toEqual([sums([10, 10]), sums([10, 10])]);
    expect(equalCounts([])).toEqual([]);
  });
});
