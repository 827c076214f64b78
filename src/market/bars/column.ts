import { type BarSeries, PRICE_COLUMNS } from './bar-columns.ts';

/**
 * Values of one field, such as the close, of the bars revealed so far. Later values cannot be read. Arrays
 * that a column returns are copies.
 */
export interface Column {
  readonly length: number;
  /** Newest value. NaN for an empty column. */
  readonly last: number;
  /** Value by position, negative from the end: `at(-1)` is the newest. NaN if the position does not exist. */
  at(index: number): number;
  /** Copy of the newest `count` values, oldest first. Fewer if the column is shorter. */
  tail(count: number): Float64Array;
  /** Arithmetic mean of the newest `count` values. NaN if there are fewer. */
  mean(count: number): number;
}

// Appends a value to a column. Not exported from the package, so that a strategy cannot add values.
export let pushValue: (column: GrowingColumn, value: number) => void;
/** Columns of one symbol's bars. They share the number of visible bars and the look-back limit. */
type BarColumns = Readonly<Record<'time' | (typeof PRICE_COLUMNS)[number], GrowingColumn>>;
/** Makes the bar of a series at `index` visible in all columns. Bars become visible in order, from 0 on. */
export let showRow: (columns: BarColumns, series: BarSeries, index: number) => void;
/**
 * Multiplies all values except the newest by `factor`, adds `shift`, and rounds to twelve digits. Adjusts
 * history at a split, dividend or roll.
 */
export let rebaseEarlier: (column: GrowingColumn, factor: number, shift?: number) => void;

const NO_VALUES = new Float64Array();
/** Maximum number of stored means per column of a series. All numbers of averaged values count together. */
const MOST_MEANS = 4_000_000;

/**
 * Cache of moving averages for the trials of a sweep. A trial stores each mean that it computes. Later trials
 * on the same series read the stored mean at the same bar.
 */
export class SharedMeans {
  readonly #bySeries = new WeakMap<Float64Array, Map<number, Float64Array>>();

  /**
   * Returns a function that looks up the moving averages of one column of a series. Its argument is the
   * number of averaged values. The result has one mean per bar: `NaN` if no trial has computed the mean of
   * that bar. `undefined` if the cache of the column is full.
   */
  of(series: Float64Array): (count: number) => Float64Array | undefined {
    const known = this.#bySeries.get(series) ?? new Map<number, Float64Array>();
    this.#bySeries.set(series, known);
    return (count) => {
      const means = known.get(count);
      if (means !== undefined || !Number.isInteger(count)) return means;
      if ((known.size + 1) * series.length > MOST_MEANS) return undefined;
      const empty = new Float64Array(series.length).fill(Number.NaN);
      known.set(count, empty);
      return empty;
    };
  }
}

/**
 * Column that grows by one value at a time: a column of pushed values, or a column of a series of which only
 * the first values are visible.
 */
export class GrowingColumn implements Column {
  static {
    pushValue = (column, value) => column.#push(value);
    showRow = (columns, series, index) => {
      const { time, close } = columns;
      if (time.#values !== series.time) {
        time.#values = series.time;
        for (const name of PRICE_COLUMNS) if (!columns[name].#isOwn) columns[name].#values = series[name];
      }
      if (close.#isOwn) for (const name of PRICE_COLUMNS) columns[name].#set(index, series[name][index]!);
      time.#visible.count = index + 1;
    };
    rebaseEarlier = (column, factor, shift = 0) => {
      // The adjusted values differ from the values of the series. The shared means were computed from the
      // series, so they are not used from now on.
      column.#means = undefined;
      const { count } = column.#visible;
      const values = column.#isOwn ? column.#values : copyOf(column.#values, 0, count, 2 * count);
      for (let index = 0; index < count - 1; index++)
        values[index] = roundedPrice(values[index]! * factor + shift);
      column.#values = values;
      column.#isOwn = true;
    };
  }

  /** Values of this column, or of a series that this column shows without copying it. */
  #values: Float64Array = NO_VALUES;
  /** True if `#values` belongs to this column. False for a column that shows the values of a series. */
  #isOwn: boolean;
  readonly #visible: { count: number };
  readonly #limit: number;
  #means: ((count: number) => Float64Array | undefined) | undefined;

  /**
   * @param limit number of readable values. Infinity for all
   * @param shown for a column of a series: the number of visible bars, which the columns of the series share
   * @param means function from `SharedMeans` that returns the shared means for a number of values
   */
  constructor(limit: number, shown?: { count: number }, means?: (count: number) => Float64Array | undefined) {
    // Means are indexed by position in the series. With a look-back limit, a column of pushed values drops
    // old values, so its positions differ and the means cannot be used.
    this.#means = limit === Number.POSITIVE_INFINITY ? means : undefined;
    this.#isOwn = shown === undefined;
    this.#visible = shown ?? { count: 0 };
    this.#limit = limit;
  }

  #push(value: number): void {
    const visible = this.#visible;
    // With a look-back limit, the column drops the oldest values instead of growing, so memory use is
    // constant.
    if (visible.count === this.#values.length && visible.count >= 2 * this.#limit) {
      this.#values.copyWithin(0, visible.count - this.#limit, visible.count);
      visible.count = this.#limit;
    }
    this.#set(visible.count++, value);
  }

  #set(index: number, value: number): void {
    if (index >= this.#values.length) this.#values = copyOf(this.#values, 0, index, Math.max(16, 2 * index));
    this.#values[index] = value;
  }

  get length(): number {
    return Math.min(this.#visible.count, this.#limit);
  }

  get last(): number {
    const { count } = this.#visible;
    return count === 0 ? Number.NaN : this.#values[count - 1]!;
  }

  at(index: number): number {
    const length = this.length;
    const position = index < 0 ? length + index : index;
    return position >= 0 && position < length
      ? this.#values[this.#visible.count - length + position]!
      : Number.NaN;
  }

  tail(count: number): Float64Array {
    const end = this.#visible.count;
    return copyOf(this.#values, Math.max(end - Math.min(count, this.#limit), 0), end);
  }

  mean(count: number): number {
    if (!(count >= 1) || count > this.length) return Number.NaN;
    const means = this.#means?.(count);
    if (means === undefined) return this.#meanOf(count);
    const newest = this.#visible.count - 1;
    const known = means[newest]!;
    if (!Number.isNaN(known)) return known;
    const computed = this.#meanOf(count);
    means[newest] = computed;
    return computed;
  }

  #meanOf(count: number): number {
    const values = this.#values;
    const end = this.#visible.count;
    let sum = 0;
    for (let index = end - count; index < end; index++) sum += values[index]!;
    return sum / count;
  }
}

/**
 * Copies the values from `start` to before `end` into a new array with at least `room` elements. Calls no
 * method of the array: a strategy that replaces the method would receive the later values of a series.
 */
function copyOf(values: Float64Array, start: number, end: number, room = 0): Float64Array {
  const copy = new Float64Array(Math.max(end - start, room));
  for (let index = start; index < end; index++) copy[index - start] = values[index]!;
  return copy;
}

/**
 * Rounds a price to twelve significant digits before it becomes a decimal, which removes floating-point noise
 * from products.
 */
export function roundedPrice(value: number): number {
  return Number(value.toPrecision(12));
}
