import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import { sessionsOf, sessionTerms } from '../calendar/session.ts';
import type { BarSeries } from './bar-columns.ts';
import { type Interval, parseInterval } from './interval.ts';
import { resample } from './resampled.ts';
import { SeriesCursor } from './window.ts';

const MINUTE = 60_000;
const YEAR_FROM = Date.UTC(2019, 10, 18);

/**
 * Local time in New York by the rule of 2007: daylight saving from the second Sunday of March to the first of
 * November.
 */
function newYork(instant: number): Date {
  const year = new Date(instant).getUTCFullYear();
  const sunday = (month: number, count: number): number => {
    const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
    return Date.UTC(year, month, 1 + ((7 - first) % 7) + 7 * (count - 1));
  };
  const isSummer = instant >= sunday(2, 2) + 7 * 3_600_000 && instant < sunday(10, 1) + 6 * 3_600_000;
  return new Date(instant - (isSummer ? 4 : 5) * 3_600_000);
}

const HALF_DAYS = ['2019-11-29', '2019-12-24'];
const HOLIDAYS = ['2019-11-28', '2019-12-25', '2020-01-01', '2020-01-20', '2020-02-17', '2020-04-10'];

interface Placed {
  readonly index: number;
  /** `2019-11-29 09:30`: date of the session, and minute at which the group began. */
  readonly group: string;
}

/**
 * Second implementation of grouping by sessions, for comparison. Assigns each bar independently, from its
 * local time, its date and the list of holidays.
 */
function placed(times: readonly number[], minutes: number | 'd' | 'w' | 'mo', early: number): Placed[] {
  return times.map((time, index) => {
    const clock = newYork(time - early);
    let date = clock.toISOString().slice(0, 10);
    const minute = clock.getUTCHours() * 60 + clock.getUTCMinutes();
    const closes = (day: string): number => (HALF_DAYS.includes(day) ? 780 : 960);
    let open = Date.parse(`${date}T09:30Z`);
    const isOpen = (day: string): boolean =>
      !HOLIDAYS.includes(day) && ![0, 6].includes(new Date(`${day}T00:00Z`).getUTCDay());
    if (!isOpen(date) || minute >= closes(date))
      do {
        date = new Date(Date.parse(`${date}T00:00Z`) + DAY).toISOString().slice(0, 10);
        open = Date.parse(`${date}T09:30Z`);
      } while (!isOpen(date));
    if (typeof minutes === 'number') {
      const opens = [4, 5]
        .map((hours) => open + hours * 60 * MINUTE)
        .find((one) => newYork(one).getTime() === open)!;
      const since = Math.floor((time - early - opens) / (minutes * MINUTE));
      return { index, group: `${date} ${since}` };
    }
    const day = Date.parse(`${date}T00:00Z`) / DAY;
    const week = String(Math.floor((day - 4) / 7));
    return { index, group: minutes === 'd' ? date : minutes === 'w' ? week : date.slice(0, 7) };
  });
}

function bars(times: readonly number[], seed: number): BarSeries {
  const rows = times.map((_, index) => 100 + ((index * 7919 + seed * 31) % 97) / 7);
  const column = (values: readonly number[]): Float64Array => Float64Array.from(values);
  return {
    symbol: 'A',
    time: column(times),
    open: column(rows),
    high: column(rows.map((price) => price + 2)),
    low: column(rows.map((price) => price - 2)),
    close: column(rows.map((price, index) => price + (index % 3) - 1)),
    volume: column(rows.map((_, index) => 1 + (index % 11))),
  };
}

/** Combines the bars of each group into one long bar. */
function together(series: BarSeries, groups: readonly Placed[]): number[][] {
  const long: number[][] = [];
  let before = '';
  for (const { index, group } of groups) {
    const [time, open, high, low, close, volume] = [
      series.time[index]!,
      series.open[index]!,
      series.high[index]!,
      series.low[index]!,
      series.close[index]!,
      series.volume[index]!,
    ];
    const last = long.at(-1);
    if (group !== before || last === undefined) long.push([time, open, high, low, close, volume]);
    else {
      last[0] = time;
      last[2] = Math.max(last[2]!, high);
      last[3] = Math.min(last[3]!, low);
      last[4] = close;
      last[5]! += volume;
    }
    before = group;
  }
  return long;
}

const listed = (
  series: {
    readonly [Name in 'time' | 'open' | 'high' | 'low' | 'close' | 'volume']: Float64Array;
  },
): number[][] =>
  Array.from(series.time, (time, index) => [
    time,
    series.open[index]!,
    series.high[index]!,
    series.low[index]!,
    series.close[index]!,
    series.volume[index]!,
  ]);

