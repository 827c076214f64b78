import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../../test/support/records.ts';
import type { Json } from '../../../engine/index.ts';
import { formatInstant } from '../../../kernel/index.ts';
import { equityColumns } from '../figures/equity.ts';
import { type BenchmarkSeries, heldSeries } from './benchmark-coverage.ts';

const HOUR = 3_600_000;
const MONDAY = Date.UTC(2024, 0, 1);
const at = (day: number, hour = 0): number => MONDAY + (24 * day + hour) * HOUR;
const daily = (hour: number, days = [0, 1, 2, 3]): number[] => days.map((day) => at(day, hour));

/** Returns the equity of the benchmark at each bar of a run with an initial cash of 100. */
function held(
  times: readonly number[],
  series: Omit<BenchmarkSeries, 'name'>,
  settings: Readonly<Record<string, Json>> = {},
): number[] {
  const record = runRecord({
    cash: '100',
    equity: times.map(() => 100),
    dates: times.map((time) => formatInstant(time)),
    settings,
  });
  return [...heldSeries(record, equityColumns(record), { name: 'X', ...series })].map(
    (value) => Math.round(value * 1e9) / 1e9,
  );
}

const opens = [20, 40, 60, 80];
const closes = [10, 15, 35, 5];

describe('a bar of a benchmark', () => {
  it('belongs to the bar of the run whose middle it contains', () => {
    // Each bar of the series begins at noon, which is the middle of a daily bar of the run.
    expect(held(daily(0), { times: daily(12), opens, closes })).toEqual([100, 150, 350, 50]);
    // Bars that begin a second later contain the middle of the next day of the run. During their first day,
    // only their open is known.
    const later = daily(12).map((time) => time + 1000);
    expect(held(daily(0), { times: later, opens, closes })).toEqual([100, 200, 300, 400]);
  });

  it('does not belong to a bar of the run whose middle is its end', () => {
    const days = [0, 1, 3];
    const series = { times: daily(12, days), opens: [20, 40, 80], closes: [10, 15, 5] };
    expect(held(daily(0), series)).toEqual([100, 150, 150, 50]);
  });

  it('belongs to the session whose middle it contains', () => {
    // Sessions from 14:00 to 21:00 have their middle at 17:30, after the series begins at 17:00.
    const hours = [0, 1, 2].flatMap((day) => [14, 15, 16, 17, 18, 19, 20].map((hour) => at(day, hour)));
    const found = held(hours, {
      times: daily(17, [0, 1, 2]),
      opens: opens.slice(0, 3),
      closes: closes.slice(0, 3),
    });
    // The benchmark is bought at the first open, 20.
    expect([found[2], found[3], found[6], found[13], found[20]]).toEqual([100, 100, 50, 75, 175]);
  });

  it('of the same length counts with its open while it is incomplete', () => {
    const series = {
      times: [at(0, 14.5), at(0, 15.5), at(0, 16.5)],
      opens: [10, 20, 30],
      closes: [12, 25, 33],
    };
    expect(held([at(0, 14), at(0, 15), at(0, 16)], series)).toEqual([100, 200, 300]);
  });
});

describe('a benchmark of a run with end times', () => {
  const ends = { barTimes: 'end' };

  it('has the close of a bar at the time of the bar', () => {
    expect(held(daily(0), { times: daily(0), opens, closes }, ends)).toEqual([100, 150, 350, 50]);
    expect(held(daily(0), { times: daily(0, [1, 2, 3]), closes: [12, 24, 36] }, ends)).toEqual([
      100, 100, 200, 300,
    ]);
  });

  it('may have a single close', () => {
    expect(held(daily(0), { times: [at(1)], closes: [12] }, ends)).toEqual([100, 100, 100, 100]);
  });
});

describe('a benchmark of a part of a run', () => {
  it('is bought at the first evaluated bar of the part', () => {
    const whole = runRecord({
      cash: '100',
      equity: [1, 1, 1, 1],
      dates: daily(0).map((time) => formatInstant(time)),
      settings: { evaluateFrom: '2024-01-03' },
    });
    const series = { name: 'X', times: daily(0), opens, closes };
    const values = [0, 1, 2].map((from) => {
      const part = { ...whole, bars: whole.bars.slice(from) };
      return [...heldSeries(part, equityColumns(part), series)];
    });
    // The benchmark is bought at the open of 60.
    const later = [3500 / 60, 500 / 60].map((value) => expect.closeTo(value, 9));
    expect(values).toEqual([[100, 100, ...later], [100, ...later], later]);
  });

  it('of a single bar has the close of the series', () => {
    expect(held([at(2)], { times: daily(0), opens, closes })).toEqual([100]);
    expect(held([at(2)], { times: daily(0), opens, closes }, { evaluateFrom: '2024-01-03' })).toEqual([
      58.333333333,
    ]);
  });
});
