import { describe, expect, it } from 'vitest';
import { DAY, formatInstant } from '../../kernel/index.ts';
import type { CorporateAction } from '../actions/corporate-action.ts';
import { type Bar, type BarSeries, barSeries } from '../bars/bar-columns.ts';
import { tradingCalendar } from '../calendar/calendar.ts';
import { calendarReport, reportOn } from './check.ts';
import { looksAdjusted, missingDays, sessionShape } from './suspicions.ts';

/** 2024-01-01, a Monday. */
const START = Date.UTC(2024, 0, 1);
const HOUR = DAY / 24;
const date = (day: number) => formatInstant(START + day * DAY);

/**
 * Creates daily bars.
 *
 * @param days days after `START`, one bar per day
 * @param changes values that replace the default values, by index of the bar
 */
function series(
  days: readonly number[],
  changes: Readonly<Record<number, Partial<Bar>>> = {},
  symbol = 'A',
): BarSeries {
  return barSeries(
    symbol,
    days.map((day, bar) => {
      const close = changes[bar]?.close ?? 10 + (bar % 2);
      return {
        time: START + day * DAY,
        open: close,
        high: close,
        low: close,
        close,
        volume: 1,
        ...changes[bar],
      };
    }),
  );
}
const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const workdays = (count: number) => range(count).filter((day) => day % 7 < 5);

describe('a report on a series', () => {
  it('has nothing to state about regular daily bars', () => {
    expect(reportOn(series(workdays(12)))).toEqual({
      ...{ symbol: 'A', bars: 10, firstBar: date(0), lastBar: date(11), interval: '1d' },
      ...{ gapsInDays: 0, shortSteps: 0, stubSessions: [], medianSpacing: DAY, weekendBars: 0 },
      largestGap: { from: date(4), to: date(7), milliseconds: 3 * DAY },
      missingWeekdays: 0,
      warnings: [],
    });
    expect(reportOn(series([2]))).toMatchObject({
      ...{ bars: 1, interval: null, medianSpacing: null, largestGap: null, missingWeekdays: 0, warnings: [] },
    });
  });

  it('counts bars on weekends, and weekdays without a bar', () => {
    const found = reportOn(series([0, 1, 4, 5, 6, 7, 8, 9]));
    expect(found).toMatchObject({ weekendBars: 2, missingWeekdays: 2, warnings: [] });
    expect(found.largestGap).toMatchObject({ from: date(1), to: date(4) });
    expect(reportOn(series([0, 3, 4, 5, 6, 7, 10]))).toMatchObject({
      ...{ missingWeekdays: 4, largestGap: { from: date(0), to: date(3), milliseconds: 3 * DAY } },
    });
    // Weekly bars have no bar on most weekdays. These weekdays do not count as missing.
    expect(reportOn(series([0, 7, 14, 21]))).toMatchObject({ missingWeekdays: 0, medianSpacing: 7 * DAY });
  });

  it('warns of few bars on weekends', () => {
    const weekend = '1 bars fall on a weekend, the others do not';
    // The warning requires that fewer than one bar in twenty is on a weekend. Here it is one of 21, then one
    // of 20.
    expect(reportOn(series([...workdays(26), 26])).warnings).toEqual([weekend]);
    expect(reportOn(series([...workdays(25), 26])).warnings).toEqual([]);
  });

  it('warns of moves above 50 %, but not of 50 %', () => {
    const closes = [10, 15, 7.5, 7.5, 12, 5, 8].map((close, bar) => [bar, { close }] as const);
    expect(reportOn(series(range(7), Object.fromEntries(closes))).warnings).toEqual([
      `3 × the close moves more than 50 % (a split that is not adjusted for?): ${date(4)} (60.0 %), ${date(5)} (-58.3 %), ${date(6)} (60.0 %)`,
    ]);
  });

  it('warns of bars without volume, and shows the first five', () => {
    const none = (count: number) => Object.fromEntries(range(count).map((bar) => [bar + 1, { volume: 0 }]));
    const dates = range(5)
      .map((bar) => date(bar + 1))
      .join(', ');
    expect(reportOn(series(range(8), none(5))).warnings).toEqual([
      `5 × no volume (no order fills in these bars): ${dates}`,
    ]);
    expect(reportOn(series(range(8), none(6))).warnings).toEqual([
      `6 × no volume (no order fills in these bars): ${dates}, …`,
    ]);
  });

  it('warns of ten equal closes, once for each row of them', () => {
    const equal = (from: number, count: number) =>
      range(count).map((bar) => [from + bar, { close: 9 }] as const);
    expect(reportOn(series(range(14), Object.fromEntries(equal(2, 9)))).warnings).toEqual([]);
    expect(reportOn(series(range(14), Object.fromEntries(equal(2, 12)))).warnings).toEqual([
      `1 × at least 10 closes in a row are equal, from: ${date(2)}`,
    ]);
    expect(reportOn(series(range(10), Object.fromEntries(equal(0, 10)))).warnings).toEqual([
      `1 × at least 10 closes in a row are equal, from: ${date(0)}`,
    ]);
  });

  it('warns of a gap above ten usual distances and five days', () => {
    const withGap = (gap: number) => reportOn(series([...range(5), 4 + gap, 5 + gap])).warnings;
    expect(withGap(10)).toEqual([]);
    expect(withGap(11)).toEqual([`no bar between ${date(4)} and ${date(15)}`]);
    const hourly = (gap: number) =>
      reportOn(series([...range(9).map((hour) => hour / 24), 8 / 24 + gap])).warnings;
    expect(hourly(5)).toEqual([]);
    expect(hourly(6)).toHaveLength(1);
  });

  it('counts irregular steps and short days of bars within a day', () => {
    // Monday and Tuesday with four hours each, Wednesday with one, Thursday with a missing hour and a step of
    // half an hour.
    const hours = [0, 1, 2, 3, 24, 25, 26, 27, 48, 72, 73, 75, 75.5];
    const found = reportOn(series(hours.map((hour) => hour / 24)));
    expect(found).toMatchObject({
      ...{ interval: '1h', missingWeekdays: 0, gapsInDays: 1, shortSteps: 1, medianSpacing: HOUR },
      stubSessions: [{ weekday: 'Wednesdays', sessions: 1 }],
    });
    expect(found.warnings).toEqual([
      expect.stringMatching(/^1 × a bar comes less than .* after the one before: a stub of a session/),
    ]);
  });

  it('warns of monthly bars at the ends of months', () => {
    const months = (days: readonly number[]) =>
      reportOn(series(days.map((day, month) => (Date.UTC(2024, month, day) - START) / DAY))).warnings;
    expect(months([31, 29, 29, 30, 31, 28])).toEqual([expect.stringContaining('--bar-times end')]);
    expect(months([1, 1, 1, 1, 1, 1])).toEqual([]);
  });
});

