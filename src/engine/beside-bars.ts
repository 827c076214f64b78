import {
  ContextFeed,
  type DatedFile,
  DatedRows,
  FeatureFeed,
  type GrowingFeature,
  type Market,
  PointInTimeFeed,
  type Window,
} from '../market/index.ts';
import type { RunEvent } from './events.ts';
import { contextKnown, featuresKnown } from './feature-events.ts';
import { publishedEvents } from './published-events.ts';
import type { RunSettings } from './settings.ts';
import type { Arrivals, WorldExtras } from './world-extras.ts';

/** Inputs of a world in addition to its bars. */
type Given = Pick<WorldExtras, 'features' | 'context' | 'pointInTime' | 'arrivals'>;

/**
 * Data other than the market's bars, advanced together with the bars: features, series that are not traded,
 * documents, fundamentals, universe and files.
 */
export class BesideBars {
  readonly pointInTime: PointInTimeFeed | undefined;
  readonly #features: FeatureFeed | undefined;
  readonly #context: ContextFeed | undefined;
  readonly #arrivals: Arrivals | undefined;
  readonly #files: DatedRows<DatedFile> | undefined;
  readonly #emit: ((event: RunEvent) => void) | undefined;

  /** Returns `undefined` without any such data, so that the run skips all work for it. */
  static of(
    given: Given,
    market: Market,
    settings: Pick<RunSettings, 'barTimes' | 'lookback' | 'session'>,
    emit: ((event: RunEvent) => void) | undefined,
  ): BesideBars | undefined {
    const { features = [], context = [], pointInTime, arrivals } = given;
    const arriving = arrivals?.files.length ?? 0;
    const published =
      pointInTime !== undefined &&
      (pointInTime.universe !== undefined ||
        pointInTime.documents.length + pointInTime.fundamentals.length > 0);
    if (features.length + context.length + arriving === 0 && !published) return undefined;
    const own = { features, context, pointInTime: published ? pointInTime : undefined, arrivals };
    return new BesideBars(own, market, settings, emit);
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
   * Ends a bar and publishes the data that have become known.
   *
   * @param hasBar returns true if a symbol has this bar
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
