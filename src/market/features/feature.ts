import type { Instant } from '../../kernel/index.ts';
import { type Column, GrowingColumn, pushValue } from '../bars/column.ts';
import type { FeatureType, FeatureValue } from './bar-columns.ts';

/**
 * Visible row of a feature (time series other than bars): its date, the time at which it became visible, and
 * its value.
 */
export interface KnownRow<Value = FeatureValue> {
  readonly date: Instant;
  readonly availableAt: Instant;
  readonly value: Value | null;
}

/** Visible part of a feature of any type. */
interface FeatureBase<Value> {
  readonly name: string;
  readonly type: FeatureType;
  /** Date of the newest value. NaN if no value is visible. */
  readonly date: Instant;
  /** Time at which the newest value became visible. NaN if no value is visible. */
  readonly availableAt: Instant;
  /**
   * Returns the visible rows, sorted by date. If the value of a date was revised, returns only the row that
   * became visible last.
   *
   * @param options `vintages`: if true, returns all visible rows of each date
   */
  rows(options?: { readonly vintages?: boolean }): readonly KnownRow<Value>[];
}

/**
 * Numeric feature: a column with one value per bar. Each value is the newest value that was visible at the
 * end of the bar. NaN if missing.
 */
export interface NumberFeature extends Column, FeatureBase<number> {
  readonly type: 'number';
}

/** Text or boolean feature with one value per bar. `null` if missing. */
export interface ValueFeature<Value extends string | boolean> extends FeatureBase<Value> {
  readonly length: number;
  readonly last: Value | null;
  /** Value by position, negative from the end. `null` if the position does not exist. */
  at(index: number): Value | null;
  /** Newest `count` values, oldest first. */
  tail(count: number): (Value | null)[];
}

/** Type of a feature: `Feature<string>` for texts, `Feature<boolean>` for booleans, `Feature` for numbers. */
export type Feature<Value extends number | string | boolean = number> = [Value] extends [number]
  ? NumberFeature
  : ValueFeature<Extract<Value, string | boolean>>;

// Functions that append values. Not exported by `src/market/index.ts`, so that a strategy cannot add values.
export let pushRow: (
  rows: KnownRows,
  date: Instant,
  availableAt: Instant,
  values: readonly FeatureValue[],
) => void;
export let pushKnown: (feature: GrowingFeature) => void;
/**
 * Appends a value that the engine's process computed. Used in the separate process in which a sandboxed
 * strategy runs.
 */
export let pushShown: (
  feature: GrowingFeature,
  value: FeatureValue,
  date: Instant,
  availableAt: Instant,
) => void;

/**
 * Visible rows of a feature table that apply to one symbol, or to all symbols. Rows that apply to all symbols
 * are stored once, and the features of all symbols read them.
 */
export class KnownRows {
  static {
    pushRow = (rows, date, availableAt, values) => rows.#push(date, availableAt, values);
  }

  /** Names of the features, in the order of the values in each row. */
  readonly names: readonly string[];
  /** `undefined` if the rows apply to all symbols. */
  readonly symbol: string | undefined;
  readonly #dates: Instant[] = [];
  readonly #availableAt: Instant[] = [];
  readonly #values: (readonly FeatureValue[])[] = [];
  /**
   * Index of the row with the newest date. If several rows have this date, the row that became visible last.
   * -1 if no row is visible.
   */
  #newest = -1;

  constructor(names: readonly string[], symbol: string | undefined) {
    this.names = names;
    this.symbol = symbol;
  }

  #push(date: Instant, availableAt: Instant, values: readonly FeatureValue[]): void {
    this.#dates.push(date);
    this.#availableAt.push(availableAt);
    this.#values.push(values);
    if (this.#newest < 0 || date >= this.#dates[this.#newest]!) this.#newest = this.#dates.length - 1;
  }

  /** Number of visible rows. */
  get length(): number {
    return this.#dates.length;
  }

  get newest(): number {
    return this.#newest;
  }

  /**
   * Returns the date of a row. Rows are indexed in the order in which they became visible. NaN for an unknown
   * row.
   */
  dateOf(row: number): Instant {
    return this.#dates[row] ?? Number.NaN;
  }

  availableAt(row: number): Instant {
    return this.#availableAt[row] ?? Number.NaN;
  }

  valueOf(row: number, column: number): FeatureValue {
    return this.#values[row]?.[column] ?? null;
  }
}

/**
 * Feature of one symbol that grows by one value per bar. Gives other modules access to the rows behind the
 * values.
 */
export interface GrowingFeature extends FeatureBase<string | number | boolean> {
  /** Rows from which the feature's value is taken. Empty if no table has rows for its symbol. */
  readonly known: readonly { readonly rows: KnownRows; readonly column: number }[];
  readonly length: number;
  tail(count: number): Float64Array | FeatureValue[];
}

type Sources = readonly { readonly rows: KnownRows; readonly column: number }[];

/**
 * Returns the row with the newest date in several tables. If several rows have this date, returns the row
 * that became visible last.
 */
function newestOf(sources: Sources): { readonly rows: KnownRows; readonly column: number } | undefined {
  let best: Sources[number] | undefined;
  for (const source of sources) {
    if (source.rows.newest < 0) continue;
    if (best === undefined || isNewer(source.rows, best.rows)) best = source;
  }
  return best;
}

