import { expect, it } from 'vitest';
import type { Instant } from '../../kernel/index.ts';
import { type BarShape, SessionAuctions } from './auctions.ts';
import { sessionTerms } from './session.ts';

const MINUTE = 60_000;

const minutes = (length: number, barTimes: 'start' | 'end' = 'start'): BarShape => ({
  interval: { milliseconds: length * MINUTE },
  barTimes,
});

/** Times of bars with a length in minutes, starting at a UTC date. */
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

it('has one opening and one closing bar in each session, at the clocks of its zone', () => {
  // Daylight saving time in New York starts on 8 March 2020.
  const times = timesOf(30, '2020-03-06T12:00Z', 4);
  expect(auctionsOn(undefined, minutes(30), times, { calendar: 'XNYS' })).toEqual({
    opens: ['03-06T14:30', '03-09T13:30'],
    closes: ['03-06T20:30', '03-09T19:30'],
  });
});

it('knows the early close of a calendar', () => {
  const times = timesOf(30, '2019-11-29T00:00Z');
  expect(auctionsOn(undefined, minutes(30), times, { calendar: 'XNYS' }).closes).toEqual(['11-29T17:30']);
});

it('takes the bars that contain the opening and the close, if bars do not begin with the session', () => {
  const times = timesOf(60, '2020-01-06T00:00Z');
  expect(auctionsOn('09:30-15:45', minutes(60), times)).toEqual({
    opens: ['01-06T14:00'],
    closes: ['01-06T20:00'],
  });
});

it('takes the first bar that begins inside the hours, if other bars fill nothing', () => {
  const times = timesOf(60, '2020-01-06T00:00Z');
  expect(auctionsOn('09:30-15:45', minutes(60), times, { own: true })).toEqual({
    opens: ['01-06T15:00'],
    closes: ['01-06T20:00'],
  });
});

it('takes the same bars if a bar carries the time of its end', () => {
  const times = timesOf(30, '2020-01-06T00:00Z').map((time) => time + 30 * MINUTE);
  expect(auctionsOn('09:30-16:00', minutes(30, 'end'), times)).toEqual({
    opens: ['01-06T15:00'],
    closes: ['01-06T21:00'],
  });
});

it('opens an overnight session on the day before', () => {
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
])('does not know the auctions of %s', (_, hours, shape) => {
  expect(SessionAuctions.of(sessionTerms(hours, undefined, 'UTC')!, shape)).toBeUndefined();
});
