import { describe, expect, it } from 'vitest';
import { businessDays, runRecord } from '../../../../test/support/records.ts';
import type { BarValues } from '../../../engine/index.ts';
import { createRandom, formatInstant } from '../../../kernel/index.ts';
import { equityColumns } from '../figures/equity.ts';
import { computeMetrics, type Metrics } from '../figures/metrics.ts';
import { buyAndHold } from './benchmark.ts';
import { type BenchmarkSeries, heldSeries, unitsBetween } from './benchmark-coverage.ts';

describe('a benchmark with longer or shorter bars than the run', () => {
  describe.each([
    ['at midnight', '00:00:00', 'start'],
    ['at the first trade', '14:00:00', 'start'],
    ['at midnight in New York', '05:00:00', 'start'],
    ['at the midnight that ends them', '24:00:00', 'end'],
  ] as const)(
    'of daily bars with timestamps at the %s, compared with hourly bars of the same prices',
    (_, clock, barTimes) => {
      // Seven hours per weekday, from 14:00.
      const random = createRandom(4, 'hours');
      const days = businessDays(60);
      const hours = days.flatMap((day) =>
        Array.from({ length: 7 }, (_, hour) => Date.parse(`${day}T${14 + hour}:00:00Z`)),
      );
      let price = 100;
      const bars = hours.map((): BarValues => {
        const open = price;
        price *= 1 + 0.005 * random.normal();
        return [open, Math.max(open, price), Math.min(open, price), price, 1];
      });
      const lastOf = (day: number): BarValues => bars[day * 7 + 6]!;
      const figures = (mark: 'open' | 'close'): Metrics =>
        computeMetrics(
          runRecord({
            cash: '100',
            equity: bars.map((bar) => bar[mark === 'open' ? 0 : 3]),
            dates: hours.map((hour) => formatInstant(barTimes === 'end' ? hour + 3_600_000 : hour)),
            settings: { mark, barTimes },
          }),
          {
            benchmark: {
              name: 'DAILY',
              times: days.map(
                (day) => Date.parse(`${day}T00:00:00Z`) + Number(clock.slice(0, 2)) * 3_600_000,
              ),
              opens: days.map((_, day) => bars[day * 7]![0]),
              closes: days.map((_, day) => lastOf(day)[3]),
            },
          },
        );

      it('is compared session by session', () => {
        const { correlation, beta, trackingError } = figures('close');
        expect([correlation.value, beta.value]).toEqual([expect.closeTo(1, 9), expect.closeTo(1, 9)]);
        expect(trackingError.value).toBeCloseTo(0, 9);
      });

      it('has its close at the last mark of the session if opens are marks', () => {
        // With `open`, the last mark of a session is the open of its last hour. The benchmark's close is one
        // hour later, so the correlation is below 1.
        expect(figures('open').correlation.value).toBeGreaterThan(0.8);
      });
    },
  );

  it('of four hours closes with its last hour, and of a week with its last day', () => {
    const hours = businessDays(30).flatMap((day) =>
      Array.from({ length: 7 }, (_, hour) => Date.parse(`${day}T${14 + hour}:00:00Z`)),
    );
    const closes = hours.map((_, hour) => 100 + 10 * Math.sin(hour) + hour / 10);
    const record = runRecord({
      cash: '100',
      equity: closes,
      dates: hours.map((hour) => formatInstant(hour)),
    });
    const fourHours = 4 * 3_600_000;
    const quarters = [...new Set(hours.map((hour) => Math.floor(hour / fourHours) * fourHours))];
    const closeOf = (from: number, length: number): number =>
      closes[hours.findLastIndex((hour) => hour >= from && hour < from + length)]!;
    const quarterly = {
      name: 'QUARTERS',
      times: quarters,
      closes: quarters.map((from) => closeOf(from, fourHours)),
    };
    expect(computeMetrics(record, { benchmark: quarterly }).correlation.value).toBeCloseTo(1, 9);
    const week = 7 * 86_400_000;
    const mondays = [0, 1, 2, 3, 4, 5].map((number) => Date.UTC(2024, 0, 1) + number * week);
    const weekly = { name: 'WEEKS', times: mondays, closes: mondays.map((from) => closeOf(from, week)) };
    const held = buyAndHold(record, equityColumns(record), weekly) as Float64Array;
    const [firstFriday, secondFriday] = [held[5 * 7 - 1]!, held[10 * 7 - 1]!];
    expect(secondFriday / firstFriday).toBeCloseTo(closes[10 * 7 - 1]! / closes[5 * 7 - 1]!, 9);
  });

  it('of hours has its first open of a daily run at that day if opens are marks', () => {
    const days = businessDays(3);
    const hours = days.flatMap((day) => [14, 15].map((hour) => Date.parse(`${day}T${hour}:00:00Z`)));
    const record = runRecord({
      cash: '100',
      equity: [100, 110, 120],
      dates: days,
      settings: { mark: 'open' },
    });
    const hourly = {
      name: 'HOURS',
      times: hours,
      opens: [10, 10, 11, 11, 12, 12],
      closes: [9, 9, 9, 9, 9, 9],
    };
    const held = buyAndHold(record, equityColumns(record), hourly) as Float64Array;
    expect([...held]).toEqual([Number.NaN, expect.closeTo(110, 9), expect.closeTo(120, 9)]);
  });
});

