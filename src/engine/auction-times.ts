import { type Auctions, type BrokerSettings, type InstrumentSettings, ownTerms } from '../broker/index.ts';
import type { Instant } from '../kernel/index.ts';
import {
  type AuctionBars,
  type BarShape,
  type Market,
  SessionAuctions,
  type SessionTerms,
} from '../market/index.ts';

/** A schedule of auctions by bar. */
interface Schedule {
  isOpening(bar: number): boolean;
  isClosing(bar: number): boolean;
}

type Settings = BrokerSettings & { readonly session?: SessionTerms | undefined };

/**
 * Returns the auctions of the sessions and of instruments with their own hours. `undefined` if all are
 * unknown.
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

/** Returns the auctions of the sessions of a run. */
export function sessionAuctions(
  session: SessionTerms | undefined,
  shape: BarShape,
): SessionAuctions | undefined {
  return session && SessionAuctions.of(session, shape);
}

/** Returns the auctions of an instrument with its own hours, which replace the sessions of the run. */
export function ownAuctions(
  { hours, timezone = 'UTC' }: InstrumentSettings,
  shape: BarShape,
): SessionAuctions | undefined {
  return hours === undefined ? undefined : SessionAuctions.of({ hours, timezone }, shape, true);
}

/** @param listed bars written by a mask; `null` if the auctions are unknown */
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
