import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, type Instant, utcDays } from '../../kernel/index.ts';
import { type BarShape, SessionAuctions, SessionDays, sessionTerms, tradingDays } from './session.ts';
import { clockText, readHours } from './sessions.ts';

const HOUR = 3_600_000;
const zones = fc.constantFrom('America/New_York', 'Asia/Tokyo', 'Europe/London', 'UTC', 'Australia/Sydney');
const calendars = fc.constantFrom(undefined, 'XNYS', 'XLON', 'XTKS', {
  name: 'own.csv',
  closed: ['2020-03-09', '2020-03-10'],
  early: { '2020-03-11': '12:00', '2020-03-14': '13:00' },
});
const hours = fc
  .tuple(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 1, max: 96 }))
  .filter(([opens, closes]) => opens !== closes)
  .map(([opens, closes]) => `${clockText(15 * opens)}-${clockText(15 * closes)}`);
const instants = fc.integer({ min: Date.UTC(2019, 11, 1), max: Date.UTC(2021, 1, 1) });

describe('sessions', () => {
  it('are chronological, and contain every instant up to their end', () => {
    fc.assert(
      fc.property(
        zones,
        calendars,
        hours,
        instants,
        fc.integer({ min: 0, max: 9 * DAY }),
        fc.constantFrom('start' as const, 'end' as const),
        (zone, calendar, text, time, later, barTimes) => {
          const days = new SessionDays(sessionTerms(text, calendar, zone)!, barTimes);
          const day = days.dayOf(time);
          expect(days.dayOf(time + later)).toBeGreaterThanOrEqual(day);
          const last = days.lastOf(day);
          if (time <= last) expect(days.dayOf(last)).toBe(day);
          // A bar after the last instant of a session belongs to a later session.
          expect(days.dayOf(last === Number.NEGATIVE_INFINITY ? time + 9 * DAY : last + 2)).toBeGreaterThan(
            day,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are UTC days if they last from midnight to midnight UTC', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom('start' as const, 'end' as const), (time, barTimes) => {
        const days = new SessionDays(sessionTerms('00:00-24:00', undefined, undefined)!, barTimes);
        expect(days.dayOf(time)).toBe(utcDays(barTimes).dayOf(time));
      }),
    );
  });

  it('follow local clocks in winter and in summer', () => {
    const days = new SessionDays(sessionTerms('09:30-16:00', undefined, 'America/New_York')!, 'start');
    expect(days.lastOf(Date.UTC(2020, 2, 6) / DAY)).toBe(Date.parse('2020-03-06T21:00:00Z') - 1);
    expect(days.lastOf(Date.UTC(2020, 2, 9) / DAY)).toBe(Date.parse('2020-03-09T20:00:00Z') - 1);
  });

  it('use the hours and time zone of the calendar, or the given ones', () => {
    expect(sessionTerms(undefined, 'XTKS', 'America/New_York')).toMatchObject({
      hours: '09:00-15:30',
      timezone: 'Asia/Tokyo',
    });
    expect(sessionTerms('08:00-20:00', 'XNYS', 'UTC')).toMatchObject({
      hours: '08:00-20:00',
      timezone: 'America/New_York',
    });
    expect(sessionTerms(undefined, undefined, 'Asia/Tokyo')).toBeUndefined();
  });

  it.each([
    ['XTKS', '2024-11-01', '2024-11-01T06:00:00Z'],
    ['XTKS', '2024-11-05', '2024-11-05T06:30:00Z'],
    ['XETR', '2003-10-31', '2003-10-31T19:00:00Z'],
    ['XETR', '2003-11-03', '2003-11-03T16:30:00Z'],
    ['XETR', '2019-12-30', '2019-12-30T13:00:00Z'],
  ])('of %s on %s close at the hours of that year, or earlier on a half day', (name, date, closes) => {
    const days = new SessionDays(sessionTerms(undefined, name, undefined)!, 'start');
    expect(days.lastOf(Date.parse(date) / DAY)).toBe(Date.parse(closes) - 1);
  });

  it('close at the given hours in every year', () => {
    const days = new SessionDays(sessionTerms('09:00-15:00', 'XTKS', undefined)!, 'start');
    for (const date of ['2024-11-01', '2024-11-05'])
      expect(days.lastOf(Date.parse(date) / DAY)).toBe(Date.parse(`${date}T06:00:00Z`) - 1);
  });

  it('do not apply to bars of a day or longer', () => {
    const terms = sessionTerms('09:30-16:00', 'XNYS', undefined)!;
    const christmas = Date.UTC(2020, 11, 25);
    expect(tradingDays(terms, 'start', { milliseconds: DAY }).dayOf(christmas)).toBe(christmas / DAY);
    expect(tradingDays(terms, 'start', { milliseconds: HOUR }).dayOf(christmas)).toBe(christmas / DAY + 3);
  });
});

describe('session hours', () => {
  it.each([
    '9-16',
    '09:30',
    '09:30-09:30',
    '24:00-10:00',
    '10:00-00:00',
    '09:60-10:00',
    '09:30-16:00-17:00',
    '',
  ])('are refused: %j', (text) => {
    expect(readHours(text)).toBeUndefined();
  });
});

const MINUTE = 60_000;

const minutes = (length: number, barTimes: 'start' | 'end' = 'start'): BarShape => ({
  interval: { milliseconds: length * MINUTE },
  barTimes,
});

/**
 * Returns the start times of all bars of `length` minutes during a number of days.
 *
 * @param date UTC date, optionally with a time, at which the first bar starts
 */
function timesOf(length: number, date: string, days = 1): Instant[] {
  const first = Date.parse(date);
  return Array.from({ length: (days * 1440) / length }, (_, bar) => first + bar * length * MINUTE);
}

const shown = (times: readonly Instant[]): string[] =>
  times.map((time) => new Date(time).toISOString().slice(5, 16));

function auctionsOn(
  hours: string | undefined,
  shape: BarShape,
  times: readonly Instant[],
  { zone = 'America/New_York', calendar, own }: { zone?: string; calendar?: string; own?: boolean } = {},
): { readonly opens: string[]; readonly closes: string[] } {
  const auctions = SessionAuctions.of(sessionTerms(hours, calendar, zone)!, shape, own)!;
  return {
    opens: shown(times.filter((time) => auctions.isOpening(time))),
    closes: shown(times.filter((time) => auctions.isClosing(time))),
  };
}

it('has one opening and one closing bar in each session, in local time', () => {
  // Daylight saving time in New York starts on 8 March 2020.
  const times = timesOf(30, '2020-03-06T12:00Z', 4);
  expect(auctionsOn(undefined, minutes(30), times, { calendar: 'XNYS' })).toEqual({
    opens: ['03-06T14:30', '03-09T13:30'],
    closes: ['03-06T20:30', '03-09T19:30'],
  });
});

it('includes early closes of a calendar', () => {
  const times = timesOf(30, '2019-11-29T00:00Z');
  expect(auctionsOn(undefined, minutes(30), times, { calendar: 'XNYS' }).closes).toEqual(['11-29T17:30']);
});

it('uses the bars that contain the opening and the close, if bars do not begin with the session', () => {
  const times = timesOf(60, '2020-01-06T00:00Z');
  expect(auctionsOn('09:30-15:45', minutes(60), times)).toEqual({
    opens: ['01-06T14:00'],
    closes: ['01-06T20:00'],
  });
});

it('uses the first bar that begins inside the hours, if other bars fill nothing', () => {
  const times = timesOf(60, '2020-01-06T00:00Z');
  expect(auctionsOn('09:30-15:45', minutes(60), times, { own: true })).toEqual({
    opens: ['01-06T15:00'],
    closes: ['01-06T20:00'],
  });
});

it('uses the same bars with end timestamps', () => {
  const times = timesOf(30, '2020-01-06T00:00Z').map((time) => time + 30 * MINUTE);
  expect(auctionsOn('09:30-16:00', minutes(30, 'end'), times)).toEqual({
    opens: ['01-06T15:00'],
    closes: ['01-06T21:00'],
  });
});

it('opens an overnight session on the previous day', () => {
  const times = timesOf(60, '2020-01-06T00:00Z', 2);
  expect(auctionsOn('18:00-17:00', minutes(60), times, { zone: 'UTC' })).toEqual({
    opens: ['01-06T18:00', '01-07T18:00'],
    closes: ['01-06T16:00', '01-07T16:00'],
  });
});

it('finds the next closes after a day on which clocks skip the close', () => {
  // Clocks in Berlin change from 02:00 to 03:00 on 29 March 2020.
  const times = timesOf(30, '2020-03-28T22:00Z', 2);
  expect(auctionsOn('22:00-02:30', minutes(30), times, { zone: 'Europe/Berlin' }).closes).toEqual([
    '03-30T00:00',
  ]);
});

it.each<[string, string, BarShape]>([
  ['daily bars', '09:30-16:00', minutes(1440)],
  ['bars of unknown length', '09:30-16:00', { interval: undefined, barTimes: 'start' }],
  ['a session of a whole day', '00:00-24:00', minutes(60)],
])('has no auctions for %s', (_, hours, shape) => {
  expect(SessionAuctions.of(sessionTerms(hours, undefined, 'UTC')!, shape)).toBeUndefined();
});