describe('the shape of sessions', () => {
  it('is regular for equal steps, and unknown without an interval', () => {
    const none = { gapsInDays: 0, shortSteps: 0, stubSessions: [], onLastDays: false };
    const day = { milliseconds: DAY } as Parameters<typeof sessionShape>[1];
    expect(sessionShape(Float64Array.of(0, 5, 9), undefined)).toEqual(none);
    expect(sessionShape(Float64Array.of(0, 0.8 * DAY, 1.8 * DAY, 3.8 * DAY), day)).toEqual(none);
    expect(sessionShape(Float64Array.of(0, 0.79 * DAY), day)).toMatchObject({ shortSteps: 1 });
    const hour = { milliseconds: HOUR } as Parameters<typeof sessionShape>[1];
    expect(sessionShape(Float64Array.of(0, 1.5 * HOUR), hour)).toMatchObject({ gapsInDays: 0 });
    expect(sessionShape(Float64Array.of(0, 1.6 * HOUR), hour)).toMatchObject({ gapsInDays: 1 });
  });

  it('needs nine of ten monthly bars within four days of the end of a month', () => {
    const month = { months: 1, milliseconds: 30 * DAY } as Parameters<typeof sessionShape>[1];
    const late = (days: readonly number[]) =>
      sessionShape(
        Float64Array.from(days, (day, at) => Date.UTC(2023, at, day)),
        month,
      ).onLastDays;
    expect(late([31, 28, 31, 30, 31, 30, 31, 31, 30, 15])).toBe(true);
    expect(late([31, 28, 31, 30, 31, 30, 31, 31, 15, 15])).toBe(false);
    expect(late([28, 25])).toBe(true);
    expect(late([27, 24])).toBe(false);
    expect(late([31])).toBe(false);
  });
});