describe('the equity of a benchmark series', () => {
  const DAY = 86_400_000;
  const week = businessDays(5);
  const daily = week.map((date) => Date.parse(date));
  const quarters = daily.slice(0, 2).flatMap((day) => [0, 6, 12, 18].map((hour) => day + (hour * DAY) / 24));
  const [closes, opens] = [
    [10, 11, 12, 13, 14],
    [8, 16, 20, 24, 32],
  ];
  const held = (times: readonly number[], settings: object, series: Partial<BenchmarkSeries>): number[] => {
    const record = runRecord({
      cash: '100',
      equity: times.map(() => 100),
      dates: times.map((time) => formatInstant(time)),
      settings: { ...settings },
    });
    const whole = { name: 'X', times: daily, closes, ...series };
    return [...heldSeries(record, equityColumns(record), whole)].map(
      (value) => Math.round(value * 1e6) / 1e6,
    );
  };
  const wednesday = { evaluateFrom: week[2]! };
  const own = { held: true, times: daily, closes };

  it.each<[string, readonly number[], object, Partial<BenchmarkSeries>, readonly number[]]>([
    ['is bought at the first close', daily, {}, {}, [100, 110, 120, 130, 140]],
    [
      'is bought at the first open if opens are marks',
      daily,
      { mark: 'open' },
      { opens },
      [100, 200, 250, 300, 400],
    ],
    ['has the previous close without opens', daily, { mark: 'open' }, {}, [100, 100, 110, 120, 130]],
    ['is bought at the first evaluated open', daily, wednesday, { opens }, [100, 100, 60, 65, 70]],
    [
      'keeps its last close where a bar is missing',
      daily,
      {},
      { times: [daily[0]!, daily[1]!, daily[3]!], closes: [10, 11, 13] },
      [100, 110, 110, 130, 130],
    ],
    [
      'is cash before its first close',
      daily,
      {},
      { times: daily.slice(2), closes: [20, 30, 10] },
      [100, 100, 100, 150, 50],
    ],
    [
      'has its last close at the open of a missing bar and after its end',
      daily,
      { mark: 'open' },
      { times: [daily[0]!, daily[1]!, daily[3]!], opens: [8, 16, 24], closes: [10, 11, 13] },
      [100, 200, 137.5, 300, 162.5],
    ],
    [
      'is cash before its first open',
      daily,
      { mark: 'open' },
      { times: daily.slice(2), opens: [20, 30, 10], closes: [25, 25, 25] },
      [100, 100, 100, 150, 50],
    ],
    // During a session, the benchmark has its daily open. At the last bar of the session, it has its daily
    // close.
    [
      'has opens within a session',
      quarters,
      {},
      { opens: [10, 12, 14, 16, 18], closes: [11, 9, 1, 1, 1] },
      [100, 100, 100, 110, 120, 120, 120, 90],
    ],
    [
      'has the close at the last open of a session',
      quarters,
      { mark: 'open' },
      { opens: [10, 12, 14, 16, 18], closes: [11, 9, 1, 1, 1] },
      [100, 100, 100, 110, 120, 120, 120, 90],
    ],
    [
      'has the last hour of a day',
      daily.slice(0, 2),
      {},
      { times: quarters, closes: [1, 2, 3, 4, 5, 6, 7, 8] },
      [100, 200],
    ],
    ['has the equity of the run of the engine', daily, {}, own, [100, 110, 120, 130, 140]],
    [
      'has its opens if opens are marks',
      daily,
      { mark: 'open' },
      { ...own, opens },
      [100, 200, 250, 300, 400],
    ],
    ['has its closes for opens that are missing', daily, { mark: 'open' }, own, [100, 110, 120, 130, 140]],
    [
      'starts with the cash of the engine',
      daily,
      wednesday,
      { ...own, closes: [1, 1, 90, 80, 70] },
      [100, 100, 90, 80, 70],
    ],
    [
      'is cash before the values of the engine',
      daily,
      {},
      { ...own, times: daily.slice(3), closes: [5, 4] },
      [100, 100, 100, 100, 80],
    ],
    [
      'is cash before the values of the engine if the run has an evaluation date',
      daily,
      wednesday,
      { ...own, times: daily.slice(3), closes: [90, 80] },
      [100, 100, 100, 90, 80],
    ],
    [
      'keeps the last value of the engine',
      daily,
      {},
      { ...own, times: daily.slice(0, 2) },
      [100, 110, 110, 110, 110],
    ],
  ])('%s', (_, times, settings, series, expected) => {
    expect(held(times, settings, series)).toEqual(expected);
  });

  it('converts units by the splits after the first bar and up to the last', () => {
    const split = (symbol: string, bar: number, ratio: string) => ({
      type: 'split' as const,
      symbol,
      bar,
      ratio,
    });
    const splits = [split('A', 2, '3:1'), split('A', 5, '1:4'), split('B', 2, '7:1')];
    const units = unitsBetween({ splits } as unknown as Parameters<typeof unitsBetween>[0]);
    expect(units('A', 1, 2)).toBe(3);
    expect(units('A', 2, 4)).toBe(1);
    expect(units('A', 0, 9)).toBe(0.75);
    expect(units('C', 0, 9)).toBe(1);
    expect(units('B', 1, 2)).toBe(7);
    expect(units('A', 4, 5)).toBe(0.25);
  });
});
