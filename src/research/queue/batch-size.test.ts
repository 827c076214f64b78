import { describe, expect, it } from 'vitest';
import { Backlog, BatchSize } from './jobs.ts';

describe('the number of trials per job', () => {
  it('is eight before any duration is known, or the fixed number', () => {
    expect(new BatchSize().next(10_000)).toBe(8);
    const fixed = new BatchSize(3);
    fixed.learn(10, 5);
    expect(fixed.next(10_000)).toBe(3);
  });

  it('makes a job last half a second', () => {
    const size = new BatchSize();
    size.learn(10, 200);
    expect(size.next(100_000)).toBe(25);
    const slow = new BatchSize();
    slow.learn(1, 2_000);
    expect(slow.next(100_000)).toBe(1);
  });

  it('is at most a hundred', () => {
    const size = new BatchSize();
    size.learn(1, 0);
    expect(size.next(100_000)).toBe(100);
  });

  it('leaves at least 64 jobs, of eight trials or more', () => {
    const size = new BatchSize();
    size.learn(1, 1);
    expect([6_400, 3_200, 640, 64].map((left) => size.next(left))).toEqual([100, 50, 10, 8]);
  });

  it('adapts to durations slowly, and ignores invalid durations', () => {
    const size = new BatchSize();
    size.learn(1, 10);
    for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY]) size.learn(1, wrong);
    size.learn(0, 10);
    expect(size.next(100_000)).toBe(50);
    size.learn(1, 60);
    // The smoothed duration of a trial is 0.8 × 10 ms + 0.2 × 60 ms = 20 ms, so a job of 500 ms contains 25
    // trials.
    expect(size.next(100_000)).toBe(25);
  });
});

describe('the trials that are not in a job', () => {
  const trial = (id: string) => ({ id, input: id });
  const ids = (backlog: Backlog, size: number) => backlog.take(size).map(({ id }) => id);

  it('share jobs in their order, and lost trials come first in separate jobs', () => {
    const backlog = new Backlog(['a', 'b', 'c', 'd'].map(trial));
    expect(ids(backlog, 2)).toEqual(['a', 'b']);
    backlog.add(trial('e'));
    backlog.addAlone(trial('b'));
    backlog.addAlone(trial('a'));
    expect(ids(backlog, 2)).toEqual(['b']);
    expect(ids(backlog, 5)).toEqual(['a']);
    expect(backlog.isEmpty).toBe(false);
    expect(ids(backlog, 5)).toEqual(['c', 'd', 'e']);
    expect(backlog.isEmpty).toBe(true);
    expect(ids(backlog, 5)).toEqual([]);
    backlog.addAlone(trial('c'));
    expect(backlog.isEmpty).toBe(false);
    expect(ids(backlog, 5)).toEqual(['c']);
    expect(backlog.isEmpty).toBe(true);
  });
});
