import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, type Instant } from '../../kernel/index.ts';
import { sessionsOf, sessionTerms } from './session.ts';
import {
  clockText,
  groupingBySessions,
  hoursText,
  ListedSessions,
  readClock,
  readHours,
  type Session,
  type SessionRow,
  type Sessions,
  sessionRows,
} from './sessions.ts';

const HOUR = 3_600_000;
const at = (text: string): Instant => Date.parse(`${text}Z`);
const dayOf = (date: string): number => Date.parse(date) / DAY;

describe('a time of day', () => {
  it.each([
    ['00:00', 0],
    ['9:05', 545],
    ['09:30', 570],
    [' 16:00 ', 960],
    ['16:00:00', 960],
    ['23:59', 1439],
    ['24:00', 1440],
    ['24:01', undefined],
    ['25:00', undefined],
    ['09:59', 599],
    ['09:60', undefined],
    ['09:30:01', undefined],
    ['9:5', undefined],
    ['9', undefined],
  ])('%j is read as %j minutes', (text, minutes) => {
    expect(readClock(text)).toBe(minutes);
  });

  it('is formatted as it is read, for every minute of a day', () => {
    for (let minutes = 0; minutes <= 1440; minutes++) expect(readClock(clockText(minutes))).toBe(minutes);
    expect([0, 5, 545, 600, 1440].map(clockText)).toEqual(['00:00', '00:05', '09:05', '10:00', '24:00']);
  });
});

describe('session hours', () => {
  it('are read as minutes, even across midnight, and are formatted in the same form', () => {
    expect(readHours('9:30-16:00')).toEqual({ opens: 570, closes: 960 });
    expect(readHours('18:00-17:00')).toEqual({ opens: 1080, closes: 1020 });
    expect(readHours('00:00-24:00')).toEqual({ opens: 0, closes: 1440 });
    expect(readHours('00:00-00:01')).toEqual({ opens: 0, closes: 1 });
    expect(readHours('23:59-24:00')).toEqual({ opens: 1439, closes: 1440 });
    expect(hoursText({ opens: 570, closes: 960 })).toBe('09:30-16:00');
  });
});

const session = (day: number, closes = day * DAY + 16 * HOUR): Session => ({
  day,
  opens: day * DAY + 9 * HOUR,
  closes,
  next: day + 1,
});

/** Returns sessions of every UTC day, from 09:00 to 16:00. */
const daily = (early = 0): Sessions => ({
  early,
  of: (time) => session(Math.floor((time - early) / DAY)),
});

describe('sessions in another process', () => {
  it('are one row per session with a bar, without sessions that were sent before', () => {
    const times = [10 * HOUR, 11 * HOUR, DAY + 9 * HOUR, 3 * DAY + 9 * HOUR, 3 * DAY + 15 * HOUR];
    const row = (day: number, from: number): SessionRow => [
      from,
      day,
      day * DAY + 9 * HOUR,
      day * DAY + 16 * HOUR,
      day + 1,
    ];
    const all = [row(0, 10 * HOUR), row(1, DAY + 9 * HOUR), row(3, 3 * DAY + 9 * HOUR)];
    expect(sessionRows(daily(), times)).toEqual(all);
    expect(sessionRows(daily(), times, -1)).toEqual(all);
    expect(sessionRows(daily(), times, 0)).toEqual(all.slice(1));
    expect(sessionRows(daily(), times, 2)).toEqual(all.slice(2));
    expect(sessionRows(daily(), times, 3)).toEqual([]);
    expect(sessionRows(daily(), [])).toEqual([]);
  });

  it('replace an unknown close with the last possible date, because JSON has no infinity', () => {
    const open: Sessions = { early: 0, of: () => session(0, Number.POSITIVE_INFINITY) };
    expect(sessionRows(open, [1])).toEqual([[1, 0, 9 * HOUR, 8.64e15, 1]]);
  });

  it('are equal to the original sessions for the times of all bars', () => {
    const terms = sessionTerms('09:30-16:00', 'XNYS', undefined)!;
    fc.assert(
      fc.property(
        fc.constantFrom('start' as const, 'end' as const),
        fc.array(fc.integer({ min: 1, max: 60 * HOUR }), { minLength: 1, maxLength: 40 }),
        (barTimes, steps) => {
          let time = at('2019-11-25T00:00');
          const times = steps.map((step) => (time += step));
          const sessions = sessionsOf(terms, barTimes, { milliseconds: HOUR })!;
          const listed = new ListedSessions(sessions.early);
          for (const row of sessionRows(sessions, times)) listed.push(row);
          expect(listed.early).toBe(barTimes === 'end' ? 1 : 0);
          for (const one of times) expect(listed.of(one)).toEqual(sessions.of(one));
        },
      ),
    );
  });

  it('start at their first bar, and the first session also covers earlier times', () => {
    const listed = new ListedSessions(0);
    for (const day of [1, 2, 3, 5, 8]) listed.push([100 * day, day, day, day, day]);
    const dayAt = (time: number): number => listed.of(time).day;
    expect([0, 99, 100, 199, 200, 201, 300, 499, 500, 799, 800, 9_999].map(dayAt)).toEqual([
      1, 1, 1, 1, 2, 2, 3, 3, 5, 5, 8, 8,
    ]);
  });
});

