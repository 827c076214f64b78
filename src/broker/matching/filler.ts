import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import type { Ledger } from '../account/index.ts';
import type { BrokerEvent } from '../events.ts';
import type { Executor } from '../fills/executor.ts';
import type { FillAccount } from '../fills/fill-account.ts';
import type { FillPlace } from '../fills/fill-size.ts';
import type { OrderBook } from '../orders/book.ts';
import { becomesLimit, isLimit, isTriggered, type RestingOrder, waitsForClose } from '../orders/order.ts';
import { exitAcceptedEvent } from '../orders/order-events.ts';
import { positionGone, type Refusal, wouldTake } from '../orders/refusals.ts';
import type { Instrument } from '../settings/instruments.ts';
import { Brackets } from './brackets.ts';
import { priceAtOpen, withinLimit } from './triggers.ts';
import type { SizedFill, Venue } from './venue.ts';

/** Order that may fill, and the price by the fill rules. */
interface Candidate {
  readonly order: RestingOrder;
  readonly side: 1 | -1;
  readonly price: number;
}

interface FillerParts {
  readonly symbols: readonly string[];
  readonly instruments: readonly Instrument[];
  readonly ledger: Ledger;
  readonly executor: Executor;
}

/**
 * Fills orders at a venue: the real account, or a copy of the account for one possible price path. Both use
 * the same steps.
 */
export class Filler {
  readonly #parts: FillerParts;
  readonly #brackets: Brackets;

  constructor(parts: FillerParts) {
    this.#parts = parts;
    this.#brackets = new Brackets(parts.instruments);
  }

  /** Returns the price step of a symbol. `undefined` if any price is allowed. */
  tickOf(symbol: number): Exact | undefined {
    return this.#parts.instruments[symbol]!.tick;
  }

  /**
   * Returns the side of an order in the venue's account. 0 if there is nothing to trade. See the function
   * `sideOf` in this file.
   */
  sideOf(venue: Venue, order: RestingOrder, reference?: number): 1 | -1 | 0 {
    const { instruments, ledger } = this.#parts;
    return sideOf(order, venue.account, ledger, instruments[order.symbol]!.lot, reference);
  }

  /**
   * Fills or rejects an order. A fill also cancels the other orders of its group and adjusts exits.
   *
   * @returns true if the order was filled or rejected, false if the volume was used up
   */
  fill(venue: Venue, { order, side, price }: Candidate, place: FillPlace): boolean {
    const outcome = this.#parts.executor.assess(venue, order, side, price, place);
    if (outcome.kind === 'refused') {
      // A target order is done if the position is less than a lot away from the target.
      if (order.action === 'target' && outcome.refusal.code === 'below_lot') this.withoutSide(venue, order);
      else venue.reject(order, outcome.refusal);
    }
    // The stop is now triggered. The unfilled part waits only for volume, no longer for the price.
    if (!isLimit(order.type)) order.triggered = true;
    if (outcome.kind !== 'fill') return outcome.kind === 'refused';
    venue.book(order, side, outcome.fill, place);
    note(order, side, outcome.fill);
    this.#brackets.afterFill(venue, order, side, outcome.fill);
    return true;
  }

  /** Ends an order that has nothing to trade: cancels an order with action `target`, rejects others. */
  withoutSide(venue: Venue, order: RestingOrder): void {
    if (order.action === 'target') venue.cancel(order, 'at_target', 'The position is already at its target.');
    else venue.reject(order, positionGone(this.#parts.symbols[order.symbol]!));
  }
}

/** Updates the state of an order after a fill. */
function note(order: RestingOrder, side: 1 | -1, { quantity, wanted }: SizedFill): void {
  order.done = quantity.equals(wanted);
  order.filled = order.filled.plus(quantity);
  if (order.done) return;
  // After its first fill, an order sized by money or position becomes an order for units on the same side.
  order.size = { kind: 'units', units: order.filled.plus(wanted).minus(quantity) };
  order.side = side;
}

/**
 * Returns the side of an order: +1 for a buy, −1 for a sell, and 0 if there is nothing to trade. There is
 * nothing to trade without a position to close, or if the target is less than a lot away.
 *
 * @param lot smallest quantity of the symbol that is traded
 * @param reference price at which a position is valued for a target fraction; default: the last mark
 */
function sideOf(
  order: RestingOrder,
  account: FillAccount,
  ledger: Ledger,
  lot: Exact,
  reference?: number,
): 1 | -1 | 0 {
  if (order.side !== 0) return order.side;
  const { size, symbol } = order;
  const held = account.unitsAt(symbol);
  if (size.kind === 'position') return held > 0 ? -1 : held < 0 ? 1 : 0;
  if (size.kind === 'target-units') {
    const target = size.units.toNumber();
    return target > held ? 1 : target < held ? -1 : 0;
  }
  if (size.kind !== 'target-fraction') return 0;
  const price = reference === undefined ? ledger.markOf(symbol) : Exact.of(reference);
  const unitValue = ledger.unitValue(symbol, price);
  // With negative equity, the target is a position value of 0.
  const target = Exact.max(EXACT_ZERO, account.equity.exact()).times(size.fraction);
  const missing = target.minus(account.quantity(symbol).times(unitValue));
  if (missing.abs().compare(lot.times(unitValue)) < 0) return 0;
  return missing.isNegative() ? -1 : 1;
}

interface LiveParts {
  readonly symbols: readonly string[];
  readonly book: OrderBook;
  readonly executor: Executor;
  readonly account: FillAccount;
  readonly emit: ((event: BrokerEvent) => void) | undefined;
}

/** Venue (see `Venue`) of the real order book and ledger. Its fills are final. */
export class LiveVenue implements Venue {
  readonly account: FillAccount;
  readonly orders: RestingOrder[];
  readonly #parts: LiveParts;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.account = parts.account;
    this.orders = parts.book.orders;
  }

  get bar(): number {
    return this.#parts.book.bar;
  }

  volumeLeft(symbol: number): Exact | undefined {
    return this.#parts.executor.volumeLeft(symbol);
  }

  book(order: RestingOrder, side: 1 | -1, fill: SizedFill, place: FillPlace): void {
    this.#parts.executor.book(order, side, fill, place);
  }

  cancel(order: RestingOrder, code: string, message: string): void {
    this.#parts.book.cancel(order, code, message);
  }

  reject(order: RestingOrder, refusal: Refusal): void {
    this.#parts.book.reject(order, refusal);
  }

  accept(exit: RestingOrder): void {
    this.orders.push(exit);
    this.#parts.emit?.(exitAcceptedEvent(exit, this.bar, this.#parts.symbols));
  }

  takeId(): number {
    return this.#parts.book.takeId();
  }
}

export const TAKER: FillPlace = { maker: false };

interface OpenParts {
  readonly symbols: readonly string[];
  readonly book: OrderBook;
  readonly executor: Executor;
  readonly filler: Filler;
  readonly venue: LiveVenue;
  /** True if a limit order only fills when the price moves beyond its limit. */
  readonly through: boolean;
}

/** Fills orders at the open of bars, across symbols. */
export class OpenMatcher {
  readonly #parts: OpenParts;

