/**
 * Column of the bars revealed so far. Values of later bars are not in memory: values are copied in one at a
 * time.
 */
export interface Column {
  readonly length: number;
  /** Newest value. NaN for an empty column. */
  readonly last: number;
  /** Value by position, negative from the end: `at(-1)` is the newest. NaN outside. */
  at(index: number): number;
  /** Copy of the newest `count` values, oldest first. Fewer if the column is shorter. */
  tail(count: number): Float64Array;
  /** Arithmetic mean of the newest `count` values. NaN if there are fewer. */
  mean(count: number): number;
}

// Appends to a column. Exported only within this layer, so a decider cannot add values.
export let pushValue: (column: GrowingColumn, value: number) => void;
/**
 * Multiplies all values except the newest and adds to them, to twelve digits. Adjusts history at a split,
 * dividend or roll.
 */
export let rebaseEarlier: (column: GrowingColumn, factor: number, shift?: number) => void;

/** Column that grows by one value at a time. Contains only values that were pushed. */
export class GrowingColumn implements Column {
  static {
    pushValue = (column, value) => column.#push(value);
    rebaseEarlier = (column, factor, shift = 0) => {
      const values = column.#values;
      for (let index = 0; index < column.#length - 1; index++)
        values[index] = roundedPrice(values[index]! * factor + shift);
    };
  }

  #values: Float64Array;
  #length = 0;
  readonly #limit: number;

  /**
   * @param capacity initial capacity in values
   * @param limit number of readable values. Infinity for all
   */
  constructor(capacity: number, limit: number) {
    this.#values = new Float64Array(capacity);
    this.#limit = limit;
  }

  #push(value: number): void {
    if (this.#length === this.#values.length) this.#makeRoom();
    this.#values[this.#length++] = value;
  }

  // With a look-back limit the oldest values are dropped instead of growing, so memory use is constant.
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
