import { describe, expect, it } from 'vitest';
import { DAY, decimal } from '../../../kernel/index.ts';
import { sessionTerms } from '../../../market/index.ts';
import type { EquityColumns } from './equity.ts';
import { sessionsOf } from './sessions.ts';

const HOUR = DAY / 24;
const MONDAY = Date.UTC(2024, 0, 1);
const XNYS = sessionTerms(undefined, 'XNYS', undefined)!;

function columns(times: readonly number[], more: Partial<EquityColumns> = {}): EquityColumns {
  return {
    initialCash: decimal('50'),
    startsBefore: true,
    times: Float64Array.from(times),
    equity: Float64Array.from(times, (_, bar) => 100 + bar),
    ...more,
  };
}

/** Returns times at equal distances. */
const every = (gap: number, count: number, from = MONDAY) =>
  Array.from({ length: count }, (_, bar) => from + bar * gap);
const days = (count: number) => every(DAY, count);
const weekday = (time: number) => new Date(time).getUTCDay();
/** Returns 50 days, of which `count` are weekend days. */
const withWeekendDays = (count: number) => {
  const isWeekend = (time: number) => weekday(time) % 6 === 0;
  const weekdays = days(100).filter((time) => !isWeekend(time));
  return [...weekdays.slice(0, 50 - count), ...days(100).filter(isWeekend).slice(0, count)].sort();
};

describe('the unit of sessions', () => {
  it.each([
    ['bar', every(23 * HOUR, 3), {}],
    ['day', every(23 * HOUR - 1, 3), {}],
    ['session', every(HOUR, 3), { session: XNYS }],
    ['bar', every(DAY, 3), { session: XNYS }],
    // The distances between these three bars are one hour and almost three days. The shorter distance counts
    // as their median.
    ['day', [MONDAY, MONDAY + HOUR, MONDAY + 3 * DAY], {}],
    ['bar', [MONDAY, MONDAY + 2 * DAY, MONDAY + 4 * DAY, MONDAY + 4 * DAY + HOUR], {}],
    ['bar', [MONDAY], {}],
  ] as const)('is a %s', (unit, times, more) => {
    expect(sessionsOf(columns(times, more)).unit).toBe(unit);
  });
});

describe('sessions', () => {
  it('end with the last bar before midnight', () => {
    const { start, equity, dates, lastBars } = sessionsOf(columns(every(6 * HOUR, 9)));
    expect({ start, equity, dates, lastBars }).toEqual({
      start: 50,
      equity: [103, 107, 108],
      dates: ['2024-01-01T18:00:00', '2024-01-02T18:00:00', '2024-01-03'],
      lastBars: [3, 7, 8],
    });
    expect(sessionsOf(columns(every(6 * HOUR, 9), { startsBefore: false })).start).toBeUndefined();
  });

  it('end with the bar at midnight if bars have end timestamps, and have the earlier date', () => {
    const { dates, lastBars } = sessionsOf(
      columns(every(6 * HOUR, 9, MONDAY + 6 * HOUR), { barTimes: 'end' }),
    );
    expect({ dates, lastBars }).toEqual({
      dates: ['2024-01-01', '2024-01-02', '2024-01-03T06:00:00'],
      lastBars: [3, 7, 8],
    });
  });

  it('of daily bars have the date of the bar, even with end timestamps', () => {
    const { dates, lastBars } = sessionsOf(columns(days(3), { barTimes: 'end' }));
    expect(dates).toEqual(['2024-01-01', '2024-01-02', '2024-01-03']);
    expect(lastBars).toEqual([0, 1, 2]);
    const empty = sessionsOf(columns([], { startsBefore: false }));
    expect(empty).toMatchObject({ unit: 'bar', start: undefined, equity: [], dates: [], lastBars: [] });
  });

  it('of a calendar have the date of their last bar, even at midnight', () => {
    // New York is closed at midnight UTC, so the bar at midnight belongs to the next session.
    const times = every(6 * HOUR, 3, MONDAY + DAY + 12 * HOUR);
    expect(sessionsOf(columns(times, { session: XNYS, barTimes: 'end' })).dates).toEqual([
      '2024-01-02T18:00:00',
      '2024-01-03',
    ]);
  });

  it('are shared only by columns with equal times, timestamps and calendars', () => {
    const first = columns(every(12 * HOUR, 6, MONDAY + 12 * HOUR));
    expect(sessionsOf(first)).toBe(sessionsOf(first));
    const lastBars = (more: Partial<EquityColumns>) => sessionsOf({ ...first, ...more }).lastBars;
    expect(lastBars({})).toBe(sessionsOf(first).lastBars);
    expect(lastBars({ barTimes: 'end' })).toEqual([1, 3, 5]);
    expect(lastBars({})).toEqual([0, 2, 4, 5]);
    expect(sessionsOf({ ...first, session: XNYS }).unit).toBe('session');
  });
});