function isNewer(one: KnownRows, other: KnownRows): boolean {
  const [a, b] = [one.dateOf(one.newest), other.dateOf(other.newest)];
  return a > b || (a === b && one.availableAt(one.newest) > other.availableAt(other.newest));
}

type Stamps = Pick<KnownRow, 'date' | 'availableAt'>;
const NOTHING_SHOWN: Stamps = { date: Number.NaN, availableAt: Number.NaN };

function stampsOf(source: Sources[number] | undefined): Stamps {
  if (source === undefined) return NOTHING_SHOWN;
  const { rows } = source;
  return { date: rows.dateOf(rows.newest), availableAt: rows.availableAt(rows.newest) };
}

function rowsOf(sources: Sources, vintages: boolean): KnownRow<never>[] {
  const all = sources.flatMap(({ rows, column }) =>
    Array.from({ length: rows.length }, (_, row) => ({
      date: rows.dateOf(row),
      availableAt: rows.availableAt(row),
      value: rows.valueOf(row, column) as never,
    })),
  );
  all.sort((a, b) => a.date - b.date || a.availableAt - b.availableAt);
  return vintages ? all : all.filter(({ date }, index) => all[index + 1]?.date !== date);
}

class NumberColumn extends GrowingColumn implements NumberFeature, GrowingFeature {
  readonly name: string;
  readonly type = 'number';
  readonly known: Sources;
  #shown: Stamps = NOTHING_SHOWN;

  constructor(name: string, known: Sources, lookback: number) {
    super(lookback);
    this.name = name;
    this.known = known;
  }

  static {
    const showNumber = (column: NumberColumn, value: FeatureValue, shown: Stamps): void => {
      column.#shown = shown;
      pushValue(column, typeof value === 'number' ? value : Number.NaN);
    };
    pushShown = (feature, value, date, availableAt) => {
      const shown = { date, availableAt };
      if (feature instanceof NumberColumn) showNumber(feature, value, shown);
      else if (feature instanceof ValueColumn) showValue(feature, value, shown);
    };
    pushKnown = (feature) => {
      const source = newestOf(feature.known);
      const { date, availableAt } = stampsOf(source);
      const value = source?.rows.valueOf(source.rows.newest, source.column) ?? null;
      pushShown(feature, value, date, availableAt);
    };
  }

  get date(): Instant {
    return this.#shown.date;
  }

  get availableAt(): Instant {
    return this.#shown.availableAt;
  }

  rows({ vintages = false } = {}): KnownRow<never>[] {
    return rowsOf(this.known, vintages);
  }
}

let showValue: (column: ValueColumn, value: FeatureValue, shown: Stamps) => void;

class ValueColumn implements ValueFeature<string | boolean>, GrowingFeature {
  static {
    showValue = (column, value, shown) => {
      column.#shown = shown;
      column.#values.push(typeof value === 'number' ? String(value) : value);
      // Drops the oldest half in one step, like numeric columns, so that memory use stays constant with a
      // look-back limit.
      if (column.#values.length >= 2 * column.#limit + 16)
        column.#values = column.#values.slice(-column.#limit);
    };
  }

  readonly name: string;
  readonly type: 'text' | 'boolean';
  readonly known: Sources;
  readonly #limit: number;
  #values: (string | boolean | null)[] = [];
  #shown: Stamps = NOTHING_SHOWN;

  constructor(name: string, type: 'text' | 'boolean', known: Sources, lookback: number) {
    this.name = name;
    this.type = type;
    this.known = known;
    this.#limit = lookback;
  }

  get length(): number {
    return Math.min(this.#values.length, this.#limit);
  }

  get last(): string | boolean | null {
    return this.#values.at(-1) ?? null;
  }

  at(index: number): string | boolean | null {
    const { length } = this;
    const position = index < 0 ? length + index : index;
    return position >= 0 && position < length
      ? (this.#values[this.#values.length - length + position] ?? null)
      : null;
  }

  tail(count: number): (string | boolean | null)[] {
    const from = Math.max(this.#values.length - Math.min(count, this.#limit), 0);
    return this.#values.slice(Number.isNaN(from) ? this.#values.length : from);
  }

  get date(): Instant {
    return this.#shown.date;
  }

  get availableAt(): Instant {
    return this.#shown.availableAt;
  }

  rows({ vintages = false } = {}): KnownRow<never>[] {
    return rowsOf(this.known, vintages);
  }
}

/** Creates an empty feature. `pushKnown` later appends one value per bar. */
export function growingFeature(
  name: string,
  type: FeatureType,
  known: Sources,
  lookback: number,
): GrowingFeature {
  return type === 'number'
    ? new NumberColumn(name, known, lookback)
    : new ValueColumn(name, type, known, lookback);
}

/** Returns the features of a window with their rows. Used to copy features to another process. */
export function featuresOf(window: {
  readonly features: readonly string[];
  feature(name: string): unknown;
}): readonly GrowingFeature[] {
  return window.features.map((name) => window.feature(name) as GrowingFeature);
}

/**
 * Returns the rows that a feature of a symbol's window uses: those for this symbol and those for all symbols.
 */
export function sourcesOf(groups: readonly KnownRows[], name: string, symbol: string): Sources {
  const own = groups.filter((rows) => rows.symbol === undefined || rows.symbol === symbol);
  const sources = own.flatMap((rows) => {
    const column = rows.names.indexOf(name);
    return column < 0 ? [] : [Object.freeze({ rows, column })];
  });
  return Object.freeze(sources);
}
