import { type Instant } from '../kernel/index.ts';
import type { Bar, BarSeries } from './bar-series.ts';

/** A column of the bars revealed so far. It holds no number of a later bar: they are copied in one at a time. */
export interface Column {
  readonly length: number;
  /** The newest value; NaN while there is none. */
  readonly last: number;
  /** By position, negative from the end: `at(-1)` is the newest. NaN outside. */
  at(index: number): number;
  /** A copy of the newest `count` values, oldest first (fewer when there are fewer). */
  tail(count: number): Float64Array;
  /** Arithmetic mean of the newest `count` values; NaN while there are fewer. */
  mean(count: number): number;
}

/** What is known of one symbol after the current bar closed: its bars up to now and nothing else. */
export interface Window {
  readonly symbol: string;
  /** Bars known. */
  readonly length: number;
  readonly time: Column;
  readonly open: Column;
  readonly high: Column;
  readonly low: Column;
  readonly close: Column;
  readonly volume: Column;
  /** The newest bar; undefined before the symbol's first. */
  readonly bar: Bar | undefined;
  /** A bar by position, negative from the end. */
  barAt(index: number): Bar | undefined;
}

class GrowingColumn implements Column {
  #values: Float64Array;
  #length = 0;
  readonly #limit: number;

  constructor(capacity: number, limit: number) {
    this.#values = new Float64Array(capacity);
    this.#limit = limit;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#makeRoom();
    this.#values[this.#length++] = value;
  }

  // With a look-back limit the oldest half is dropped instead of growing: memory stays flat.
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

/** A window that the engine moves forward bar by bar. */
export class GrowingWindow implements Window {
  readonly symbol: string;
  readonly time: GrowingColumn;
  readonly open: GrowingColumn;
  readonly high: GrowingColumn;
  readonly low: GrowingColumn;
  readonly close: GrowingColumn;
  readonly volume: GrowingColumn;
  readonly #series: BarSeries;
  #revealed = 0;

  /** @param lookback bars kept in sight; Infinity for all */
  constructor(series: BarSeries, lookback: number = Number.POSITIVE_INFINITY) {
    const capacity = Math.max(16, Math.min(series.time.length, 2 * lookback));
    this.symbol = series.symbol;
    this.#series = series;
    this.time = new GrowingColumn(capacity, lookback);
    this.open = new GrowingColumn(capacity, lookback);
    this.high = new GrowingColumn(capacity, lookback);
    this.low = new GrowingColumn(capacity, lookback);
    this.close = new GrowingColumn(capacity, lookback);
    this.volume = new GrowingColumn(capacity, lookback);
  }

  get length(): number {
    return this.close.length;
  }

  /** Bars revealed since the start, the forgotten ones included. */
  get revealed(): number {
    return this.#revealed;
  }

  /** Reveals the series' next bar when it is the bar of this instant; says whether it was. */
  advanceTo(instant: Instant): boolean {
    const next = this.#revealed;
    const series = this.#series;
    if (series.time[next] !== instant) return false;
    this.time.push(instant);
    this.open.push(series.open[next]!);
    this.high.push(series.high[next]!);
    this.low.push(series.low[next]!);
    this.close.push(series.close[next]!);
    this.volume.push(series.volume[next]!);
    this.#revealed = next + 1;
    return true;
  }

  get bar(): Bar | undefined {
    return this.barAt(-1);
  }

  barAt(index: number): Bar | undefined {
    const position = index < 0 ? this.length + index : index;
    if (position < 0 || position >= this.length) return undefined;
    return {
      time: this.time.at(position),
      open: this.open.at(position),
      high: this.high.at(position),
      low: this.low.at(position),
      close: this.close.at(position),
      volume: this.volume.at(position),
    };
  }
}
