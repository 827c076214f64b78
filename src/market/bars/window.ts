import { formatInstant, guardInstances, type Instant } from '../../kernel/index.ts';
import { groupingBySessions, type Sessions } from '../calendar/sessions.ts';
import type { Feature, GrowingFeature } from '../features/feature.ts';
import type { Bar, BarSeries } from './bar-columns.ts';
import { type Column, GrowingColumn, rebaseEarlier, type SharedMeans, showRow } from './column.ts';
import { type DataFrame, dataFrame } from './frame.ts';
import { type Grouping, groupingBy, type Interval, unknownContext, unknownFeature } from './interval.ts';
import { type ResampledBars, Resampler } from './resampled.ts';

/** Adjustment of earlier bars at a split, dividend or roll. */
export interface Rebasing {
  /** Factors of the prices and volumes of earlier bars. */
  readonly price: number;
  readonly volume: number;
  /** Amount added to the prices of earlier bars: the price gap of a roll between futures contracts. */
  readonly shift?: number;
}

/** Bars of one symbol that are visible after the close of the current bar. */
export interface Window {
  readonly symbol: string;
  /** Number of readable bars. With a look-back limit, at most this limit. */
  readonly length: number;
  /** Number of bars revealed since the start, including bars that the look-back limit has made unreadable. */
  readonly revealed: number;
  readonly time: Column;
  readonly open: Column;
  readonly high: Column;
  readonly low: Column;
  readonly close: Column;
  readonly volume: Column;
  /**
   * True if the symbol has no bar at the current time. `bar` is then an earlier bar, and the symbol cannot be
   * traded now.
   */
  readonly isStale: boolean;
  /** Newest bar. `undefined` before the symbol's first bar. */
  readonly bar: Bar | undefined;
  /**
   * Returns a bar by position. Negative positions count from the end: -1 is the newest. `undefined` if
   * missing.
   */
  barAt(index: number): Bar | undefined;
  /** Time from a bar's stamp to its end. `undefined` if the end is unknown before the next bar. */
  readonly barLength: Interval | undefined;
  /**
   * Sessions to which the bars belong. `undefined` without `--session` and `--calendar`, for daily bars
   * without `--calendar`, and for bars longer than a day.
   */
  readonly sessions: Sessions | undefined;
  /**
   * Combines the bars into longer bars, such as `4h`, `1d`, `1w` or `1mo`. Returns the finished long bars.
   * With `partial`, also returns the unfinished one. Bars are grouped as by the function `resample`, by
   * sessions if `sessions` is defined. A long bar has the time of its last short bar.
   *
   * @throws AppError `bad_rule`
   */
  resample(rule: string, options?: { readonly partial?: boolean }): ResampledBars;
  /**
   * Returns the ended bars of a context series, which is not traded. Option `--context` adds such series.
   *
   * @throws AppError `unknown_context`
   */
  context(symbol: string): Window;
  /**
   * Adjustments of earlier bars, oldest first: at rolls, and with the run setting `adjust` also at splits and
   * dividends.
   */
  readonly rebasings: readonly Rebasing[];
  /** Names of the features (additional time series), in the order of their files. */
  readonly features: readonly string[];
  /**
   * Visible part of a feature. Numbers are a column with one value per bar. Use `feature<string>(name)` for
   * texts.
   *
   * @throws AppError `unknown_feature`
   */
  feature<Value extends number | string | boolean = number>(name: string): Feature<Value>;
  /**
   * Returns bars and features as a danfo.js DataFrame: date, open, high, low, close, volume. The library is
   * loaded on first use.
   */
  toFrame(): Promise<DataFrame>;
}

// Not exported from this file, so that a strategy can neither add nor change a bar.
let pushBar: (window: GrowingWindow, series: BarSeries, index: number) => void;
let rest: (window: GrowingWindow) => void;
let rebase: (window: GrowingWindow, rebasing: Rebasing) => void;
/**
 * Registers a function that is called before each new bar that makes the oldest readable bar unreadable.
 *
 * @returns the look-back limit: the maximum number of readable bars. Infinity without a limit; the function
 *   is then never called
 */
export let beforeForgetting: (window: Window, listener: () => void) => number;

/** Optional parts of a window. */
export interface WindowExtras {
  /** Features by name. Each has one value per bar. */
  readonly features?: ReadonlyMap<string, GrowingFeature> | undefined;
  /** Time from a bar's stamp to its end. */
  readonly barLength?: Interval | undefined;
  /** Trading sessions to which the bars belong. */
  readonly sessions?: Sessions | undefined;
  /** Windows of series that are not traded, by symbol. */
  readonly contexts?: ReadonlyMap<string, Window> | undefined;
  /** Cache of the means of closes, shared by trials on the same series. */
  readonly means?: SharedMeans | undefined;
}

/** Window that grows by one bar at a time. Later bars cannot be read. */
class GrowingWindow implements Window {
  static {
    pushBar = (window, series, index) => window.#pushBar(series, index);
    rebase = (window, rebasing) => window.#rebase(rebasing);
    rest = (window) => {
      window.#isStale = true;
    };
    beforeForgetting = (window, listener) => {
      const own = window as GrowingWindow;
      own.#listeners = [...(own.#listeners ?? []), listener];
      return own.#lookback;
    };
  }

  readonly symbol: string;
  readonly time: GrowingColumn;
  readonly open: GrowingColumn;
  readonly high: GrowingColumn;
  readonly low: GrowingColumn;
  readonly close: GrowingColumn;
  readonly volume: GrowingColumn;
  readonly barLength: Interval | undefined;
  readonly sessions: Sessions | undefined;
  readonly #features: ReadonlyMap<string, GrowingFeature>;
  readonly #contexts: ReadonlyMap<string, Window>;
  readonly #lookback: number;
  readonly #resamplers = new Map<string, Resampler>();
  readonly #rebasings: Rebasing[] = [];
  #listeners: readonly (() => void)[] | undefined;
  #revealed = 0;
  #isStale = true;

