import { describe, expect, it } from 'vitest';
import { businessDays, runRecord } from '../../../../test/support/records.ts';
import { asJson, type Json } from '../../../engine/index.ts';
import { DAY, formatInstant } from '../../../kernel/index.ts';
import { type SessionTerms, sessionTerms, tradingCalendar } from '../../../market/index.ts';
import { equityColumns } from './equity.ts';
import { computeMetrics } from './metrics.ts';
import { sessionsOf } from './sessions.ts';

const XNYS = sessionTerms(undefined, 'XNYS', undefined)!;
const OWN = { name: 'own.csv', closed: ['2024-02-01', '2024-02-02'], early: {} };

const at = (settings: { readonly session?: SessionTerms }, dates: readonly string[]) =>
  runRecord({
    settings: asJson(settings) as Record<string, Json>,
    equity: dates.map((_, bar) => 100 + bar),
    dates,
  });

/** Twelve hours per day from 12:00 UTC. Some of them are after New York's close. */
const hoursOf = (days: readonly string[]): string[] =>
  days.flatMap((day) =>
    Array.from({ length: 12 }, (_, hour) => formatInstant(Date.parse(day) + ((12 + hour) * DAY) / 24)),
  );

describe('session hours of a run', () => {
  it('determine the end of sessions instead of midnight UTC', () => {
    // Wednesday, 3 January 2024, to Friday, 5 January. New York closes at 21:00 UTC. Later hours belong to
    // the next session.
    const dates = hoursOf(['2024-01-03', '2024-01-04', '2024-01-05']);
    const { unit, dates: ends } = sessionsOf(equityColumns(at({ session: XNYS }, dates)));
    expect(unit).toBe('session');
    expect(ends).toEqual([
      '2024-01-03T20:00:00',
      '2024-01-04T20:00:00',
      '2024-01-05T20:00:00',
      '2024-01-05T23:00:00',
    ]);
    expect(sessionsOf(equityColumns(at({}, dates))).lastBars.length).toBe(3);
  });

  it('are counted by the calendar, not by the data', () => {
    // The data contains nine of ten business days in 2023. A count of the data would result in fewer sessions
    // per year than the calendar.
    const dates = businessDays(260, '2023-01-03').filter((_, day) => day % 10 !== 2);
    const { periodsPerYear, periodsInWords, sharpe } = computeMetrics(at({ session: XNYS }, dates));
    const [first, last] = [Date.parse(dates[0]!), Date.parse(dates.at(-1)!)];
    const days = Array.from({ length: (last - first) / DAY + 1 }, (_, day) => first / DAY + day);
    const sessions = days.filter((day) => tradingCalendar('XNYS').isSession(day)).length;
    expect(sessions).toBe(250);
    expect(periodsPerYear * ((last - first + DAY) / DAY / 365.25)).toBeCloseTo(sessions, 6);
    expect(periodsInWords).toMatch(/^by the calendar XNYS: 250 sessions in [\d.]+ years$/);
    expect(sharpe.convention).toContain('by the calendar XNYS');
  });

  it('use whole years of the calendar if the data cover less than half a year', () => {
    // New York had 252 sessions in 2024. The calendar `OWN` has 262 weekdays minus two.
    const dates = businessDays(40, '2024-01-02');
    expect(computeMetrics(at({ session: XNYS }, dates)).periodsPerYear).toBe(252);
    const own = sessionTerms(undefined, OWN, undefined)!;
    expect(computeMetrics(at({ session: own }, dates))).toMatchObject({
      periodsPerYear: 260,
      periodsInWords: 'by the calendar own.csv: its sessions in 2024',
    });
  });

  it('are counted from the data without a calendar', () => {
    const session = sessionTerms('09:30-16:00', undefined, 'America/New_York')!;
    const dates = businessDays(40, '2024-01-02');
    expect(computeMetrics(at({ session }, dates)).periodsInWords).toContain('the usual number');
  });

  it('do not apply to weekly bars', () => {
    const dates = Array.from({ length: 20 }, (_, week) =>
      formatInstant(Date.UTC(2024, 0, 1) + week * 7 * DAY),
    );
    expect(computeMetrics(at({ session: XNYS }, dates)).periodsPerYear).toBe(52);
  });
});
