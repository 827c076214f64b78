import type { Instant } from '../../kernel/index.ts';
import { BarBounds } from '../ended-bars.ts';
import type { BarTimes } from '../interval.ts';
import type { Market } from '../market.ts';
import { type GrowingFeature, growingFeature, KnownRows, pushKnown, pushRow, sourcesOf } from './feature.ts';
import { KnownAt } from './known-at.ts';
import { type FeatureTable, type FeatureValue, featureSchema } from './table.ts';

/** Rows of a table that became visible at the end of a bar. */
export interface NewlyKnown {
  readonly rows: KnownRows;
  readonly row: number;
}

/** Rows of a table about one symbol, or about all symbols, in the order in which they become visible. */
interface Group {
  readonly table: FeatureTable;
  readonly order: readonly { readonly row: number; readonly availableAt: Instant }[];
  readonly rows: KnownRows;
  next: number;
}

/**
 * Reveals features along with the bars. A row is copied into the readable rows when the first bar has ended
 * at or after its publication time. Only this object contains the future rows.
 */
export class FeatureFeed {
  readonly #groups: Group[] = [];
  readonly #bounds: BarBounds;
  readonly #features: readonly (readonly GrowingFeature[])[];
  readonly #byName: readonly ReadonlyMap<string, GrowingFeature>[];

  /** @param lookback number of readable values. Infinity for all */
  constructor(
    tables: readonly FeatureTable[],
    market: Pick<Market, 'clock' | 'interval' | 'symbols'>,
    barTimes: BarTimes,
    lookback: number = Number.POSITIVE_INFINITY,
  ) {
    this.#bounds = new BarBounds(market, barTimes);
    const knownAt = new KnownAt(market, this.#bounds, barTimes);
    for (const table of tables) this.#groups.push(...groupsOf(table, market.symbols, knownAt));
    const schema = featureSchema(tables);
    const groups = this.#groups.map(({ rows }) => rows);
    this.#features = market.symbols.map((symbol) =>
      schema.map(({ name, type }) => growingFeature(name, type, sourcesOf(groups, name, symbol), lookback)),
    );
    this.#byName = this.#features.map((own) => new Map(own.map((feature) => [feature.name, feature])));
  }

  /** Features of a symbol's window. */
  of(symbol: number): ReadonlyMap<string, GrowingFeature> {
    return this.#byName[symbol]!;
  }

  /**
   * Processes the end of a bar.
   *
   * @param hasBar returns true if a symbol has that bar. Its features then get a value for the bar
   * @returns rows that became visible, without the columns of bars
   */
  endOf(bar: number, hasBar: (symbol: number) => boolean): readonly NewlyKnown[] {
    const end = this.#bounds.endOf(bar);
    let found: NewlyKnown[] | undefined;
    for (const group of this.#groups) {
      for (;;) {
        const next = group.order[group.next];
        if (next === undefined || next.availableAt > end) break;
        const { columns, dates } = group.table;
        const values = columns.map((column): FeatureValue => column.values[next.row] ?? null);
        pushRow(group.rows, dates[next.row]!.instant, next.availableAt, values);
        if (group.table.isOfBars !== true) {
          found ??= [];
          found.push({ rows: group.rows, row: group.rows.length - 1 });
        }
        group.next += 1;
      }
    }
    for (const [symbol, own] of this.#features.entries())
      if (hasBar(symbol)) for (const feature of own) pushKnown(feature);
    return found ?? NOTHING;
  }
}

const NOTHING: readonly NewlyKnown[] = [];

function groupsOf(table: FeatureTable, symbols: readonly string[], knownAt: KnownAt): Group[] {
  const rowsOf = new Map<string, number[]>();
  for (let row = 0; row < table.dates.length; row++) {
    const symbol = table.symbols?.[row] ?? '';
    if (symbol !== '' && !symbols.includes(symbol)) continue;
    const own = rowsOf.get(symbol);
    if (own === undefined) rowsOf.set(symbol, [row]);
    else own.push(row);
  }
  const names = Object.freeze(table.columns.map(({ name }) => name));
  return [...rowsOf].sort(byName).map(([symbol, rows]): Group => {
    const order = rows.map((row) => ({ row, availableAt: knownAt.of(table, row) }));
    const dateOf = (row: number): Instant => table.dates[row]!.instant;
    order.sort((a, b) => a.availableAt - b.availableAt || dateOf(a.row) - dateOf(b.row));
    return { table, order, rows: new KnownRows(names, symbol === '' ? undefined : symbol), next: 0 };
  });
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
