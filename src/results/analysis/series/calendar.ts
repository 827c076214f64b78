/**
 * Monthly returns of one year, as fractions. `null` for months without a bar, and for months whose initial
 * equity is not positive.
 */
export interface YearOfReturns {
  readonly year: number;
  /** Returns from January to December. */
  readonly months: readonly (number | null)[];
  readonly total: number | null;
}

/**
 * Computes returns by calendar month and year (UTC). A return is the change from the last equity of one
 * period to the last equity of the next.
 *
 * @param times milliseconds since 1970, rising
 * @param start equity at the beginning of the first month
 */
export function returnsByMonth(
  times: ArrayLike<number>,
  equity: ArrayLike<number>,
  start: number,
): YearOfReturns[] {
  const years = new Map<number, { months: (number | null)[]; first: number; last: number }>();
  let before = start;
  let nextMonth = Number.NEGATIVE_INFINITY;
  for (let bar = 0; bar < times.length; bar++) {
    if (bar + 1 < times.length && times[bar + 1]! < nextMonth) continue;
    const date = new Date(times[bar]!);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    nextMonth = Date.UTC(year, month + 1);
    if (bar + 1 < times.length && times[bar + 1]! < nextMonth) continue;
    const last = equity[bar]!;
    const own = years.get(year) ?? { months: new Array<number | null>(12).fill(null), first: before, last };
    own.months[month] = change(before, last);
    own.last = last;
    years.set(year, own);
    before = last;
  }
  return [...years].map(([year, { months, first, last }]) => ({ year, months, total: change(first, last) }));
}

function change(from: number, to: number): number | null {
  return from > 0 ? to / from - 1 : null;
}
