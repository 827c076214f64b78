import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, utcDays } from '../../kernel/index.ts';
import { SessionDays, sessionTerms, tradingDays } from './session.ts';
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
  it('follow time, and hold every instant up to their last', () => {
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
          // The next bar at or after a session's close belongs to another session.
          expect(days.dayOf(last === Number.NEGATIVE_INFINITY ? time + 9 * DAY : last + 2)).toBeGreaterThan(
            day,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are days of UTC where they last from midnight to midnight there', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom('start' as const, 'end' as const), (time, barTimes) => {
        const days = new SessionDays(sessionTerms('00:00-24:00', undefined, undefined)!, barTimes);
        expect(days.dayOf(time)).toBe(utcDays(barTimes).dayOf(time));
      }),
    );
  });

  it('go by the clocks, in winter and in summer', () => {
    const days = new SessionDays(sessionTerms('09:30-16:00', undefined, 'America/New_York')!, 'start');
    expect(days.lastOf(Date.UTC(2020, 2, 6) / DAY)).toBe(Date.parse('2020-03-06T21:00:00Z') - 1);
    expect(days.lastOf(Date.UTC(2020, 2, 9) / DAY)).toBe(Date.parse('2020-03-09T20:00:00Z') - 1);
  });

  it('have the hours and the clocks of the calendar, or those that are given', () => {
    expect(sessionTerms(undefined, 'XTKS', 'America/New_York')).toMatchObject({
      hours: '09:00-15:00',
      timezone: 'Asia/Tokyo',
    });
    expect(sessionTerms('08:00-20:00', 'XNYS', 'UTC')).toMatchObject({
      hours: '08:00-20:00',
      timezone: 'America/New_York',
    });
    expect(sessionTerms(undefined, undefined, 'Asia/Tokyo')).toBeUndefined();
  });

  it('are no measure of bars of a day or longer', () => {
    const terms = sessionTerms('09:30-16:00', 'XNYS', undefined)!;
    const christmas = Date.UTC(2020, 11, 25);
    expect(tradingDays(terms, 'start', { milliseconds: DAY }).dayOf(christmas)).toBe(christmas / DAY);
    expect(tradingDays(terms, 'start', { milliseconds: HOUR }).dayOf(christmas)).toBe(christmas / DAY + 3);
  });
});

describe('hours', () => {
  it.each([
    '9-16',
    '09:30',
    '09:30-09:30',
    '24:00-10:00',
    '10:00-00:00',
    '09:60-10:00',
    '09:30-16:00-17:00',
    '',
  ])('are not %j', (text) => {
    expect(readHours(text)).toBeUndefined();
  });
});
