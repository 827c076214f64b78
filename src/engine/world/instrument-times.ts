import {
  type Auctions,
  type Broker,
  type BrokerSettings,
  type InstrumentSettings,
  ownTerms,
} from '../../broker/index.ts';
import { DAY, Exact, type Instant, parseInstant } from '../../kernel/index.ts';
import {
  type AuctionBars,
  type BarShape,
  type BarTimes,
  localTime,
  type Market,
  readHours,
  SessionAuctions,
  type SessionTerms,
} from '../../market/index.ts';

/**
 * Bars of a market in which an instrument is traded. Stored as alternating numbers of consecutive bars in
 * which it is not traded and traded.
 */
type TradedBars = NonNullable<InstrumentSettings['tradedBars']>;

/** Times of a run's bars. */
interface Clock {
  readonly clock: ArrayLike<Instant>;
  readonly barTimes: BarTimes;
  /** Length of a bar in milliseconds, if known. */
  readonly length: number | undefined;
}

const MINUTE = 60_000;

/**
 * Trading times of instruments: hours, and first and last days. Bars at other times are visible but fill no
 * orders.
 */
export class InstrumentTimes {
  readonly #isOpen: readonly (Uint8Array | undefined)[];
  readonly #lastBar: readonly number[];
  readonly #settled = new Set<number>();

