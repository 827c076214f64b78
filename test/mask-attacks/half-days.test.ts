import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/kernel/index.ts';
import { tradingCalendar } from '../../src/market/index.ts';

const TRIALS = 400;
const DAY = 86_400_000;
const dayOf = (date: string): number => Date.parse(date) / DAY;

/**
 * Returns the number of New York sessions and the indexes of the half days among them. A synthetic calendar
 * reveals only these indexes.
 */
function halfDays(
  from: string,
  until: string,
): { readonly sessions: number; readonly half: readonly number[] } {
  const calendar = tradingCalendar('XNYS');
  const half: number[] = [];
  let sessions = 0;
  for (let day = dayOf(from); day < dayOf(until); day++) {
    if (!calendar.isSession(day)) continue;
    if (calendar.closesEarly(day) !== undefined) half.push(sessions);
    sessions += 1;
  }
  return { sessions, half };
}

const { sessions, half } = halfDays('2000-01-01', '2026-01-01');

/** Returns the positions of the half days in a window of `length` sessions, relative to its start. */
const pattern = (from: number, length: number): string =>
  half
    .filter((at) => at >= from && at < from + length)
    .map((at) => at - from)
    .join(' ');

/** Returns the share of windows whose half days identify their first day uniquely within 26 years. */
function foundRate(length: number): number {
  const starts = Array.from({ length: sessions - length }, (_, start) => start);
  const byPattern = new Map<string, number>();
  for (const start of starts) {
    const seen = pattern(start, length);
    byPattern.set(seen, (byPattern.get(seen) ?? 0) + 1);
  }
  const random = createRandom(length, 'half days');
  let found = 0;
  for (let trial = 0; trial < TRIALS; trial++)
    if (byPattern.get(pattern(random.integer(0, starts.length - 1), length)) === 1) found += 1;
  return found / TRIALS;
}

describe('half days in hourly bars', () => {
  it('reveal the dates of a year more often than those of a month', () => {
    const rates = Object.fromEntries([21, 60, 120, 250].map((length) => [length, foundRate(length)]));
    if (process.env.MASK_RATES !== undefined) console.log('half days', rates);
    expect(rates[21]).toBeLessThan(0.01);
    expect(rates[120]).toBeLessThan(rates[250]!);
  });
});
