import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import type { BarValues } from '../../../engine/index.ts';
import { equityColumns } from '../figures/equity.ts';
import type { Undefined } from '../figures/figures.ts';
import { benchmarkFault, type Coverage, coverageOf, isCut } from './benchmark-coverage.ts';

const day = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const days = (first: string, count: number): number[] =>
  Array.from({ length: count }, (_, at) => day(first) + at * 86_400_000);
const fault = (times: readonly number[], run: readonly number[]): string | undefined =>
  benchmarkFault({ name: 'INDEX', times, closes: times.map(() => 1) }, run);

/** Returns the part of a run's daily bars, starting on 1 January 2024, that a benchmark covers. */
function covered(times: readonly number[], bars: number): Coverage | Undefined {
  const dates = days('2024-01-01', bars).map((time) => new Date(time).toISOString().slice(0, 10));
  const record = runRecord({ equity: dates.map(() => 100), dates });
  return coverageOf(record, equityColumns(record), { name: 'INDEX', times, closes: times.map(() => 1) });
}

describe('a separate benchmark series', () => {
  it('covers the bars from its first close on, inclusive', () => {
    expect(covered(days('2024-01-03', 20), 10)).toEqual({ from: 2, to: 9 });
    expect(covered(days('2023-12-31', 20), 10)).toEqual({ from: 0, to: 9 });
  });

  it('covers five days after the last of its daily closes, and no more', () => {
    // The last close is on 3 January. It is valid for five days, up to 8 January: one day until the next
    // close, and four days of holidays.
    expect(covered(days('2023-12-20', 15), 10)).toEqual({ from: 0, to: 7 });
  });

  it('allows gaps by the usual step between its closes: a weekly close is valid for eleven days', () => {
    const weeks = [0, 1, 2, 3].map((week) => day('2023-12-11') + week * 7 * 86_400_000);
    expect(covered(weeks, 20)).toEqual({ from: 0, to: 11 });
  });

  it('uses the median step, the shorter of two, as its usual step', () => {
    const steps = (...gaps: readonly number[]): number[] => {
      const times = [day('2024-01-01') - gaps.reduce((sum, gap) => sum + gap, 0) * 86_400_000];
      for (const gap of gaps) times.push(times.at(-1)! + gap * 86_400_000);
      return times;
    };
    expect(covered(steps(7), 20)).toEqual({ from: 0, to: 11 });
    expect(covered(steps(1, 7), 20)).toEqual({ from: 0, to: 5 });
    expect(covered(steps(1, 7, 7), 20)).toEqual({ from: 0, to: 11 });
    expect(covered(steps(9, 1, 7, 7), 20)).toEqual({ from: 0, to: 11 });
  });

  it('may have holidays of five days between two closes, and not a millisecond more', () => {
    const run = days('2024-01-01', 20);
    const holed = (hole: number): number[] => {
      const before = days('2023-12-25', 10);
      const start = before.at(-1)! + hole;
      return [...before, ...Array.from({ length: 20 }, (_, at) => start + at * 86_400_000)];
    };
    expect(fault(holed(5 * 86_400_000), run)).toBeUndefined();
    expect(fault(holed(5 * 86_400_000 + 1), run)).toBe(
      'INDEX has no close between 2024-01-03 and 2024-01-08T00:00:00.001',
    );
  });

  it('may have a gap that ends at the start of the run, or begins at its end', () => {
    const hole = [...days('2023-12-01', 3), ...days('2024-01-01', 5), ...days('2024-02-01', 3)];
    expect(fault(hole, days('2024-01-01', 5))).toBeUndefined();
    expect(fault(hole, days('2023-12-31', 6))).toContain('no close between 2023-12-03 and 2024-01-01');
  });

  it('is refused if it covers only one bar of several, and accepted for a run with one bar', () => {
    expect(fault(days('2024-01-10', 3), days('2024-01-01', 10))).toContain(
      'INDEX has closes from 2024-01-10 to 2024-01-12, the run is from 2024-01-01 to 2024-01-10',
    );
    expect(fault(days('2024-01-09', 3), days('2024-01-01', 10))).toBeUndefined();
    expect(fault(days('2024-01-01', 3), days('2024-01-02', 1))).toBeUndefined();
    expect(fault(days('2024-01-03', 3), days('2024-01-02', 1))).toContain('INDEX has closes from');
  });

  it('is refused if it is between two bars of the run', () => {
    expect(fault(days('2024-01-10', 3), [day('2024-01-01'), day('2024-02-01'), day('2024-03-01')])).toContain(
      'INDEX has closes from 2024-01-10 to 2024-01-12, the run is from 2024-01-01 to 2024-03-01',
    );
  });

  it('with a single close is valid for four days', () => {
    expect(covered(days('2024-01-01', 1), 10)).toEqual({ from: 0, to: 4 });
  });
});

