import { type Fault, faultsError, type Instant } from '../kernel/index.ts';
import type { Bar, BarSeries } from './bar-series.ts';
import { type SessionTerms, sessionsOf } from './calendar/session.ts';
import { BarBounds, EndedBars } from './ended-bars.ts';
import type { BarTimes } from './interval.ts';
import type { Market } from './market.ts';
import { intervalOf } from './one-interval.ts';
import { checkSeries } from './valid-series.ts';
import { SeriesCursor, type Window } from './window.ts';

/** Bars of a context series that ended with a bar of the market. */
export interface NewlyEnded {
  readonly symbol: string;
  /** Number of these bars. */
  readonly count: number;
  /** Newest of these bars. */
  readonly bar: Bar;
  /** Instant at which the newest bar had ended and became visible. */
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
 * Reveals series that are not traded along with the bars of a market. Each of their bars is copied into its
 * window when a bar of the market ends at the same time or later. Only this object contains the future bars.
 */
export class ContextFeed {
  /** Windows by symbol. */
  readonly windows: ReadonlyMap<string, Window>;
  readonly #contexts: readonly Context[];
  readonly #bounds: BarBounds;

  /**
   * @param lookback number of readable bars of each series. Infinity for all
   * @param session sessions by which their windows group bars
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
    // In alphabetical order, like the symbols of a market: results do not depend on the order of files.
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
   * Processes the end of a market bar. Returns the context bars that ended with it or since the previous bar.
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
