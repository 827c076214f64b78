import { DAY, type Instant } from '../../kernel/index.ts';
import { BarBounds } from '../bars/context.ts';
import { addInterval, type BarTimes } from '../bars/interval.ts';
import type { Market } from '../market.ts';
import type { Stamp } from '../reading/stamps.ts';
import { type FeatureTable, type FeatureValue, featureSchema } from './bar-columns.ts';
import { type GrowingFeature, growingFeature, KnownRows, pushKnown, pushRow, sourcesOf } from './feature.ts';

/** Minimum length of bars whose times are treated as dates: nearly a day. */
const LONG = 0.8 * DAY;

/**
 * Computes when rows of data become visible to a run on a market: at their publication time. A row without a
 * publication time becomes visible at the end of the bar of its date.
 */
export class KnownAt {
  readonly #clock: Float64Array;
  readonly #interval: Market['interval'];
  readonly #bounds: BarBounds;
  readonly #barTimes: BarTimes;

  constructor(
    { clock, interval }: Pick<Market, 'clock' | 'interval'>,
    bounds: BarBounds,
    barTimes: BarTimes,
  ) {
    this.#clock = clock;
    this.#interval = interval;
    this.#bounds = bounds;
    this.#barTimes = barTimes;
  }

  /** Returns the time at which a row of a feature table becomes visible. */
  of({ dates, known, lag }: FeatureTable, row: number): Instant {
    const given = known[row];
    if (given !== undefined) return this.ofStamp(given);
    const end = this.#endOf(dates[row]!);
    return lag === undefined ? end : addInterval(end, lag);
  }

  /**
   * Returns the time at which data with this publication time become visible. This is the instant of the
   * stamp. If the stamp has no time of day, it is the end of the day or of its daily bar.
   */
  ofStamp(given: Stamp): Instant {
    return given.wholeDay ? this.#endOf(given) : given.instant;
  }

  /**
   * Returns the end of the bar of a date. If the date has no bar, returns the time at which such a bar would
   * have ended.
   */
  #endOf({ instant, wholeDay, over }: Stamp): Instant {
    return wholeDay ? this.#endOfDay(instant, over) : this.#endOfInstant(instant);
  }

  /**
   * Returns the time at which a whole day, or the bar of that day, has ended.
   *
   * @param local end of the day in the time zone of the data. Not used for bars of a day or longer, because
   *   their date identifies the day
   */
  #endOfDay(day: Instant, local: Instant | undefined): Instant {
    const over = day + DAY;
    if (this.#interval === undefined || this.#interval.milliseconds < LONG) return local ?? over;
    const last = this.#lastBefore(over);
    const stamp = this.#clock[last];
    // If the last bar before the end of the day is stamped with that day, the row becomes visible at the end
    // of this bar.
    if (stamp !== undefined && stamp >= day) return this.#bounds.endOf(last);
    return Math.max(over, this.#containing(day) ?? over);
  }

  #endOfInstant(instant: Instant): Instant {
    const end = this.#containing(instant);
    if (end !== undefined) return end;
    if (this.#barTimes === 'end' || this.#interval === undefined) return instant;
    return addInterval(instant, this.#interval);
  }

  /** End of the bar that contains an instant. */
  #containing(instant: Instant): Instant | undefined {
    const bar = this.#barTimes === 'start' ? this.#lastBefore(instant + 1) : this.#lastBefore(instant) + 1;
    if (bar < 0 || bar >= this.#clock.length) return undefined;
    const [start, end] = [this.#bounds.startOf(bar), this.#bounds.endOf(bar)];
    const isInside =
      this.#barTimes === 'start' ? start <= instant && instant <= end : start < instant && instant <= end;
    return isInside ? end : undefined;
  }

  /** Index of the last bar whose time is before an instant. -1 without such a bar. */
  #lastBefore(instant: Instant): number {
    let [low, high] = [0, this.#clock.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#clock[middle]! < instant) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** Row of a table that became visible at the end of a bar. */
export interface NewlyKnown {
  readonly rows: KnownRows;
  readonly row: number;
}

/** Rows of a table for one symbol, or for all symbols, in the order in which they become visible. */
interface Group {
  readonly table: FeatureTable;
  readonly order: readonly { readonly row: number; readonly availableAt: Instant }[];
  readonly rows: KnownRows;
  next: number;
}

/**
 * Reveals features along with the bars. A row becomes readable at the end of the first bar that ends at or
 * after the row's publication time. Only this object contains the future rows.
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

  /** Returns the features of a symbol by name. `symbol` is an index into the market's symbols. */
  of(symbol: number): ReadonlyMap<string, GrowingFeature> {
    return this.#byName[symbol]!;
  }

  /**
   * Reveals the rows that become visible at the end of a bar. Appends one value to each feature of the
   * symbols that have a bar.
   *
   * @param hasBar returns true if the symbol with this index has a bar at this time
   * @returns rows that became visible, without the rows of tables with `isOfBars`
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

/**
 * Returns a table with only the rows that are visible at the end of a bar of the market.
 *
 * @param bar index of the bar in the market's clock
 */
export function cutFeatures(
  table: FeatureTable,
  market: Pick<Market, 'clock' | 'interval'>,
  barTimes: BarTimes,
  bar: number,
): FeatureTable {
  const { columns, dates, known, symbols } = table;
  const bounds = new BarBounds(market, barTimes);
  const knownAt = new KnownAt(market, bounds, barTimes);
  const end = bounds.endOf(bar);
  const kept = dates.map((_, row) => knownAt.of(table, row) <= end);
  const isKept = (_: unknown, row: number): boolean => kept[row]!;
  if (kept.every(Boolean)) return table;
  return {
    ...table,
    columns: columns.map((column) => ({ ...column, values: column.values.filter(isKept) })),
    dates: dates.filter(isKept),
    known: known.filter(isKept),
    symbols: symbols?.filter(isKept),
  };
}
