import { nameIn, PIVOTS, type PivotName } from './attribution.ts';
import type { TradeRow } from './page-data.ts';
import { dateText } from './range.ts';

/** Condition for a trade: a word in any of its fields, or the value of one field. */
interface Condition {
  readonly pivot: PivotName | undefined;
  readonly text: string;
}

/** Parses a filter text into words and conditions such as `side:short` or `reason:"crossed below"`. */
function conditionsOf(text: string): Condition[] {
  const parts = text.toLowerCase().match(/(?:\w+:)?"[^"]*"|\S+/g) ?? [];
  return parts.map((part) => {
    const pivot = PIVOTS.find((name) => part.startsWith(`${name}:`));
    const value = pivot === undefined ? part : part.slice(pivot.length + 1);
    return { pivot, text: value.replaceAll('"', '') };
  });
}

/** Returns a function that tests whether a trade meets all conditions. */
export function tradeFilter(text: string, symbols: readonly string[]): (row: TradeRow) => boolean {
  const conditions = conditionsOf(text);
  if (conditions.length === 0) return () => true;
  return (row) =>
    conditions.every(({ pivot, text: wanted }) =>
      pivot === undefined
        ? wordsOf(row, symbols).includes(wanted)
        : nameIn(pivot, row, symbols).toLowerCase().replaceAll('"', '') === wanted,
    );
}

const known = new WeakMap<TradeRow, string>();

function wordsOf(row: TradeRow, symbols: readonly string[]): string {
  const before = known.get(row);
  if (before !== undefined) return before;
  const words = [
    row.id,
    symbols[row.symbol],
    row.side,
    dateText(row.entryTime),
    row.entryReason,
    row.exitTime === null ? '' : dateText(row.exitTime),
    row.reason,
  ]
    .join(' ')
    .toLowerCase();
  known.set(row, words);
  return words;
}
