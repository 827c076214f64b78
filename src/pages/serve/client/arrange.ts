import type { ResearchRow } from '../research-row.ts';
import type { RunRow } from '../run-row.ts';
import type { ListView } from './list-view.ts';
import { researchGroup } from './research-rows.ts';
import { symbolsText } from './words.ts';

/** Item of the table, in display order. */
export type Item =
  | {
      readonly kind: 'head';
      readonly name: string;
      readonly runs: readonly RunRow[];
      readonly isClosed: boolean;
    }
  | { readonly kind: 'research'; readonly row: ResearchRow }
  | { readonly kind: 'run'; readonly row: RunRow };

interface Group {
  readonly runs: RunRow[];
  readonly research: ResearchRow[];
}

/**
 * Returns the items of the table in the order of a view. Runs are grouped by strategy and symbols. A group is
 * placed where its first row is sorted, and its research rows precede its runs. A single group has no head.
 *
 * @param closed names of collapsed groups, which show only their head
 */
export function arranged(
  runs: readonly RunRow[],
  research: readonly ResearchRow[],
  view: ListView,
  closed: ReadonlySet<string>,
): Item[] {
  const sorted = runs.toSorted(orderOf(view));
  const others = research.toSorted((one, other) => (one.name < other.name ? 1 : -1));
  if (!view.isGrouped) return itemsOf({ runs: sorted, research: others });
  const groups = new Map<string, Group>();
  const groupAt = (name: string): Group => {
    const known = groups.get(name) ?? { runs: [], research: [] };
    groups.set(name, known);
    return known;
  };
  for (const row of others) if (row.kind === 'study') groupAt(researchGroup(row)).research.push(row);
  for (const row of sorted) groupAt(groupOf(row)).runs.push(row);
  for (const row of others) if (row.kind !== 'study') groupAt(researchGroup(row)).research.push(row);
  if (groups.size < 2) return [...groups.values()].flatMap(itemsOf);
  return [...groups].flatMap(([name, group]): Item[] => {
    const isClosed = closed.has(name);
    const head: Item = { kind: 'head', name, runs: group.runs, isClosed };
    return isClosed ? [head] : [head, ...itemsOf(group)];
  });
}

function itemsOf({ runs, research }: Group): Item[] {
  return [
    ...research.map((row): Item => ({ kind: 'research', row })),
    ...runs.map((row): Item => ({ kind: 'run', row })),
  ];
}

function groupOf({ strategy, symbols }: RunRow): string {
  return [strategy || 'unreadable', symbolsText(symbols)].filter(Boolean).join(' on ');
}

function orderOf({ key, direction }: ListView): (one: RunRow, other: RunRow) => number {
  return (a, b) => {
    const [one, other] = [a[key], b[key]];
    // Rows without a value are last in both directions.
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    const difference =
      typeof one === 'number' && typeof other === 'number'
        ? one - other
        : String(one) < String(other)
          ? -1
          : Number(String(one) > String(other));
    return direction * difference;
  };
}