describe('sessions per year', () => {
  const perYear = (times: readonly number[], more: Partial<EquityColumns> = {}) => {
    const { periodsPerYear, periodsInWords } = sessionsOf(columns(times, more));
    return [periodsPerYear, periodsInWords];
  };
  const usual = 'the usual number, for under half a year of data';

  it('are counted if there is at least half a year of data', () => {
    // The 4,383 hours are half of 365.25 days. They are in 183 days, because the last day is incomplete.
    expect(perYear(every(HOUR, 4383))).toEqual([366, 'counted: 183 sessions in 0.50 years']);
    expect(perYear(every(HOUR, 4382))).toEqual([365, usual]);
    // 1,461 days are four years.
    expect(perYear(days(1461))).toEqual([365.25, 'counted: 1,461 sessions in 4.00 years']);
  });

  it.each([
    [1.5, 244],
    [3, 122],
    [7, 52],
    [7.7, 52],
    [7.8, 52],
    [8, 46],
    [10, 37],
    [14, 26],
    [30, 12],
    [61, 6],
    [91, 4],
  ])('are the usual number for bars %d days apart: %d', (gap, expected) => {
    expect(perYear(every(gap * DAY, 2))).toEqual([expected, usual]);
  });

  it('use the mean distance of bars for the usual number', () => {
    expect(perYear([0, 6, 14, 20, 28].map((day) => MONDAY + day * DAY))).toEqual([52, usual]);
  });

  it.each([
    ['no bar', [], 252],
    ['a Monday', days(1), 252],
    ['a Saturday', [MONDAY + 5 * DAY], 365],
    ['all days', days(14), 365],
    ['weekdays', days(14).filter((time) => weekday(time) % 6 !== 0), 252],
    ['no Saturday', days(14).filter((time) => weekday(time) !== 6), 252],
    // Sunday, Monday and Tuesday of three weeks: a third of these days are Sundays.
    ['few days without Saturday', days(21).filter((time) => weekday(time) < 3), 252],
    // The limit is 22 % of the days: 11 of 50 days are not above it, 12 of 50 days are.
    ['22 % weekends', withWeekendDays(11), 252],
    ['24 % weekends', withWeekendDays(12), 365],
  ] as const)('are 365 if weekends are traded: %s', (_, times, expected) => {
    expect(perYear(times)).toEqual([expected, usual]);
  });

  it('are the usual number for a calendar without bars', () => {
    expect(perYear([], { session: XNYS })).toEqual([252, usual]);
    expect(perYear(days(1), { session: XNYS })).toEqual([252, 'by the calendar XNYS: its sessions in 2024']);
  });

  it('follow the calendar for daily and shorter bars', () => {
    const sessions = (count: number, from: number) =>
      every(DAY, count, from).filter((time) => weekday(time) % 6 !== 0);
    // 250 sessions in 2023 and 252 in 2024.
    expect(perYear(sessions(20, Date.UTC(2023, 11, 20)), { session: XNYS })).toEqual([
      251,
      'by the calendar XNYS: its sessions in a year from 2023 to 2024',
    ]);
    expect(perYear(every(6 * HOUR, 20, Date.UTC(2023, 5, 1)), { session: XNYS })).toEqual([
      250,
      'by the calendar XNYS: its sessions in 2023',
    ]);
    // From Tuesday, 2 January 2024, to 1 January 2025, including the last day: 366 days with 252 sessions.
    const [count, words] = perYear(sessions(367, MONDAY).slice(1), { session: XNYS });
    expect(count).toBeCloseTo(252 / (366 / 365.25), 9);
    expect(words).toBe('by the calendar XNYS: 252 sessions in 1.00 years');
    expect(perYear(every(1.5 * DAY, 4), { session: XNYS })[0]).toBe(244);
  });
});