const RULES = { '30min': 30, '1h': 60, '4h': 240, '6h': 360, '1d': 'd', '1w': 'w', '1mo': 'mo' } as const;
const terms = sessionTerms('09:30-16:00', 'XNYS', undefined)!;

describe('resampling by sessions', () => {
  it('equals the result of clock, date and holidays of each bar, with timestamps of starts and ends', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999 }),
        fc.constantFrom(15, 30, 60),
        fc.constantFrom(...(Object.keys(RULES) as (keyof typeof RULES)[])),
        fc.constantFrom('start' as const, 'end' as const),
        fc.integer({ min: 0, max: 150 }).map((day) => YEAR_FROM + day * DAY),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 }),
        (seed, length, rule, barTimes, from, steps) => {
          let at = from + 30 * MINUTE;
          // Three runs of closely spaced bars. The gaps between runs are hours or days, as in nights and
          // holidays.
          const times = steps.flatMap((step, index) =>
            Array.from({ length: 6 }, (_, place) => {
              at += place === 0 && index % 4 === 3 ? step * 60 * MINUTE : length * MINUTE;
              return at;
            }),
          );
          const early = barTimes === 'end' ? 1 : 0;
          const series = bars(times, seed);
          const interval: Interval = parseInterval(`${length}min`);
          const groups = placed(times, RULES[rule], early);
          const options = { session: '09:30-16:00', calendar: 'XNYS', barTimes };
          expect(listed(resample({ ...series, interval: `${length}min` }, rule, options))).toEqual(
            together(series, groups),
          );
          const cursor = new SeriesCursor(series, Number.POSITIVE_INFINITY, {
            ...(barTimes === 'start' ? { barLength: interval } : {}),
            sessions: sessionsOf(terms, barTimes, interval),
          });
          for (const [index, time] of times.entries()) {
            cursor.advanceTo(time);
            if (index % 5 !== seed % 5) continue;
            const soFar = together(series, groups.slice(0, index + 1));
            const partial = cursor.window.resample(rule, { partial: true });
            const done = cursor.window.resample(rule);
            expect(partial.length).toBe(soFar.length);
            expect(partial.barAt(-1)?.close).toBe(soFar.at(-1)![4]);
            // The current group is complete if the next possible bar belongs to another group.
            const [next] = placed([time + length * MINUTE], RULES[rule], 0);
            const isOver = barTimes === 'start' && next!.group !== groups[index]!.group;
            expect(done.length).toBe(soFar.length - (isOver ? 0 : 1));
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('begins at the open, ends a half day early and a week with its last session', () => {
    const at = (text: string): number => Date.parse(`${text}Z`);
    // Week of Thanksgiving: Wednesday is whole, Thursday closed, Friday ends at 13:00 in New York, which is
    // 18:00 UTC.
    const wednesday = Array.from({ length: 13 }, (_, half) => at('2019-11-27T14:30') + half * 30 * MINUTE);
    const friday = Array.from({ length: 7 }, (_, half) => at('2019-11-29T14:30') + half * 30 * MINUTE);
    const series = bars([...wednesday, ...friday], 1);
    const interval = parseInterval('30min');
    const cursor = new SeriesCursor(series, Number.POSITIVE_INFINITY, {
      barLength: interval,
      sessions: sessionsOf(terms, 'start', interval),
    });
    const seen: string[] = [];
    for (const time of series.time) {
      cursor.advanceTo(time);
      const { window } = cursor;
      const counts = ['4h', '1d', '1w'].map((rule) => window.resample(rule).length);
      seen.push(counts.join(' '));
    }
    expect(seen[6]).toBe('0 0 0');
    expect(seen[7]).toBe('1 0 0');
    expect(seen[11]).toBe('1 0 0');
    expect(seen[12]).toBe('2 1 0');
    expect(seen[18]).toBe('2 1 0');
    expect(seen[19]).toBe('3 2 1');
  });

  it('ends a week of daily bars at its last session with a calendar, and otherwise at the next bar', () => {
    const days = ['2020-04-06', '2020-04-07', '2020-04-08', '2020-04-09'].map((day) => Date.parse(day));
    const series = bars(days, 1);
    const interval = parseInterval('1d');
    const weeks = (calendar: string | undefined): number[] => {
      const own = sessionTerms(calendar === undefined ? '09:30-16:00' : undefined, calendar, undefined);
      const cursor = new SeriesCursor(series, Number.POSITIVE_INFINITY, {
        barLength: interval,
        sessions: sessionsOf(own, 'start', interval),
      });
      return days.map((time) => {
        cursor.advanceTo(time);
        return cursor.window.resample('1w').length;
      });
    };
    // 2020-04-10 was Good Friday.
    expect(weeks('XNYS')).toEqual([0, 0, 0, 1]);
    expect(weeks(undefined)).toEqual([0, 0, 0, 0]);
  });
});
