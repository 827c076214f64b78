import { formatInstant, type Instant } from '../kernel/index.ts';
import type { Bar, BarSeries } from './bar-series.ts';
import { type DataFrame, dataFrame } from './frame.ts';

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
  /** Bars seen since the start, those beyond the look-back included. */
  readonly revealed: number;
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
  /** The bars as a danfo.js DataFrame: date, open, high, low, close, volume. The library is loaded on first use. */
  toFrame(): Promise<DataFrame>;
}

// Only this file can make a window grow: a decider that is handed one can neither add a bar nor change it.
let pushValue: (column: GrowingColumn, value: number) => void;
let pushBar: (window: GrowingWindow, series: BarSeries, index: number) => void;

class GrowingColumn implements Column {
  static {
    pushValue = (column, value) => column.#push(value);
  }

  #values: Float64Array;
  #length = 0;
  readonly #limit: number;

  constructor(capacity: number, limit: number) {
    this.#values = new Float64Array(capacity);
    this.#limit = limit;
  }

  #push(value: number): void {
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

/** A window that grows by one bar at a time; it holds no bar that was not pushed. */
class GrowingWindow implements Window {
  static {
    pushBar = (window, series, index) => window.#pushBar(series, index);
  }

  readonly symbol: string;
  readonly time: GrowingColumn;
  readonly open: GrowingColumn;
  readonly high: GrowingColumn;
  readonly low: GrowingColumn;
  readonly close: GrowingColumn;
  readonly volume: GrowingColumn;
  #revealed = 0;

  /**
   * @param capacity bars to make room for at first
   * @param lookback bars kept in sight; Infinity for all
   */
  constructor(symbol: string, capacity: number, lookback: number = Number.POSITIVE_INFINITY) {
    const room = Math.max(16, Math.min(capacity, 2 * lookback));
    this.symbol = symbol;
    this.time = new GrowingColumn(room, lookback);
    this.open = new GrowingColumn(room, lookback);
    this.high = new GrowingColumn(room, lookback);
    this.low = new GrowingColumn(room, lookback);
    this.close = new GrowingColumn(room, lookback);
    this.volume = new GrowingColumn(room, lookback);
  }

  get length(): number {
    return this.close.length;
  }

  get revealed(): number {
    return this.#revealed;
  }

  #pushBar(series: BarSeries, index: number): void {
    pushValue(this.time, series.time[index]!);
    pushValue(this.open, series.open[index]!);
    pushValue(this.high, series.high[index]!);
    pushValue(this.low, series.low[index]!);
    pushValue(this.close, series.close[index]!);
    pushValue(this.volume, series.volume[index]!);
    this.#revealed += 1;
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

  toFrame(): Promise<DataFrame> {
    const all = (column: Column): Float64Array => column.tail(this.length);
    return dataFrame({
      date: Array.from(all(this.time), formatInstant),
      open: all(this.open),
      high: all(this.high),
      low: all(this.low),
      close: all(this.close),
      volume: all(this.volume),
    });
  }
}

/** Moves one series' bars into its window, one by one: the only holder of both. */
export class SeriesCursor {
  readonly #window: GrowingWindow;
  readonly #series: BarSeries;
  #next = 0;

  constructor(series: BarSeries, lookback: number = Number.POSITIVE_INFINITY) {
    this.#series = series;
    this.#window = new GrowingWindow(series.symbol, series.time.length, lookback);
  }

  get window(): Window {
    return this.#window;
  }

  /** Reveals the series' next bar when it is the bar of this instant; says whether it was. */
  advanceTo(instant: Instant): boolean {
    const series = this.#series;
    const next = this.#next;
    if (series.time[next] !== instant) return false;
    pushBar(this.#window, series, next);
    this.#next = next + 1;
    return true;
  }
}
