import type { BarSeries } from './bar-columns.ts';

/**
 * Values of one field, such as the close, of the bars revealed so far. Values are copied into the column one
 * by one, so the column never contains later values.
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
/** Columns of one symbol's visible bars. All columns have the same length and look-back limit. */
type BarColumns = Readonly<Record<'time' | 'open' | 'high' | 'low' | 'close' | 'volume', GrowingColumn>>;
/** Appends one bar of a series to all columns. Faster than a separate call for each column. */
export let pushRow: (columns: BarColumns, series: BarSeries, index: number) => void;
/**
 * Multiplies all values except the newest by `factor`, adds `shift`, and rounds to twelve digits. Adjusts
 * history at a split, dividend or roll.
 */
export let rebaseEarlier: (column: GrowingColumn, factor: number, shift?: number) => void;

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

/** Column that grows by one value at a time. Contains only values that were pushed. */
export class GrowingColumn implements Column {
  static {
    pushValue = (column, value) => column.#push(value);
    pushRow = ({ time, open, high, low, close, volume }, series, index) => {
      if (time.#length === time.#values.length)
        for (const column of [time, open, high, low, close, volume]) column.#makeRoom();
      const row = time.#length;
      time.#values[row] = series.time[index]!;
      open.#values[row] = series.open[index]!;
      high.#values[row] = series.high[index]!;
      low.#values[row] = series.low[index]!;
      close.#values[row] = series.close[index]!;
      volume.#values[row] = series.volume[index]!;
      const length = row + 1;
      time.#length = length;
      open.#length = length;
      high.#length = length;
      low.#length = length;
      close.#length = length;
      volume.#length = length;
    };
    rebaseEarlier = (column, factor, shift = 0) => {
      const values = column.#values;
      // The adjusted values differ from the values of the series. The shared means were computed from the
      // series, so they are not used from now on.
      column.#means = undefined;
      for (let index = 0; index < column.#length - 1; index++)
        values[index] = roundedPrice(values[index]! * factor + shift);
    };
  }

  #values: Float64Array;
  #length = 0;
  readonly #limit: number;
  #means: ((count: number) => Float64Array | undefined) | undefined;

  /**
   * @param capacity initial capacity in values
   * @param limit number of readable values. Infinity for all
   * @param means function from `SharedMeans` that returns the shared means for a number of values
   */
  constructor(capacity: number, limit: number, means?: (count: number) => Float64Array | undefined) {
    // Means are indexed by position in the series. With a look-back limit, the column drops old values, so
    // its positions differ and the means cannot be used.
    this.#means = limit === Number.POSITIVE_INFINITY ? means : undefined;
    this.#values = new Float64Array(capacity);
    this.#limit = limit;
  }

  #push(value: number): void {
    if (this.#length === this.#values.length) this.#makeRoom();
    this.#values[this.#length++] = value;
  }

  // With a look-back limit, the column drops the oldest values instead of growing, so memory use is constant.
  #makeRoom(): void {
    const keep = Math.min(this.#length, this.#limit);
    const target = this.#length >= 2 * this.#limit ? this.#values : new Float64Array(2 * this.#values.length);
    if (target === this.#values) {
      target.copyWithin(0, this.#length - keep, this.#length);
      this.#length = keep;
    } else {
      target.set(this.#values);
      this.#values = target;
    }
  }

  get length(): number {
    return Math.min(this.#length, this.#limit);
  }

  get last(): number {
    return this.#length === 0 ? Number.NaN : this.#values[this.#length - 1]!;
  }

  at(index: number): number {
    const length = this.length;
    const position = index < 0 ? length + index : index;
    return position >= 0 && position < length ? this.#values[this.#length - length + position]! : Number.NaN;
  }

  tail(count: number): Float64Array {
    return this.#values.slice(Math.max(this.#length - Math.min(count, this.#limit), 0), this.#length);
  }

  mean(count: number): number {
    if (!(count >= 1) || count > this.length) return Number.NaN;
    const means = this.#means?.(count);
    if (means === undefined) return this.#meanOf(count);
    const known = means[this.#length - 1]!;
    if (!Number.isNaN(known)) return known;
    const computed = this.#meanOf(count);
    means[this.#length - 1] = computed;
    return computed;
  }

  #meanOf(count: number): number {
    const values = this.#values;
    let sum = 0;
    for (let index = this.#length - count; index < this.#length; index++) sum += values[index]!;
    return sum / count;
  }
}

/**
 * Rounds a price to twelve significant digits before it becomes a decimal, which removes floating-point noise
 * from products.
 */
export function roundedPrice(value: number): number {
  return Number(value.toPrecision(12));
}
