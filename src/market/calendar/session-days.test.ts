import { describe, expect, it } from 'vitest';
import { DAY, type Instant } from '../../kernel/index.ts';
import {
  isSessionText,
  SessionAuctions,
  SessionDays,
  sessionSchema,
  sessionsOf,
  sessionTerms,
  tradingDays,
} from './session.ts';

const HOUR = 3_600_000;
const at = (text: string): Instant => Date.parse(`${text}Z`);
const dayOf = (date: string): number => Date.parse(date) / DAY;
const newYork = sessionTerms(undefined, 'XNYS', undefined)!;
const hourly = { milliseconds: HOUR };
const issuesOf = (given: unknown): string[] =>
  (sessionSchema.safeParse(given).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

describe('the terms of sessions', () => {
  it('are a whole day in UTC by default', () => {
    expect(sessionSchema.parse({})).toEqual({ hours: '00:00-24:00', timezone: 'UTC' });
    const calendar = { name: 'days.csv', closed: [], early: {} };
    expect(sessionTerms(undefined, calendar, undefined)).toEqual({
      hours: '00:00-24:00',
      timezone: 'UTC',
      calendar,
    });
    expect(sessionTerms(undefined, calendar, 'Asia/Tokyo')?.timezone).toBe('Asia/Tokyo');
    expect(sessionTerms('09:30-16:00', undefined, undefined)).toEqual({
      hours: '09:30-16:00',
      timezone: 'UTC',
    });
    expect(newYork).toEqual({ hours: '09:30-16:00', timezone: 'America/New_York', calendar: 'XNYS' });
  });

  it('are refused with unreadable hours, zones and calendars', () => {
    expect(issuesOf({ hours: '9-16' })).toEqual(['hours: must be hours such as 09:30-16:00']);
    expect(issuesOf({ timezone: 'Mars' })).toEqual([
      'timezone: must be a time zone such as America/New_York',
    ]);
    expect([isSessionText('09:30-16:00'), isSessionText('9-16')]).toEqual([true, false]);
    const file = (closed: string[], early: Record<string, string>) => ({
      calendar: { name: 'days.csv', closed, early },
    });
    expect(issuesOf(file(['2024-12-25'], { '2024-12-24': '13:00', '2024-12-27': '00:01' }))).toEqual([]);
    for (const wrong of [
      file(['2024-02-30'], {}),
      file(['25.12.2024'], {}),
      file(['2024-12-25T00:00'], {}),
      file([], { '2024-12-24': '00:00' }),
      file([], { '2024-12-24': 'noon' }),
      file([], { '24-12-24': '13:00' }),
      { calendar: 'XNYE' },
    ])
      expect(sessionSchema.safeParse(wrong).success).toBe(false);
    expect(sessionSchema.safeParse({ auctionBars: { opens: [0], closes: [6] } }).success).toBe(true);
    expect(sessionSchema.safeParse({ auctionBars: null }).success).toBe(true);
    expect(sessionSchema.safeParse({ auctionBars: { opens: [-1], closes: [] } }).success).toBe(false);
    expect(sessionSchema.safeParse({ auctionBars: { opens: [], closes: [-1] } }).success).toBe(false);
  });
});

describe('the session of a bar', () => {
  it('includes its close only with end timestamps', () => {
    const start = new SessionDays(newYork, 'start');
    const end = new SessionDays(newYork, 'end');
    // Friday 2020-03-06, 16:00 in New York. The next session is Monday.
    const close = at('2020-03-06T21:00');
    const days = (of: SessionDays) => [close - 1, close, close + 1].map((time) => of.dayOf(time));
    const [friday, monday] = [dayOf('2020-03-06'), dayOf('2020-03-09')];
    expect(days(start)).toEqual([friday, monday, monday]);
    expect(days(end)).toEqual([friday, friday, monday]);
    expect([start.lastOf(friday), end.lastOf(friday)]).toEqual([close - 1, close - 1]);
  });

  it('has its open, its close and the date of the next session', () => {
    const days = new SessionDays(newYork, 'start');
    expect(days.sessionOf(at('2019-11-29T15:00'))).toEqual({
      day: dayOf('2019-11-29'),
      opens: at('2019-11-29T14:30'),
      closes: at('2019-11-29T18:00'),
      next: dayOf('2019-12-02'),
    });
    expect(days.sessionOf(at('2019-11-29T18:00'))).toMatchObject({ day: dayOf('2019-12-02') });
    expect(days.calendarName).toBe('XNYS');
    expect(
      new SessionDays(sessionTerms('09:30-16:00', undefined, 'UTC')!, 'start').calendarName,
    ).toBeUndefined();
  });

  it('ends with the hours if the calendar lists a later close', () => {
    const calendar = {
      name: 'days.csv',
      closed: [],
      early: { '2024-03-05': '17:00', '2024-03-06': '12:00' },
    };
    const days = new SessionDays(sessionTerms('09:00-16:00', calendar, 'UTC')!, 'start');
    expect(days.sessionOf(at('2024-03-05T10:00')).closes).toBe(at('2024-03-05T16:00'));
    expect(days.sessionOf(at('2024-03-06T10:00')).closes).toBe(at('2024-03-06T12:00'));
  });

  it('opens on the day before with overnight hours', () => {
    const days = new SessionDays(sessionTerms('18:00-17:00', undefined, 'UTC')!, 'start');
    const tuesday = {
      day: dayOf('2024-03-05'),
      opens: at('2024-03-04T18:00'),
      closes: at('2024-03-05T17:00'),
      next: dayOf('2024-03-06'),
    };
    for (const time of ['2024-03-04T17:00', '2024-03-04T18:00', '2024-03-05T16:59'])
      expect(days.sessionOf(at(time))).toEqual(tuesday);
    expect(days.sessionOf(at('2024-03-05T17:00')).day).toBe(dayOf('2024-03-06'));
  });

  it('opens an hour later if a clock change skips its open, and has no close if it skips the close', () => {
    // In Berlin, clocks change from 02:00 to 03:00 on 2020-03-29, at 01:00 UTC.
    const opening = new SessionDays(sessionTerms('02:30-10:00', undefined, 'Europe/Berlin')!, 'start');
    expect(opening.sessionOf(at('2020-03-29T04:00'))).toMatchObject({ opens: at('2020-03-29T01:30') });
    const closing = new SessionDays(sessionTerms('22:00-02:30', undefined, 'Europe/Berlin')!, 'start');
    expect(closing.sessionOf(at('2020-03-28T23:00'))).toEqual({
      day: dayOf('2020-03-29'),
      opens: at('2020-03-28T21:00'),
      closes: Number.POSITIVE_INFINITY,
      next: dayOf('2020-03-30'),
    });
    expect(closing.lastOf(dayOf('2020-03-29'))).toBe(Number.NEGATIVE_INFINITY);
  });

  it('of a daily bar is its UTC date, or the next session if the exchange is closed', () => {
    const start = new SessionDays(newYork, 'start');
    expect(start.sessionOn(at('2020-04-10T00:00'))).toEqual({
      day: dayOf('2020-04-13'),
      opens: at('2020-04-13T00:00'),
      closes: at('2020-04-14T00:00'),
      next: dayOf('2020-04-14'),
    });
    expect(start.sessionOn(at('2020-04-09T00:00'))).toMatchObject({
      day: dayOf('2020-04-09'),
      next: dayOf('2020-04-13'),
    });
    const end = new SessionDays(newYork, 'end');
    expect([end, start].map((days) => days.dateOf(at('2020-04-09T00:00')))).toEqual([
      dayOf('2020-04-08'),
      dayOf('2020-04-09'),
    ]);
  });

  it('is counted between two days, both included', () => {
    const days = new SessionDays(newYork, 'start');
    const count = (first: string, last: string): number => days.countBetween(dayOf(first), dayOf(last));
    expect(count('2020-04-09', '2020-04-13')).toBe(2);
    expect(count('2020-04-10', '2020-04-12')).toBe(0);
    expect(count('2020-04-09', '2020-04-09')).toBe(1);
    expect(count('2020-04-13', '2020-04-09')).toBe(0);
    const always = new SessionDays(sessionTerms('09:30-16:00', undefined, 'UTC')!, 'start');
    expect(always.countBetween(dayOf('2020-04-09'), dayOf('2020-04-13'))).toBe(5);
  });

  it('is up to 59 days later, or the day of the bar if the calendar is closed for 60 days', () => {
    const closed = (count: number): string[] =>
      Array.from({ length: count }, (_, day) =>
        new Date(at('2024-03-04T00:00') + day * DAY).toISOString().slice(0, 10),
      );
    const next = (count: number): number => {
      const calendar = { name: 'days.csv', closed: closed(count), early: {} };
      const days = new SessionDays(sessionTerms('09:30-16:00', calendar, 'UTC')!, 'start');
      return days.dayOf(at('2024-03-04T10:00')) - dayOf('2024-03-04');
    };
    // 2024-05-02, a Thursday, is 59 days after 2024-03-04.
    expect([next(58), next(59), next(60)]).toEqual([58, 59, 0]);
  });
});

describe('the sessions of bars', () => {
  const terms = sessionTerms('09:30-16:00', undefined, 'UTC')!;
  it('exist for bars of up to a day, and for daily bars only with a calendar', () => {
    const exist = (given: typeof terms | undefined, milliseconds: number | undefined): boolean =>
      sessionsOf(given, 'start', milliseconds === undefined ? undefined : { milliseconds }) !== undefined;
    expect([HOUR, DAY - 1, DAY, DAY + 1, undefined].map((length) => exist(terms, length))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect([HOUR, DAY, DAY + 1].map((length) => exist(newYork, length))).toEqual([true, true, false]);
    expect(exist(undefined, HOUR)).toBe(false);
  });

  it('are found for times in any order, and include their close only with end timestamps', () => {
    const day = dayOf('2024-03-05');
    const times = ['10:00', '15:59', '16:00', '10:00', '09:00', '16:01'].map((time) =>
      at(`2024-03-05T${time}`),
    );
    const found = (barTimes: 'start' | 'end'): number[] => {
      const sessions = sessionsOf(terms, barTimes, hourly)!;
      return times.map((time) => sessions.of(time).day - day);
    };
    expect(found('start')).toEqual([0, 0, 1, 0, 0, 1]);
    expect(found('end')).toEqual([0, 0, 0, 0, 0, 1]);
    expect([sessionsOf(terms, 'start', hourly)!.early, sessionsOf(terms, 'end', hourly)!.early]).toEqual([
      0, 1,
    ]);
  });

  it('are UTC days for daily bars, and sessions for shorter bars', () => {
    const dayAt = (milliseconds: number | undefined, given: typeof terms | undefined = terms): number =>
      tradingDays(given, 'start', milliseconds === undefined ? undefined : { milliseconds }).dayOf(
        at('1970-01-02T20:00'),
      );
    expect([dayAt(HOUR), dayAt(DAY - 1), dayAt(DAY), dayAt(undefined)]).toEqual([2, 2, 1, 1]);
    expect(tradingDays(undefined, 'start', hourly).dayOf(at('1970-01-02T20:00'))).toBe(1);
    expect(tradingDays(undefined, 'end', hourly).dayOf(at('1970-01-02T00:00'))).toBe(0);
    expect(tradingDays(undefined, undefined, hourly).dayOf(at('1970-01-02T00:00'))).toBe(1);
  });
});

describe('the auctions of sessions', () => {
  const clockOf = (first: string, step: number, bars: number): Instant[] =>
    Array.from({ length: bars }, (_, bar) => at(first) + bar * step);
  const terms = sessionTerms('09:30-16:00', undefined, 'UTC')!;

  it('are listed as numbers of bars', () => {
    const shape = { interval: hourly, barTimes: 'start' as const };
    // Bars from 09:00, one per hour, over two days.
    const clock = clockOf('2024-03-05T09:00', HOUR, 32);
    expect(SessionAuctions.of(terms, shape)!.barsOf(clock)).toEqual({ opens: [0, 24], closes: [6, 30] });
    expect(SessionAuctions.of(terms, shape, true)!.barsOf(clock)).toEqual({
      opens: [1, 25],
      closes: [6, 30],
    });
    const ends = { interval: hourly, barTimes: 'end' as const };
    expect(SessionAuctions.of(terms, ends)!.barsOf(clock)).toEqual({ opens: [1, 25], closes: [7, 31] });
  });

  it('open in the bar that starts at the open, not in the bar that ends there', () => {
    const half = { interval: { milliseconds: HOUR / 2 }, barTimes: 'start' as const };
    const clock = clockOf('2024-03-05T09:00', HOUR / 2, 3);
    expect(SessionAuctions.of(terms, half)!.barsOf(clock).opens).toEqual([1]);
    expect(SessionAuctions.of(terms, half, true)!.barsOf(clock).opens).toEqual([1]);
  });

  it('are unknown for daily bars and for hours of a whole day', () => {
    const known = (hours: string, milliseconds: number): boolean =>
      SessionAuctions.of(sessionTerms(hours, undefined, 'UTC')!, {
        interval: { milliseconds },
        barTimes: 'start',
      }) !== undefined;
    expect([known('00:00-23:00', HOUR), known('01:00-24:00', HOUR), known('00:00-24:00', HOUR)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([known('09:30-16:00', DAY - 1), known('09:30-16:00', DAY)]).toEqual([true, false]);
  });
});