describe('days without a bar', () => {
  it('are grouped by the symbols that lack them, the most days first', () => {
    const all = [
      series([0, 1, 2, 3, 4, 5, 6], {}, 'C'),
      series([0, 3, 5, 6], {}, 'B'),
      series([1, 3, 5], {}, 'A'),
      series([0, 1, 2, 4, 6], {}, 'D'),
    ];
    expect(missingDays(all)).toEqual([
      { symbols: ['A', 'B'], others: 2, days: [date(2), date(4)] },
      { symbols: ['D'], others: 3, days: [date(3), date(5)] },
      // A has no bar on this day either. The day is before the first bar of A, so it does not count as
      // missing.
      { symbols: ['B'], others: 3, days: [date(1)] },
    ]);
    expect(missingDays(all.slice(0, 1))).toEqual([]);
  });

  it('have the smallest number of symbols with a bar', () => {
    const all = [series([0, 1, 2, 3], {}, 'A'), series([0, 1], {}, 'B'), series([0, 3], {}, 'C')];
    expect(missingDays(all)).toEqual([{ symbols: ['C'], others: 1, days: [date(1), date(2)] }]);
  });
});

describe('prices that are adjusted for a split', () => {
  const split = (changes: Partial<CorporateAction> = {}) =>
    ({
      kind: 'split',
      symbol: 'A',
      time: START + 2 * DAY,
      from: '1',
      to: '2',
      ...changes,
    }) as CorporateAction;
  const found = (open: number, ...actions: readonly CorporateAction[]) =>
    looksAdjusted(series(range(4), { 1: { close: 100 }, 2: { open, high: 200, low: 1 } }), actions);

  it('do not jump: they are nearer to the previous close than to the expected price', () => {
    expect(found(100, split())).toEqual([`the 2:1 split of ${date(2)}`]);
    expect(found(71, split())).toHaveLength(1);
    expect(found(70, split())).toEqual([]);
    expect(found(50, split())).toEqual([]);
    expect(found(100, split({ from: '2', to: '1' } as object))).toHaveLength(1);
    expect(found(200, split({ from: '2', to: '1' } as object))).toEqual([]);
  });

  it('are not judged for other actions, other symbols and days without a price before', () => {
    expect(found(100, split({ kind: 'dividend' } as object), split({ symbol: 'B' }))).toEqual([]);
    expect(found(100, split({ time: START }), split({ time: START + 9 * DAY }))).toEqual([]);
    expect(found(100, split({ time: START + 1.5 * DAY }))).toHaveLength(1);
  });
});

describe('a comparison with a calendar', () => {
  it('uses dates of daily bars, and the time zone of the calendar for shorter bars', () => {
    const xnys = tradingCalendar('XNYS');
    // 1 January is a holiday. Bars of 5 January are missing.
    const daily = calendarReport(series([0, 1, 2, 3, 7]), xnys);
    expect(daily).toMatchObject({ sessions: 5, missing: [date(4)], closed: [date(0)] });
    // 01:00 UTC on Tuesday is Monday evening in New York, and Tuesday in a calendar without a zone.
    const night = series([25, 26, 27, 28].map((hour) => hour / 24));
    expect(calendarReport(night, xnys)).toMatchObject({ sessions: 0, closed: [date(0)] });
    const own = tradingCalendar({ name: 'own.csv', closed: [date(0)], early: {} });
    expect(calendarReport(night, own).closed).toEqual([]);
    expect(calendarReport(night, own, 'America/New_York').closed).toEqual([date(0)]);
    // In an overnight session, an evening belongs to the next day.
    const overnight = { opens: 18 * 60, closes: 17 * 60 };
    expect(calendarReport(night, own, 'America/New_York', overnight).closed).toEqual([]);
  });
});
