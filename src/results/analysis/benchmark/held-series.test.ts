import { describe, expect, it } from 'vitest';
import { businessDays, runRecord } from '../../../../test/support/records.ts';
import type { BarValues } from '../../../engine/index.ts';
import { createRandom, formatInstant } from '../../../kernel/index.ts';
import { equityColumns } from '../figures/equity.ts';
import { computeMetrics, type Metrics } from '../figures/metrics.ts';
import { buyAndHold } from './benchmark.ts';

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
        // The last open is an hour before the close.
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