describe('groups of bars by sessions', () => {
  it('start at the open of each session and end at its close', () => {
    const { groupOf, endOf } = groupingBySessions('2h', daily());
    const hours = [8, 9, 10.99, 11, 14.5, 15, 15.99].map((hour) => hour * HOUR);
    expect(hours.map(groupOf)).toEqual([-1, 0, 0, 1, 2, 3, 3]);
    expect(hours.map((time) => endOf(time) / HOUR)).toEqual([9, 11, 11, 13, 15, 16, 16]);
    expect(groupOf(DAY + 9 * HOUR)).toBe(1e10);
    expect(groupOf(2 * DAY + 13 * HOUR)).toBe(2e10 + 2);
    expect(endOf(2 * DAY + 13 * HOUR)).toBe(2 * DAY + 15 * HOUR);
  });

  it('assign a bar with an end timestamp to the group that ends at this time', () => {
    const { groupOf, endOf } = groupingBySessions('1h', daily(1));
    expect([9, 9 + 1 / 3_600_000, 10, 16].map((hour) => groupOf(Math.round(hour * HOUR)))).toEqual([
      -1, 0, 0, 6,
    ]);
    expect([9.5, 10, 16].map((hour) => endOf(hour * HOUR) / HOUR)).toEqual([10, 10, 16]);
  });

  it('of days, weeks and months follow session dates, and end with their last session', () => {
    const of = (rule: string, date: string, next: string) => {
      const day = dayOf(date);
      const one: Session = { day, opens: day * DAY, closes: day * DAY + 7, next: dayOf(next) };
      const { groupOf, endOf } = groupingBySessions(rule, { early: 0, of: () => one });
      return [groupOf(0), endOf(0) === one.closes ? 'ends' : endOf(0)];
    };
    const open = Number.POSITIVE_INFINITY;
    expect(of('1d', '1970-01-05', '1970-01-06')).toEqual([4, 'ends']);
    expect(of('3d', '1970-01-05', '1970-01-06')).toEqual([1, open]);
    expect(of('3d', '1970-01-06', '1970-01-07')).toEqual([1, 'ends']);
    // 1970-01-05 was the first Monday.
    expect(of('1w', '1970-01-04', '1970-01-05')).toEqual([-1, 'ends']);
    expect(of('1w', '1970-01-05', '1970-01-06')).toEqual([0, open]);
    expect(of('1w', '1970-01-09', '1970-01-12')).toEqual([0, 'ends']);
    expect(of('2w', '1970-01-09', '1970-01-12')).toEqual([0, open]);
    expect(of('1mo', '1970-02-26', '1970-02-27')).toEqual([1970 * 12 + 1, open]);
    expect(of('1mo', '1970-02-27', '1970-03-02')).toEqual([1970 * 12 + 1, 'ends']);
    expect(of('3mo', '1970-02-27', '1970-03-02')).toEqual([1970 * 4, open]);
    expect(of('3mo', '1970-03-31', '1970-04-01')).toEqual([1970 * 4, 'ends']);
  });
});
