import type { Instant } from '../../kernel/index.ts';
import { type Column, GrowingColumn, pushValue } from '../column.ts';
import type { FeatureType, FeatureValue } from './table.ts';

/** A row of a feature that is known: what it is about, when it was known, and what it says. */
export interface KnownRow<Value = FeatureValue> {
  readonly date: Instant;
  readonly availableAt: Instant;
  readonly value: Value | null;
}

/** A feature as far as it is known, whatever it holds. */
interface FeatureBase<Value> {
  readonly name: string;
  readonly type: FeatureType;
  /** What the newest value is about; NaN while none is known. */
  readonly date: Instant;
  /** When the newest value was known; NaN while none is. */
  readonly availableAt: Instant;
  /**
   * The rows that are known, in order of their dates: of each date the newest that is known.
   *
   * @param options `vintages`: every row that is known, those that a later one has revised too
   */
  rows(options?: { readonly vintages?: boolean }): readonly KnownRow<Value>[];
}

/** A feature of numbers: a column as long as the bars, each the newest that was known when its bar had ended; NaN for none. */
export interface NumberFeature extends Column, FeatureBase<number> {
  readonly type: 'number';
}

/** A feature of texts or booleans, as long as the bars; null for none. */
export interface ValueFeature<Value extends string | boolean> extends FeatureBase<Value> {
  readonly length: number;
  readonly last: Value | null;
  /** By position, negative from the end; null outside. */
  at(index: number): Value | null;
  /** The newest `count` values, oldest first. */
  tail(count: number): (Value | null)[];
}

/** `Feature<string>` for texts, `Feature<boolean>`, and numbers where nothing is said. */
export type Feature<Value extends number | string | boolean = number> = [Value] extends [number]
  ? NumberFeature
  : ValueFeature<Extract<Value, string | boolean>>;

// What makes them grow: see `pushValue`.
export let pushRow: (
  rows: KnownRows,
  date: Instant,
  availableAt: Instant,
  values: readonly FeatureValue[],
) => void;
export let pushKnown: (feature: GrowingFeature) => void;
/** Pushes a value that was worked out elsewhere, as of a sealed strategy's other side. */
export let pushShown: (
  feature: GrowingFeature,
  value: FeatureValue,
  date: Instant,
  availableAt: Instant,
) => void;

/** The known rows of a table about one symbol, or about all: shared by the features of every window that shows them. */
export class KnownRows {
  static {
    pushRow = (rows, date, availableAt, values) => rows.#push(date, availableAt, values);
  }

  /** Names of the values, in their order. */
  readonly names: readonly string[];
  /** Undefined for rows about all symbols. */
  readonly symbol: string | undefined;
  readonly #dates: Instant[] = [];
  readonly #availableAt: Instant[] = [];
  readonly #values: (readonly FeatureValue[])[] = [];
  /** The row that is newest by its date, and of that date the last that was known; -1 while none is known. */
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

  /** Rows known. */
  get length(): number {
    return this.#dates.length;
  }

  get newest(): number {
    return this.#newest;
  }

  /** In the order they were known. */
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

/** What a window shows of one feature. */
export interface GrowingFeature extends FeatureBase<string | number | boolean> {
  /** The rows it shows the newest of; none where no table has any about its symbol. */
  readonly known: readonly { readonly rows: KnownRows; readonly column: number }[];
  readonly length: number;
  tail(count: number): Float64Array | FeatureValue[];
}

type Sources = readonly { readonly rows: KnownRows; readonly column: number }[];

/** Of several tables' rows the newest by its date, then the last that was known. */
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
    super(Math.max(16, Math.min(1024, 2 * lookback)), lookback);
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
      // As of numbers: the oldest half is dropped at once, so that a look-back keeps memory flat.
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

/** A feature of a window, with nothing known yet. */
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

/** The features of a window, as what works for its decider reads them. */
export function featuresOf(window: {
  readonly features: readonly string[];
  feature(name: string): unknown;
}): readonly GrowingFeature[] {
  return window.features.map((name) => window.feature(name) as GrowingFeature);
}

/** The rows about a symbol, and those about all, that a feature of its window shows. */
export function sourcesOf(groups: readonly KnownRows[], name: string, symbol: string): Sources {
  const own = groups.filter((rows) => rows.symbol === undefined || rows.symbol === symbol);
  const sources = own.flatMap((rows) => {
    const column = rows.names.indexOf(name);
    return column < 0 ? [] : [Object.freeze({ rows, column })];
  });
  return Object.freeze(sources);
}