describe('a benchmark that is a symbol of the run', () => {
  const bar: BarValues = [10, 10, 10, 10, 1];
  const record = (bars: readonly boolean[], delisted?: number) =>
    runRecord({
      equity: bars.map(() => 100),
      dates: days('2024-01-01', bars.length).map((time) => new Date(time).toISOString().slice(0, 10)),
      symbols: ['A', 'B'],
      prices: bars.map((has) => [bar, has ? bar : null]),
      ...(delisted === undefined
        ? {}
        : { events: [{ type: 'delisted', bar: delisted, symbol: 'B', price: '1' }] }),
    });
  const coverage = (run: ReturnType<typeof record>, choice: Parameters<typeof coverageOf>[2]) =>
    coverageOf(run, equityColumns(run), choice);
  const bars = (text: string): boolean[] => [...text].map((mark) => mark === 'x');

  it('covers the bars from its first bar to five days after its last', () => {
    expect(coverage(record(bars('..xxx.......')), 'B')).toEqual({ from: 2, to: 9 });
  });

  it('covers all bars after its delisting, which pays it out', () => {
    expect(coverage(record(bars('..xxx.......'), 5), 'B')).toEqual({ from: 2, to: 11 });
    // The delisting of another symbol has no effect.
    const other = runRecord({
      equity: Array(12).fill(100),
      dates: days('2024-01-01', 12).map((time) => new Date(time).toISOString().slice(0, 10)),
      symbols: ['A', 'B'],
      prices: bars('..xxx.......').map((has) => [bar, has ? bar : null]),
      events: [{ type: 'delisted', bar: 5, symbol: 'A', price: '1' }],
    });
    expect(coverage(other, 'B')).toEqual({ from: 2, to: 9 });
  });

  it('is refused without a bar, or with a bar only at the very end', () => {
    expect(coverage(record(bars('....')), 'B')).toEqual({ reason: 'B has no bar in this run' });
    expect(coverage(record(bars('...x')), 'B')).toEqual({ reason: 'B has a single bar in this run' });
    expect(coverage(record(bars('x')), 'B')).toEqual({ from: 0, to: 0 });
  });

  it('covers the whole run if it consists of all symbols, bought by the metrics or the engine', () => {
    const run = record(bars('..x.........'));
    expect(coverage(run, undefined)).toEqual({ from: 0, to: 11 });
    expect(coverage(run, { name: 'all symbols', held: true, times: [], closes: [] })).toEqual({
      from: 0,
      to: 11,
    });
    expect(coverage(run, { name: 'B', held: true, times: [], closes: [] })).toEqual({ from: 2, to: 7 });
    const first = runRecord({
      equity: Array(4).fill(100),
      dates: days('2024-01-01', 4).map((time) => new Date(time).toISOString().slice(0, 10)),
      symbols: ['A', 'B'],
      prices: bars('.xxx').map((has) => [has ? bar : null, bar]),
    });
    expect(coverage(first, 'A')).toEqual({ from: 1, to: 3 });
    expect(coverage(run, { name: 'A', held: true, times: [], closes: [] })).toEqual({ from: 0, to: 11 });
  });
});

it('a benchmark covers only part of a run if the first or the last bar is missing', () => {
  expect(isCut({ from: 0, to: 9 }, 10)).toBe(false);
  expect(isCut({ from: 1, to: 9 }, 10)).toBe(true);
  expect(isCut({ from: 0, to: 8 }, 10)).toBe(true);
});
