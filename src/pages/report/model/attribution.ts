import type { PageData, TradeRow } from './page-data.ts';
import { equityBefore, type Range, sumOf, tradesIn } from './range.ts';

/** Part of a profit. */
export interface Step {
  readonly name: string;
  readonly amount: number;
}

export const CASH_NAMES: Readonly<Record<string, string>> = {
  dividend: 'Dividends',
  borrow_fee: 'Borrow fees',
  interest: 'Interest',
  margin_interest: 'Margin interest',
  funding: 'Funding',
};

/**
 * Splits the profit of a range into steps that add up to it. The change in value of open positions is the
 * remainder: the change of equity minus all booked amounts.
 */
export function waterfallOf(
  data: PageData,
  range: Range,
): { readonly steps: readonly Step[]; readonly profit: number } {
  const { sessions } = data;
  const profit = sessions.equity[range.to]! - equityBefore(data, range);
  const closed = tradesIn(data, range).filter(({ exitTime }) => exitTime !== null);
  const booked: Step[] = [
    { name: 'Closed trades before commission', amount: closed.reduce((sum, { gross }) => sum + gross, 0) },
    ...sessions.cash.map(({ kind, amounts }) => ({
      name: CASH_NAMES[kind] ?? kind.replaceAll('_', ' '),
      amount: sumOf(amounts, range),
    })),
    { name: 'Commission', amount: -sumOf(sessions.commission, range) },
  ];
  const open = profit - booked.reduce((sum, { amount }) => sum + amount, 0);
  const [first, ...others] = booked;
  return { profit, steps: [first!, { name: 'Open positions', amount: near(open, profit) }, ...others] };
}

/** Returns 0 for a value that is only float64 rounding relative to `beside`. */
function near(value: number, beside: number): number {
  return Math.abs(value) < 1e-6 * Math.max(1, Math.abs(beside)) ? 0 : value;
}

export const PIVOTS = ['symbol', 'side', 'month', 'hour', 'reason'] as const;
export type PivotName = (typeof PIVOTS)[number];

export interface PivotRow {
  readonly name: string;
  readonly trades: number;
  readonly won: number;
  readonly gross: number;
  readonly commission: number;
  readonly net: number;
}

/**
 * Returns the group of a trade. The month is the month of its exit, the hour is the hour of its entry, both
 * in UTC.
 */
export function nameIn(pivot: PivotName, row: TradeRow, symbols: readonly string[]): string {
  switch (pivot) {
    case 'symbol':
      return symbols[row.symbol] ?? '';
    case 'side':
      return row.side;
    case 'month':
      return row.exitTime === null ? 'open' : new Date(row.exitTime * 1000).toISOString().slice(0, 7);
    case 'hour':
      return String(new Date(row.entryTime * 1000).getUTCHours()).padStart(2, '0');
    case 'reason':
      return row.reason;
  }
}

/** Groups trades. Groups are sorted by amount, largest first. Months and hours are in chronological order. */
export function pivotOf(pivot: PivotName, rows: readonly TradeRow[], symbols: readonly string[]): PivotRow[] {
  const found = new Map<string, { -readonly [Name in keyof PivotRow]: PivotRow[Name] }>();
  for (const row of rows) {
    const name = nameIn(pivot, row, symbols);
    const sums = found.get(name) ?? { name, trades: 0, won: 0, gross: 0, commission: 0, net: 0 };
    found.set(name, sums);
    sums.trades += 1;
    sums.won += row.net > 0 ? 1 : 0;
    sums.gross += row.gross;
    sums.commission += row.commission;
    sums.net += row.net;
  }
  const inOrder = pivot === 'month' || pivot === 'hour';
  return [...found.values()].sort((a, b) =>
    inOrder ? (a.name < b.name ? -1 : 1) : Math.abs(b.net) - Math.abs(a.net),
  );
}
