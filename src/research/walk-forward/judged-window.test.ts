import { describe, expect, it } from 'vitest';
import { equalCounts, timeBlocks } from '../sweep/maps.ts';
import type { PreparedSweep } from '../sweep/prepare-sweep.ts';
import { judgedWindow, readSpan, readWalkForward, shifted, windowsOf } from './windows.ts';

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

  it('are an even number of at most sixteen, with at least ten sessions each', () => {
    expect(blocksOf(40)).toEqual({ edges: [], starts: [] });
    expect(blocksOf(41).starts).toEqual([0, 10, 21, 31].map((bar) => bar * DAY));
    expect(blocksOf(60).starts).toHaveLength(4);
    expect(blocksOf(61).starts).toHaveLength(6);
    expect(blocksOf(161).starts).toHaveLength(16);
    expect(blocksOf(5_000).starts).toHaveLength(16);
    const { edges, starts } = blocksOf(161);
    expect(edges).toEqual(starts.slice(1));
  });

  it('use the largest session count among all trials', () => {
    const sums = (count: number[]) => ({ count, sum: [1, 2], squares: [3, 4] });
    expect(equalCounts([sums([10, 4]), sums([9, 10])])).toEqual([sums([10, 10]), sums([10, 10])]);
    expect(equalCounts([])).toEqual([]);
  });
});

describe('a length of time', () => {
  it('is a number of days, weeks, months or years', () => {
    const spans = ['5d', ' 2 weeks ', '3MO', '1yr', '10 days', '1w', '07d'].map(readSpan);
    expect(spans).toEqual([
      { text: '5d', days: 5, months: 0 },
      { text: '2w', days: 14, months: 0 },
      { text: '3m', days: 0, months: 3 },
      { text: '1y', days: 0, months: 12 },
      { text: '10d', days: 10, months: 0 },
      { text: '1w', days: 7, months: 0 },
      { text: '7d', days: 7, months: 0 },
    ]);
    expect(['0d', '', 'd', '5', '-1d', '1.5d', '5dd', '5x'].map(readSpan)).toEqual(Array(8).fill(undefined));
  });

  it('moves a date to the same day of another month, or to its last day', () => {
    const moved = (date: string, span: string, times?: number) =>
      new Date(shifted(Date.parse(date), readSpan(span)!, times)).toISOString();
    expect(moved('2020-01-31T10:30:00Z', '1m')).toBe('2020-02-29T10:30:00.000Z');
    expect(moved('2020-01-31T00:00:00Z', '1m', 3)).toBe('2020-04-30T00:00:00.000Z');
    expect(moved('2020-03-31T00:00:00Z', '1m', -1)).toBe('2020-02-29T00:00:00.000Z');
    expect(moved('2020-02-29T00:00:00Z', '1y')).toBe('2021-02-28T00:00:00.000Z');
    expect(moved('2020-12-15T00:00:00Z', '1m')).toBe('2021-01-15T00:00:00.000Z');
    expect(moved('2020-01-31T00:00:00Z', '1m', 0)).toBe('2020-01-31T00:00:00.000Z');
    expect(moved('2020-01-30T00:00:00Z', '2w', 2)).toBe('2020-02-27T00:00:00.000Z');
  });
});

describe('the terms of a walk-forward', () => {
  it('have by default a step as long as a test, and no embargo', () => {
    const [train, test] = [readSpan('3y')!, readSpan('1y')!];
    expect(readWalkForward('train=3y, test=1y')).toEqual({
      ...{ train, test, step: test, anchored: false, embargo: undefined, carry: false },
    });
    expect(readWalkForward('anchored,embargo=5d,train=3y,test=1y,carry,step=12m')).toEqual({
      ...{ train, test, step: readSpan('12m'), anchored: true, embargo: readSpan('5d'), carry: true },
    });
    expect(readWalkForward('train=3y,test=1y,step=2y').step.text).toBe('2y');
    expect(readWalkForward('train=3y,test=30d,step=31d').step.text).toBe('31d');
    // Steps are compared from 1 January 2001, so a month has 31 days.
    expect(readWalkForward('train=3y,test=31d,step=1m,carry').carry).toBe(true);
  });

  it.each([
    ['train=3y,test=1y,foo', ['foo: is not train, test, step, embargo, anchored or carry']],
    ['train=3y,test=1y,anchored=1', ['anchored=1: is not train']],
    ['train=3y,test=1y,carry=1', ['carry=1: is not train']],
    ['train=3,test=1y', ['train=3: is not a length such as 5d, 2w, 3m or 1y']],
    ['train,test=1y', ['train: is not a length', 'train: is missing']],
    ['train=3y=1,test=1y', ['train=3y=1: is not a length']],
    ['train=3y,train=2y,test=1y', ['train=2y: duplicate train']],
    ['', ['is not train, test', 'train: is missing', 'test: is missing']],
    ['train=3y,test=32d,step=1m', ['step: is shorter than test: test windows would overlap']],
    ['train=3y,test=30d,step=1m,carry', ['carry: needs test windows without gaps between them: omit step']],
  ])('are refused in %j with every fault', (text, faults) => {
    let message = '';
    try {
      readWalkForward(text);
    } catch (error) {
      ({ message } = error as Error);
    }
    for (const fault of faults) expect(message).toContain(fault);
    expect(message).toContain(faults.length === 1 ? '1 fault\n' : `${faults.length} faults\n`);
  });
});

describe('the windows of a walk-forward at the end of the data', () => {
  const windows = (days: number, terms = 'train=10d,test=10d') =>
    windowsOf(readWalkForward(terms), 0, days * DAY).map(({ train, test }) =>
      [train.from, train.to, test.from, test.to].map((time) => time / DAY),
    );

  it('include the last test window if the data cover at least half of it', () => {
    expect(windows(20)).toEqual([[0, 10, 10, 20]]);
    expect(windows(25)).toEqual([
      [0, 10, 10, 20],
      [10, 20, 20, 25],
    ]);
    expect(windows(24.9)).toEqual([[0, 10, 10, 20]]);
    expect(windows(15)).toEqual([[0, 10, 10, 15]]);
    expect(windows(30, 'train=10d,test=10d,anchored,embargo=2d')).toEqual([
      [0, 10, 12, 22],
      [0, 20, 22, 30],
    ]);
  });

  it('are refused if no window fits', () => {
    expect(() => windows(14)).toThrow(
      'No window of train=10d,test=10d fits between 1970-01-01 and 1970-01-14',
    );
    expect(() => windows(10)).toThrow('No window');
    expect(() => windows(14, 'train=10d,test=10d,embargo=2d')).toThrow('train=10d,test=10d,embargo=2d fits');
  });
});