  constructor(parts: OpenParts) {
    this.#parts = parts;
  }

  /**
   * Fills the orders that are executable at the open. Orders that reduce positions fill first, in all
   * symbols, because they free buying power for orders that open positions.
   */
  fill(open: Float64Array, concerns: (order: RestingOrder) => boolean, place: FillPlace): void {
    // Repeated, because a fill may change the side of an older order, which may then be executable at the
    // open.
    for (let again = true; again; ) {
      again = this.#pass(open, concerns, place, true);
      again = this.#pass(open, concerns, place, false) || again;
    }
  }

  #pass(
    open: Float64Array,
    concerns: (order: RestingOrder) => boolean,
    place: FillPlace,
    onlyReducing: boolean,
  ): boolean {
    const { orders } = this.#parts.book;
    let any = false;
    // Exits created during the loop are appended. They may already be executable at the open.
    for (let index = 0; index < orders.length; index++) {
      const order = orders[index]!;
      // Orders for the close are checked at the close, because the position or target that determines their
      // size may change until then.
      if (order.done || waitsForClose(order.type) || !concerns(order)) continue;
      if (this.#fillAtOpen(order, open[order.symbol]!, onlyReducing, place)) any = true;
    }
    return any;
  }

  #fillAtOpen(order: RestingOrder, open: number, onlyReducing: boolean, place: FillPlace): boolean {
    const { filler, venue, through } = this.#parts;
    const side = filler.sideOf(venue, order, open);
    if (onlyReducing && (side === 0 || !this.#reduces(order, side, open))) return false;
    if (side === 0) {
      if (place.detailTime === undefined) filler.withoutSide(venue, order);
      return false;
    }
    if (order.postOnly) return this.#fillMakerAtOpen(order, side, open, place);
    const price = priceAtOpen(order, side, open, through);
    const filled = !Number.isNaN(price) && filler.fill(venue, { order, side, price }, place);
    if (becomesLimit(order.type) && isTriggered(order.type, side, open, order.stopPrice))
      order.triggered = true;
    if (place === TAKER) endImmediate(this.#parts.book, order, 'open');
    return filled;
  }

  /**
   * Fills a post-only limit order at an open. At its first open, the order is rejected if it would fill
   * immediately (as a taker). Otherwise, the order rests and can fill as a maker from then on.
   */
  #fillMakerAtOpen(order: RestingOrder, side: 1 | -1, open: number, place: FillPlace): boolean {
    const { filler, symbols, through, venue } = this.#parts;
    const isFirst = Number.isNaN(order.session) && place.detailTime === undefined;
    if (isFirst && withinLimit(side, open, order.limitPrice, false)) {
      const name = symbols[order.symbol]!;
      venue.reject(order, wouldTake(name, order.limitPrice, 'open', open));
      return false;
    }
    const price = priceAtOpen(order, side, open, through);
    const maker = { ...place, maker: true };
    return !Number.isNaN(price) && filler.fill(venue, { order, side, price }, maker);
  }

  /** True if an order would only reduce a position. */
  #reduces(order: RestingOrder, side: 1 | -1, open: number): boolean {
    const { executor, venue } = this.#parts;
    const { account } = venue;
    const held = account.unitsAt(order.symbol);
    if (held === 0 || held > 0 === side > 0) return false;
    return order.reduceOnly || executor.onlyCloses(account, order, side, open);
  }
}

/**
 * Cancels the unfilled part of an order that is valid only at this open or close: IOC, FOK, limit_on_open.
 */
export function endImmediate(book: OrderBook, order: RestingOrder, where: 'open' | 'close'): void {
  const isForOpen = order.type === 'limit_on_open';
  if (order.done || (order.timeInForce !== 'IOC' && order.timeInForce !== 'FOK' && !isForOpen)) return;
  const code = isForOpen ? 'on_open' : order.timeInForce.toLowerCase();
  book.cancel(order, code, `The part that could not fill at the ${where} is cancelled.`);
}
