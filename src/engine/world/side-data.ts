import type { BarPrices, CustomCosts, LateCommands } from '../../broker/index.ts';
import type { Instant } from '../../kernel/index.ts';
import {
  type BarSeries,
  ContextFeed,
  type CorporateAction,
  type DatedFile,
  DatedRows,
  type DetailBars,
  FeatureFeed,
  type FeatureTable,
  type GrowingFeature,
  type Market,
  type PointInTimeData,
  PointInTimeFeed,
  type SharedMeans,
  type Window,
} from '../../market/index.ts';
import { contextKnown, featuresKnown, publishedEvents } from '../events/data-events.ts';
import type { DeciderEvent, RunEvent } from '../events/events.ts';
import type { RunSettings } from '../settings/settings.ts';

/** Inputs of `SideData`: the data other than bars that a run was given. */
type Given = Pick<WorldExtras, 'features' | 'context' | 'pointInTime' | 'arrivals'>;

/**
 * Data other than the market's bars, advanced together with the bars: features, series that are not traded,
 * documents, fundamentals, universe and files.
 */
export class SideData {
  readonly pointInTime: PointInTimeFeed | undefined;
  readonly #features: FeatureFeed | undefined;
  readonly #context: ContextFeed | undefined;
  readonly #arrivals: Arrivals | undefined;
  readonly #files: DatedRows<DatedFile> | undefined;
  readonly #emit: ((event: RunEvent) => void) | undefined;

  /** Creates the object. `undefined` if the run has only bars, so that it skips all work for other data. */
  static of(
    given: Given,
    market: Market,
    settings: Pick<RunSettings, 'barTimes' | 'lookback' | 'session'>,
    emit: ((event: RunEvent) => void) | undefined,
  ): SideData | undefined {
    const { features = [], context = [], pointInTime, arrivals } = given;
    const arriving = arrivals?.files.length ?? 0;
    const published =
      pointInTime !== undefined &&
      (pointInTime.universe !== undefined ||
        pointInTime.documents.length + pointInTime.fundamentals.length > 0);
    if (features.length + context.length + arriving === 0 && !published) return undefined;
    const own = { features, context, pointInTime: published ? pointInTime : undefined, arrivals };
    return new SideData(own, market, settings, emit);
  }

  private constructor(
    { features, context, pointInTime, arrivals }: Required<Given>,
    market: Market,
    { barTimes, lookback: limit, session }: Pick<RunSettings, 'barTimes' | 'lookback' | 'session'>,
    emit: ((event: RunEvent) => void) | undefined,
  ) {
    this.#emit = emit;
    const lookback = limit ?? Number.POSITIVE_INFINITY;
    if (features.length > 0) this.#features = new FeatureFeed(features, market, barTimes, lookback);
    if (context.length > 0) this.#context = new ContextFeed(context, market, barTimes, lookback, session);
    if (pointInTime !== undefined) this.pointInTime = new PointInTimeFeed(pointInTime, market, barTimes);
    if (arrivals !== undefined) this.#files = new DatedRows(arrivals.files, market, barTimes);
    this.#arrivals = arrivals;
  }

  /** Returns the features of a symbol's window. */
  featuresOf(symbol: number): ReadonlyMap<string, GrowingFeature> | undefined {
    return this.#features?.of(symbol);
  }

  /** Windows of series that are not traded, by symbol. */
  get contexts(): ReadonlyMap<string, Window> | undefined {
    return this.#context?.windows;
  }

  /**
   * Returns a function that is true for symbols outside the universe. `undefined` if the run has no universe.
   */
  get isOutside(): ((symbol: number) => boolean) | undefined {
    const { pointInTime } = this;
    return pointInTime?.given.universe === true ? (symbol) => !pointInTime.isMember(symbol) : undefined;
  }

  /** Starts a bar and applies changes of the universe. */
  startBar(bar: number): void {
    const change = this.pointInTime?.startOf(bar);
    if (change !== undefined) this.#emit?.({ type: 'universe_changed', bar, ...change });
  }

  /**
   * Ends a bar and publishes the data that became visible.
   *
   * @param hasBar returns true if a symbol has a bar with this number
   */
  endBar(bar: number, hasBar: (symbol: number) => boolean): void {
    const found = this.#features?.endOf(bar, hasBar) ?? [];
    if (found.length > 0) this.#emit?.(featuresKnown(found, bar));
    const ended = this.#context?.endOf(bar) ?? [];
    if (ended.length > 0) this.#emit?.(contextKnown(ended, bar));
    const published = this.pointInTime?.endOf(bar);
    if (published !== undefined && this.#emit !== undefined)
      for (const event of publishedEvents(published, bar)) this.#emit(event);
    for (const { row, availableAt } of this.#files?.endOf(bar) ?? []) {
      const event = this.#arrivals!.take(row, availableAt, bar);
      this.#emit?.(event);
    }
  }
}

/** Text files that become visible during a run. */
export interface Arrivals {
  readonly files: readonly DatedFile[];
  /** Adds a file to the files of the run. Returns the event for the journal. */
  take(file: DatedFile, availableAt: Instant, bar: number): DeciderEvent;
}

/** Inputs of a `World` (the simulated market and account) in addition to its market and settings. */
export interface WorldExtras {
  /** Finer bars of some symbols. Only used for matching within a bar. */
  readonly detail?: DetailBars | readonly BarSeries[] | undefined;
  readonly costs?: CustomCosts | undefined;
  /** Corporate actions in any order. Actions of symbols that are not in the market are ignored. */
  readonly actions?: readonly CorporateAction[];
  /** Series of exchange rates that are not symbols of the market. */
  readonly rates?: readonly BarSeries[];
  /** Tables of features. Rows of symbols that are not in the market are ignored. */
  readonly features?: readonly FeatureTable[];
  /** Series that are not traded. Each bar becomes visible when it has ended. */
  readonly context?: readonly BarSeries[];
  /** Documents, fundamentals and universe. */
  readonly pointInTime?: PointInTimeData | undefined;
  readonly arrivals?: Arrivals | undefined;
  /**
   * Real times of the market's bars, in a run that hides real dates and shows shifted dates. Used for
   * interest.
   */
  readonly interestClock?: Float64Array | undefined;
  /** Reports orders and cancellations given after the next bar's open. `undefined` if none can be late. */
  readonly feed?: LateCommands | undefined;
  /** Cache of moving averages of closes, shared by runs on the same series. */
  readonly means?: SharedMeans | undefined;
  /** If true, events are collected for the decider even without a listener. */
  readonly readsEvents?: boolean | undefined;
}

/** Creates the prices before the first bar: `NaN` prices and zero volume for each of `count` symbols. */
export function emptyPrices(count: number, hasSpreads: boolean): BarPrices {
  const unknown = (): Float64Array => new Float64Array(count).fill(Number.NaN);
  return {
    trades: new Uint8Array(count),
    open: unknown(),
    high: unknown(),
    low: unknown(),
    close: unknown(),
    volume: new Float64Array(count),
    ...(hasSpreads ? { spread: new Float64Array(count) } : {}),
  };
}

/**
 * Copies the prices of a symbol's bar. Reads the series, because reading the columns of a window is slower.
 */
export function takePrices(
  prices: BarPrices,
  symbol: number,
  { open, high, low, close, volume }: BarSeries,
  row: number,
): void {
  prices.open[symbol] = open[row]!;
  prices.high[symbol] = high[row]!;
  prices.low[symbol] = low[row]!;
  prices.close[symbol] = close[row]!;
  prices.volume[symbol] = volume[row]!;
  prices.trades[symbol] = volume[row]! > 0 ? 1 : 0;
}
