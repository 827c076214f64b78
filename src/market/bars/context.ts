import { type Fault, faultsError, type Instant } from '../../kernel/index.ts';
import { type SessionTerms, sessionsOf } from '../calendar/session.ts';
import type { Market } from '../market.ts';
import { intervalOf } from '../reading/one-interval.ts';
import { checkSeries } from '../reading/valid-series.ts';
import type { Bar, BarSeries } from './bar-columns.ts';
import { addInterval, type BarTimes, type Interval } from './interval.ts';
import { SeriesCursor, type Window } from './window.ts';

/**
 * Start and end of each bar. One of them is the bar's time, the other is one interval away. Limited so that
 * neighbouring bars do not overlap.
 */
export class BarBounds {
  readonly #times: Float64Array;
  readonly #interval: Interval | undefined;
  readonly #barTimes: BarTimes;

  constructor(bars: Pick<Market, 'clock' | 'interval'>, barTimes: BarTimes) {
    this.#times = bars.clock;
    this.#interval = bars.interval;
    this.#barTimes = barTimes;
  }

  /** Instant at which a bar's interval begins. */
  startOf(bar: number): Instant {
    const time = this.#times[bar]!;
    if (this.#barTimes === 'start' || this.#interval === undefined) return time;
    return Math.max(addInterval(time, this.#interval, -1), this.#times[bar - 1] ?? Number.NEGATIVE_INFINITY);
  }

  /** Instant at which a bar's interval has ended and the bar becomes visible. */
  endOf(bar: number): Instant {
    const time = this.#times[bar]!;
    if (this.#barTimes === 'end' || this.#interval === undefined) return time;
    return Math.min(addInterval(time, this.#interval), this.#times[bar + 1] ?? Number.POSITIVE_INFINITY);
  }
}

/**
 * Reads a series whose bars may have other times than the market's bars. Reads forward in time only. Returns
 * the open of a bar only after the bar has begun, and the other values only after the bar has ended.
 */
export class EndedBars {
  readonly #series: BarSeries;
  readonly #bounds: BarBounds;
  /** True if the length of the bars is known. If not, a bar stamped with its start never counts as ended. */
  readonly #isMeasured: boolean;
  readonly #barTimes: BarTimes;
  /** Index of the first bar that had not ended at the last call. */
  #next = 0;

  constructor(series: BarSeries, barTimes: BarTimes) {
    const interval = intervalOf(series);
    this.#series = series;
    this.#bounds = new BarBounds({ clock: series.time, interval }, barTimes);
    this.#isMeasured = interval !== undefined;
    this.#barTimes = barTimes;
  }

  /** Number of bars that have ended at an instant. Instants must not decrease. */
  endedAt(instant: Instant): number {
    const { time } = this.#series;
    while (this.#next < time.length && this.endOf(this.#next) <= instant) this.#next += 1;
    return this.#next;
  }

  /** End of a bar. Infinity if bars are stamped with their start and their length is unknown. */
  endOf(bar: number): Instant {
    if (this.#series.ends !== undefined) return this.#series.ends[bar] ?? Number.POSITIVE_INFINITY;
    if (this.#isMeasured || this.#barTimes === 'end') return this.#bounds.endOf(bar);
    return Number.POSITIVE_INFINITY;
  }

  /**
   * Returns the open of the bar in progress. If no bar is in progress, returns the close of the newest ended
   * bar. NaN before the first bar.
   *
   * @param moment `open` includes a bar that begins at this instant, `close` does not
   */
  priceAt(instant: Instant, moment: 'open' | 'close'): number {
    const { open, close, time } = this.#series;
    const ended = this.endedAt(instant);
    const began = ended < time.length ? this.#bounds.startOf(ended) : Number.POSITIVE_INFINITY;
    if (moment === 'open' ? began <= instant : began < instant) return open[ended]!;
    return ended > 0 ? close[ended - 1]! : Number.NaN;
  }
}

/**
 * Bars of one context series (a series that is not traded) that became visible at the end of a market bar.
 */
export interface NewlyEnded {
  readonly symbol: string;
  /** Number of bars that became visible. */
  readonly count: number;
  /** Newest of the bars that became visible. */
  readonly bar: Bar;
  /** Instant at which `bar` ended and became visible. */
  readonly availableAt: Instant;
}

interface Context {
  readonly series: BarSeries;
  readonly ended: EndedBars;
  readonly cursor: SeriesCursor;
  shown: number;
}

/** Series whose bars have been validated. */
const checked = new WeakSet<BarSeries>();
const NOTHING: readonly NewlyEnded[] = [];

/**
 * Reveals context series (series that are not traded) along with the bars of a market. Each context bar is
 * copied into its window at the end of the first market bar that ends at the same time or later. Only this
 * object contains the future bars.
 */
export class ContextFeed {
  /** Visible bars of each context series, by symbol. */
  readonly windows: ReadonlyMap<string, Window>;
  readonly #contexts: readonly Context[];
  readonly #bounds: BarBounds;

  /**
   * @param lookback number of readable bars of each series. Infinity for all
   * @param session sessions used to combine bars into longer bars
   * @throws AppError `bad_data` for invalid bars, `bad_context` for a series that is also traded or is given
   *   twice
   */
  constructor(
    given: readonly BarSeries[],
    market: Pick<Market, 'clock' | 'interval' | 'symbols'>,
    barTimes: BarTimes,
    lookback: number,
    session?: SessionTerms,
  ) {
    const unknown = given.filter((series) => !checked.has(series));
    checkSeries(unknown);
    for (const series of unknown) checked.add(series);
    checkSymbols(given, market.symbols);
    this.#bounds = new BarBounds(market, barTimes);
    // Sorted alphabetically, like the symbols of a market, so that results do not depend on the order of
    // files.
    const ordered = [...given].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
    this.#contexts = ordered.map((series) => {
      const interval = intervalOf(series);
      const barLength = barTimes === 'start' ? interval : undefined;
      const cursor = new SeriesCursor(series, lookback, {
        barLength,
        sessions: sessionsOf(session, barTimes, interval),
      });
      return { series, ended: new EndedBars(series, barTimes), cursor, shown: 0 };
    });
    this.windows = new Map(this.#contexts.map(({ series, cursor }) => [series.symbol, cursor.window]));
  }

  /**
   * Processes the end of a market bar. Returns the context bars that have ended since the end of the previous
   * market bar.
   */
  endOf(bar: number): readonly NewlyEnded[] {
    const end = this.#bounds.endOf(bar);
    let found: NewlyEnded[] | undefined;
    for (const context of this.#contexts) {
      const { series, ended, cursor, shown } = context;
      const count = ended.endedAt(end);
      if (count === shown) {
        cursor.rest();
        continue;
      }
      for (let index = shown; index < count; index++) cursor.advanceTo(series.time[index]!);
      context.shown = count;
      found ??= [];
      found.push({
        symbol: series.symbol,
        count: count - shown,
        bar: cursor.window.bar!,
        availableAt: ended.endOf(count - 1),
      });
    }
    return found ?? NOTHING;
  }
}

function checkSymbols(given: readonly BarSeries[], traded: readonly string[]): void {
  const seen = new Set<string>();
  const faults = given.flatMap(({ symbol, time }): Fault[] => {
    const twice = seen.has(symbol);
    seen.add(symbol);
    if (traded.includes(symbol))
      return [{ where: symbol, message: 'is traded, so it cannot also be context' }];
    if (twice) return [{ where: symbol, message: 'was given twice' }];
    return time.length === 0 ? [{ where: symbol, message: 'has no bar' }] : [];
  });
  if (faults.length > 0)
    throw faultsError(
      'bad_context',
      'The context series cannot be used',
      faults,
      'Give each series a different symbol: the name of its file, or its column symbol.',
    );
}
