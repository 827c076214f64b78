import type { Given } from './state.ts';

/**
 * Returns the reason why a symbol cannot be sold short in a bar: short selling is not allowed, or no shares
 * can be borrowed on this day.
 */
export function shortFault(given: Given, symbol: string, bar: number): string | undefined {
  const { allowShort, risk, instruments } = given.terms;
  if (allowShort === false || risk?.noShort === true) return 'short_not_allowed';
  const rows = instruments?.[symbol]?.borrow ?? [];
  const row = rows.findLast(({ from }) => from <= given.day(bar));
  return row?.available === false ? 'not_borrowable' : undefined;
}
