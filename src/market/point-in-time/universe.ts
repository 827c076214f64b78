import { DAY, type Fault, type Instant } from '../../kernel/index.ts';
import { type Rows, Sheet } from '../sheet.ts';
import type { Membership } from './tables.ts';

/** Period in which a symbol is tradable, written in code. */
export interface UniverseRow {
  readonly symbol: string;
  /** First day, as text or milliseconds since 1970. Omit for no limit. */
  readonly from?: string | number | null;
  /** Last day. Omit for no limit. */
  readonly to?: string | number | null;
}

const COLUMNS = {
  symbol: ['symbol', 'ticker'],
  from: ['from', 'start'],
  to: ['to', 'end'],
} as const;

export const UNIVERSE_HINT =
  'A line looks like LEH,2000-01-03,2008-09-15 under symbol,from,to: the first and the last day it could be traded; empty for ever before or ever since. A symbol that came back has a line for each time.';

export function readUniverse(
  file: string,
  given: Rows,
): { readonly universe: readonly Membership[]; readonly faults: readonly Fault[] } {
  const sheet = new Sheet(file, given, { columns: COLUMNS, needed: ['symbol'] });
  if (!sheet.isReadable) return { universe: [], faults: sheet.faults };
  const from = sheet.stamps('from', false);
  const to = sheet.stamps('to', false);
  const found: (Membership & { readonly row: number })[] = [];
  for (let row = 0; row < sheet.length; row++) {
    const symbol = sheet.text(row, 'symbol').toUpperCase();
    if (symbol === '') sheet.report(row, 'the symbol is empty');
    const [first, last] = [from[row], to[row]];
    // Invalid dates have already been reported.
    if (first === undefined && sheet.text(row, 'from') !== '') continue;
    if (last === undefined && sheet.text(row, 'to') !== '') continue;
    // The symbol is tradable on the last day.
    const until = last === undefined ? null : last.wholeDay ? last.instant + DAY : last.instant;
    if (first !== undefined && until !== null && until <= first.instant) {
      sheet.report(row, 'its to is before its from');
      continue;
    }
    found.push({ symbol, from: first?.instant ?? null, until, row });
  }
  const bySymbol = new Map<string, (typeof found)[number][]>();
  for (const one of found) {
    const others = bySymbol.get(one.symbol) ?? [];
    const other = others.find((before) => overlaps(before, one));
    if (other !== undefined) sheet.report(one.row, `overlaps with ${sheet.where(other.row)}`);
    bySymbol.set(one.symbol, [...others, one]);
  }
  return { universe: found.map(({ row: _, ...membership }) => membership), faults: sheet.sorted() };
}

function overlaps(one: Membership, other: Membership): boolean {
  const before = (until: Instant | null, from: Instant | null): boolean =>
    until !== null && from !== null && until <= from;
  return !before(one.until, other.from) && !before(other.until, one.from);
}
