import { formatInstant, type Instant } from '../kernel/index.ts';
import type { Bar, BarSeries } from './bar-series.ts';
import { groupingBySessions, type Sessions } from './calendar/sessions.ts';
import { type Column, GrowingColumn, pushValue, rebaseEarlier } from './column.ts';
import type { Feature, GrowingFeature } from './features/feature.ts';
import { type DataFrame, dataFrame } from './frame.ts';
import { type Grouping, groupingBy } from './grouping.ts';
import type { Interval } from './interval.ts';
import { type ResampledBars, Resampler } from './resampled.ts';
import { unknownContext, unknownFeature } from './unknown-name.ts';

/** Bars up to a split, dividend or roll were put on the basis of the bar that it came with. */
export interface Rebasing {
  /** What their prices and volumes were multiplied by. */
  readonly price: number;
  readonly volume: number;
  /** What was added to their prices: the gap of a roll. */
  readonly shift?: number;
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
  /** Whether the symbol had no bar now: the newest is one of before, and nothing of it can be traded on this bar. */
  readonly isStale: boolean;
  /** The newest bar; undefined before the symbol's first. */
  readonly bar: Bar | undefined;
  /** A bar by position, negative from the end. */
  barAt(index: number): Bar | undefined;
  /** How long after its stamp a bar ends; undefined where nobody knows before the next one. */
  readonly barLength: Interval | undefined;
  /** Which session a bar belongs to, with `--session` or `--calendar`; undefined without, and for bars longer than a day. */
  readonly sessions: Sessions | undefined;
  /**
   * The bars put together into longer ones, such as `4h`, `1d`, `1w` or `1mo`: those that are over, and with `partial`
   * the one that is still running. Groups are those of `resample`, by sessions where there are some; a long bar has the stamp of its last short one.
   *
   * @throws AppError `bad_rule`
   */
  resample(rule: string, options?: { readonly partial?: boolean }): ResampledBars;
  /**
   * The bars of a series that is not traded, as far as they have ended: one of `--context`.
   *
   * @throws AppError `unknown_context`
   */
  context(symbol: string): Window;
  /** What the bars before a split or dividend were multiplied by as it happened, oldest first; empty without `adjust`. */
  readonly rebasings: readonly Rebasing[];
  /** Names of the features beside the bars, in the order of their files. */
  readonly features: readonly string[];
  /**
   * A feature as far as it is known: numbers as a column as long as the bars, `feature<string>(name)` for texts.
   *
   * @throws AppError `unknown_feature`
   */
  feature<Value extends number | string | boolean = number>(name: string): Feature<Value>;
  /** The bars and features as a danfo.js DataFrame: date, open, high, low, close, volume. The library is loaded on first use. */
  toFrame(): Promise<DataFrame>;
}

// Only this file can make a window grow: a decider that is handed one can neither add a bar nor change it.
let pushBar: (window: GrowingWindow, series: BarSeries, index: number) => void;
let rest: (window: GrowingWindow) => void;
let rebase: (window: GrowingWindow, rebasing: Rebasing) => void;

/** What a window may have beside its bars. */
export interface WindowExtras {
  /** By name, each as long as the bars. */
  readonly features?: ReadonlyMap<string, GrowingFeature> | undefined;
  /** How long after its stamp a bar ends. */
  readonly barLength?: Interval | undefined;
  /** Which session a bar belongs to. */
  readonly sessions?: Sessions | undefined;
  /** Windows of series that are not traded, by symbol. */
  readonly contexts?: ReadonlyMap<string, Window> | undefined;
}

/** A window that grows by one bar at a time; it holds no bar that was not pushed. */
class GrowingWindow implements Window {
  static {
    pushBar = (window, series, index) => window.#pushBar(series, index);
    rebase = (window, rebasing) => window.#rebase(rebasing);
    rest = (window) => {
      window.#isStale = true;
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
  #revealed = 0;
  #isStale = true;

  /**
   * @param capacity bars to make room for at first
   * @param lookback bars kept in sight; Infinity for all
   */
  constructor(
    symbol: string,
    capacity: number,
    lookback: number = Number.POSITIVE_INFINITY,
    { features = NO_FEATURES, contexts = NO_CONTEXTS, barLength, sessions }: WindowExtras = {},
  ) {
    const room = Math.max(16, Math.min(capacity, 2 * lookback));
    this.symbol = symbol;
    this.time = new GrowingColumn(room, lookback);
    this.open = new GrowingColumn(room, lookback);
    this.high = new GrowingColumn(room, lookback);
    this.low = new GrowingColumn(room, lookback);
    this.close = new GrowingColumn(room, lookback);
    this.volume = new GrowingColumn(room, lookback);
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

  /** Of the bars in sight alone: a group whose first bars are out of it is left out. */
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
    pushValue(this.time, series.time[index]!);
    pushValue(this.open, series.open[index]!);
    pushValue(this.high, series.high[index]!);
    pushValue(this.low, series.low[index]!);
    pushValue(this.close, series.close[index]!);
    pushValue(this.volume, series.volume[index]!);
    this.#revealed += 1;
    this.#isStale = false;
  }

  #rebase(rebasing: Rebasing): void {
    for (const column of [this.open, this.high, this.low, this.close])
      rebaseEarlier(column, rebasing.price, rebasing.shift);
    rebaseEarlier(this.volume, rebasing.volume);
    this.#rebasings.push(rebasing);
    // What was put together of the bars as they were is put together anew.
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

const NO_FEATURES: ReadonlyMap<string, GrowingFeature> = new Map();
const NO_CONTEXTS: ReadonlyMap<string, Window> = new Map();

/** Moves one series' bars into its window, one by one: the only holder of both. */
export class SeriesCursor {
  readonly #window: GrowingWindow;
  readonly #series: BarSeries;
  #next = 0;

  constructor(series: BarSeries, lookback: number = Number.POSITIVE_INFINITY, extras: WindowExtras = {}) {
    this.#series = series;
    this.#window = new GrowingWindow(series.symbol, series.time.length, lookback, extras);
  }

  get window(): Window {
    return this.#window;
  }

  /** Reveals the series' next bar when it is the bar of this instant; says whether it was. */
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

  /** Puts all bars but the newest on its basis, as of a split or dividend that came with it. */
  rebase(rebasing: Rebasing): void {
    rebase(this.#window, rebasing);
  }

  /** The series has no bar now. */
  rest(): void {
    rest(this.#window);
  }
}
