import type { Instant } from '../../kernel/index.ts';
import type { FeatureTable } from './table.ts';

/** Returns a table without the rows that become visible at an instant or later. */
export function cutFeatures(table: FeatureTable, before: Instant): FeatureTable {
  const { columns, dates, known, symbols } = table;
  const isKept = (_: unknown, row: number): boolean => (known[row] ?? dates[row]!).instant < before;
  if (dates.every(isKept)) return table;
  return {
    ...table,
    columns: columns.map((column) => ({ ...column, values: column.values.filter(isKept) })),
    dates: dates.filter(isKept),
    known: known.filter(isKept),
    symbols: symbols?.filter(isKept),
  };
}