  private constructor(traded: readonly (TradedBars | undefined)[], bars: number) {
    this.#isOpen = traded.map((one) => one && openFlags(one, bars));
    this.#lastBar = traded.map((one) => one?.last ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Creates the object. Returns `undefined` if no instrument has trading times, so that the run skips all
   * work for them.
   */
  static of(market: Market, settings: BrokerSettings, barTimes: BarTimes): InstrumentTimes | undefined {
    const clock = { clock: market.clock, barTimes, length: market.interval?.milliseconds };
    const traded = market.symbols.map((symbol) => {
      const own = ownTerms(symbol, settings);
      return own && (own.tradedBars ?? tradedBars(own, clock));
    });
    if (traded.every((one) => one === undefined)) return undefined;
    return new InstrumentTimes(traded, market.clock.length);
  }

  /** True if a symbol's bar can fill orders. */
  isOpen(symbol: number, bar: number): boolean {
    const open = this.#isOpen[symbol];
    return open === undefined || open[bar] === 1;
  }

  /**
   * Settles contracts that have expired since the last bar, in cash at their last close.
   *
   * @param close last closes, before any price of the new bar is known
   */
  settle(bar: number, time: Instant, close: Float64Array, broker: Broker): void {
    for (let symbol = 0; symbol < this.#lastBar.length; symbol++) {
      if (bar <= this.#lastBar[symbol]! || this.#settled.has(symbol)) continue;
      this.#settled.add(symbol);
      broker.startActions(bar, time);
      broker.leave(symbol, Exact.of(close[symbol]! || 0), 'expiry');
    }
  }
}

/** Returns the bars in which an instrument is traded. `undefined` if it has no trading times. */
export function tradedBars(
  { hours, timezone = 'UTC', firstTrade, expiry }: InstrumentSettings,
  { clock, barTimes, length }: Clock,
): TradedBars | undefined {
  if ((hours ?? firstTrade ?? expiry) === undefined) return undefined;
  const span = hours === undefined ? undefined : readHours(hours);
  const first = firstTrade === undefined ? Number.NEGATIVE_INFINITY : dayOf(firstTrade);
  const last = expiry === undefined ? Number.POSITIVE_INFINITY : dayOf(expiry);
  const back = barTimes === 'end' ? (length ?? 1) : 0;
  // Bars of at least a day are dated in UTC, because they do not fit into the days of another time zone.
  const isDaily = length !== undefined && length >= DAY;
  const runs: number[] = [0];
  let lastBar: number | undefined;
  let wasOpen = false;
  for (let bar = 0; bar < clock.length; bar++) {
    const begins = clock[bar]! - back;
    const local = isDaily ? begins : localTime(timezone, begins);
    const day = Math.floor(local / DAY);
    if (day <= last) lastBar = bar;
    const minute = Math.floor((local - day * DAY) / MINUTE);
    const isOpen = day >= first && day <= last && (span === undefined || lies(minute, span));
    if (isOpen !== wasOpen) runs.push(0);
    runs[runs.length - 1]! += 1;
    wasOpen = isOpen;
  }
  return { runs, ...(expiry === undefined ? {} : { last: lastBar ?? -1 }) };
}

function lies(
  minute: number,
  { opens, closes }: { readonly opens: number; readonly closes: number },
): boolean {
  return opens < closes ? minute >= opens && minute < closes : minute >= opens || minute < closes;
}

/**
 * Returns 1 for each bar in which an instrument is traded, otherwise 0. Bars after the last number in `runs`
 * have the state of that number. Only masked runs have such bars: additional bars at the end, which test if a
 * decider can see later bars.
 */
function openFlags({ runs }: TradedBars, bars: number): Uint8Array {
  const flags = new Uint8Array(bars);
  let from = 0;
  runs.forEach((count, at) => {
    const to = at === runs.length - 1 ? bars : from + count;
    if (at % 2 === 1) flags.fill(1, from, to);
    from = to;
  });
  return flags;
}

function dayOf(text: string): number {
  return Math.floor(parseInstant(text)! / DAY);
}

/** A schedule of auctions by bar. */
interface Schedule {
  isOpening(bar: number): boolean;
  isClosing(bar: number): boolean;
}

type Settings = BrokerSettings & { readonly session?: SessionTerms | undefined };

/**
 * Returns the auctions of the run's sessions and of instruments with separate hours. `undefined` if no
 * auctions are known.
 */
export function auctionsOf(
  market: Market,
  settings: Settings,
  barTimes: BarShape['barTimes'],
): Auctions | undefined {
  const shape = { interval: market.interval, barTimes };
  const { clock } = market;
  const common = scheduleOf(
    settings.session?.auctionBars,
    () => sessionAuctions(settings.session, shape),
    clock,
  );
  const schedules = market.symbols.map((symbol) => {
    const own = ownTerms(symbol, settings);
    return (own && scheduleOf(own.auctionBars, () => ownAuctions(own, shape), clock)) ?? common;
  });
  if (schedules.every((one) => one === undefined)) return undefined;
  return {
    isOpening: (symbol, bar) => schedules[symbol]?.isOpening(bar) ?? true,
    isClosing: (symbol, bar) => schedules[symbol]?.isClosing(bar) ?? true,
  };
}

/** Returns the auctions of a run's sessions. `undefined` without sessions or if no auctions are known. */
export function sessionAuctions(
  session: SessionTerms | undefined,
  shape: BarShape,
): SessionAuctions | undefined {
  return session && SessionAuctions.of(session, shape);
}

/**
 * Returns the auctions of an instrument with separate trading hours. They replace the auctions of the run's
 * sessions. `undefined` without separate hours.
 */
export function ownAuctions(
  { hours, timezone = 'UTC' }: InstrumentSettings,
  shape: BarShape,
): SessionAuctions | undefined {
  return hours === undefined ? undefined : SessionAuctions.of({ hours, timezone }, shape, true);
}

/**
 * Returns the schedule of auctions of a run or of one instrument. `undefined` if no auctions are known.
 *
 * @param listed bars with auctions, recorded by a mask; `null` if the mask recorded that they are unknown;
 *   `undefined` without such a mask
 */
function scheduleOf(
  listed: AuctionBars | null | undefined,
  find: () => SessionAuctions | undefined,
  clock: ArrayLike<Instant>,
): Schedule | undefined {
  if (listed === null) return undefined;
  if (listed !== undefined) {
    const [opens, closes] = [new Set(listed.opens), new Set(listed.closes)];
    return { isOpening: (bar) => opens.has(bar), isClosing: (bar) => closes.has(bar) };
  }
  const auctions = find();
  if (auctions === undefined) return undefined;
  return {
    isOpening: (bar) => auctions.isOpening(clock[bar]!),
    isClosing: (bar) => auctions.isClosing(clock[bar]!),
  };
}
