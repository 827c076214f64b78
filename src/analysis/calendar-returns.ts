import type { EquityColumns } from './equity.ts';
import { returnsByMonth, type YearOfReturns } from './series/calendar.ts';

export type { YearOfReturns } from './series/calendar.ts';

/**
 * Returns by calendar month and year (UTC), from the last equity of one period to the last of the next.
 *
 * The first period counts from the initial cash, so that the months compound to the total return.
 */
export function calendarReturns({ times, equity, initialCash, barTimes }: EquityColumns): YearOfReturns[] {
  // A bar that ends exactly when a month begins belongs to the previous month.
  const ends = barTimes === 'end' ? times.map((time) => time - 1) : times;
  return returnsByMonth(ends, equity, initialCash.toNumber());
}