  /**
   * @param lookback number of readable bars. Infinity for all
   * @param closes closes of the series, to which the shared means belong
   */
  constructor(
    symbol: string,
    lookback: number = Number.POSITIVE_INFINITY,
    { features = NO_FEATURES, contexts = NO_CONTEXTS, barLength, sessions, means }: WindowExtras = {},
    closes?: Float64Array,
  ) {
    this.symbol = symbol;
    const visible = { count: 0 };
    this.time = new GrowingColumn(lookback, visible);
    this.open = new GrowingColumn(lookback, visible);
    this.high = new GrowingColumn(lookback, visible);
    this.low = new GrowingColumn(lookback, visible);
    this.close = new GrowingColumn(lookback, visible, closes && means?.of(closes));
    this.volume = new GrowingColumn(lookback, visible);
    this.#features = features;
    this.#contexts = contexts;
    this.#lookback = lookback;
    this.barLength = barLength;
    this.sessions = sessions;
  }

  resample(rule: string, { partial = false }: { readonly partial?: boolean } = {}): ResampledBars {
    if (this.#lookback !== Number.POSITIVE_INFINITY) return this.#resampleSight(rule).bars(partial);
    let resampler = this.#resamplers.get(rule);
    if (resampler === undefined) {
      resampler = new Resampler(rule, this.#groupingBy(rule), this.barLength);
      this.#resamplers.set(rule, resampler);
    }
    while (resampler.taken < this.length) resampler.take(this.barAt(resampler.taken)!);
    return resampler.bars(partial);
  }

  #groupingBy(rule: string): Grouping {
    return this.sessions === undefined ? groupingBy(rule) : groupingBySessions(rule, this.sessions);
  }

  /** Combines only the readable bars. Omits the first group if some of its bars are no longer readable. */
  #resampleSight(rule: string): Resampler {
    const grouping = this.#groupingBy(rule);
    const resampler = new Resampler(rule, grouping, this.barLength);
    const { groupOf } = grouping;
    const isCut = this.#revealed > this.length;
    const cut = isCut ? groupOf(this.time.at(0)) : Number.NaN;
    for (let index = 0; index < this.length; index++)
      if (groupOf(this.time.at(index)) !== cut) resampler.take(this.barAt(index)!);
    return resampler;
  }

  get rebasings(): readonly Rebasing[] {
    return [...this.#rebasings];
  }

  get isStale(): boolean {
    return this.#isStale;
  }

  context(symbol: string): Window {
    const window = this.#contexts.get(symbol);
    if (window === undefined) throw unknownContext(symbol, [...this.#contexts.keys()]);
    return window;
  }

  get features(): readonly string[] {
    return [...this.#features.keys()];
  }

  feature<Value extends number | string | boolean = number>(name: string): Feature<Value> {
    const feature = this.#features.get(name);
    if (feature === undefined) throw unknownFeature(name, this.features);
    return feature as unknown as Feature<Value>;
  }

  get length(): number {
    return this.close.length;
  }

  get revealed(): number {
    return this.#revealed;
  }

  #pushBar(series: BarSeries, index: number): void {
    if (this.#listeners !== undefined && this.length === this.#lookback)
      for (const listener of this.#listeners) listener();
    showRow(this, series, index);
    this.#revealed += 1;
    this.#isStale = false;
  }

  #rebase(rebasing: Rebasing): void {
    for (const column of [this.open, this.high, this.low, this.close])
      rebaseEarlier(column, rebasing.price, rebasing.shift);
    rebaseEarlier(this.volume, rebasing.volume);
    this.#rebasings.push(rebasing);
    // Long bars were computed from prices without this adjustment. They are discarded and computed again on
    // request.
    this.#resamplers.clear();
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
      ...Object.fromEntries([...this.#features].map(([name, feature]) => [name, feature.tail(this.length)])),
    });
  }
}

// A misspelt member such as `closes` would otherwise be `undefined`, and a comparison with it would be false.
guardInstances(GrowingWindow, 'window');

const NO_FEATURES: ReadonlyMap<string, GrowingFeature> = new Map();
const NO_CONTEXTS: ReadonlyMap<string, Window> = new Map();

/**
 * Makes the bars of one series visible in its window, one by one. Strategies have access only to the window,
 * so they cannot read later bars.
 */
export class SeriesCursor {
  readonly #window: GrowingWindow;
  readonly #series: BarSeries;
  #next = 0;

  constructor(series: BarSeries, lookback: number = Number.POSITIVE_INFINITY, extras: WindowExtras = {}) {
    this.#series = series;
    this.#window = new GrowingWindow(series.symbol, lookback, extras, series.close);
  }

  get window(): Window {
    return this.#window;
  }

  /** Reveals the series' next bar if its time is this instant. Returns true if a bar was revealed. */
  advanceTo(instant: Instant): boolean {
    const series = this.#series;
    const next = this.#next;
    if (series.time[next] !== instant) {
      rest(this.#window);
      return false;
    }
    pushBar(this.#window, series, next);
    this.#next = next + 1;
    return true;
  }

  /** Adjusts all bars except the newest, for a split, dividend or roll at the newest bar. */
  rebase(rebasing: Rebasing): void {
    rebase(this.#window, rebasing);
  }

  /** Marks that the series has no bar at the current time. */
  rest(): void {
    rest(this.#window);
  }
}
