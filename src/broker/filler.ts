import type { Ledger } from '../account/index.ts';
import type { Exact } from '../kernel/index.ts';
import { Brackets } from './brackets.ts';
import type { Executor } from './executor.ts';
import type { FillPlace } from './fill-place.ts';
import type { Instrument } from './instruments.ts';
import type { RestingOrder } from './order.ts';
import { isLimit } from './order-kinds.ts';
import { positionGone } from './refusals.ts';
import { sideOf } from './sides.ts';
import type { SizedFill, Venue } from './venue.ts';

/** An order that may fill, and the rule's price. */
export interface Candidate {
  readonly order: RestingOrder;
  readonly side: 1 | -1;
  readonly price: number;
}

export interface FillerParts {
  readonly symbols: readonly string[];
  readonly instruments: readonly Instrument[];
  readonly ledger: Ledger;
  readonly executor: Executor;
}

/** Fills orders at a venue: the same steps on the live book as on a path that is tried. */
export class Filler {
  readonly #parts: FillerParts;
  readonly #brackets: Brackets;

  constructor(parts: FillerParts) {
    this.#parts = parts;
    this.#brackets = new Brackets(parts.instruments);
  }

  /** The step of a symbol's prices; undefined where any price will do. */
  tickOf(symbol: number): Exact | undefined {
    return this.#parts.instruments[symbol]!.tick;
  }

  /** Returns the side of an order in the venue's account; 0 if there is nothing to trade. See `sideOf` in sides.ts. */
  sideOf(venue: Venue, order: RestingOrder, reference?: number): 1 | -1 | 0 {
    const { instruments, ledger } = this.#parts;
    return sideOf(order, venue.account, ledger, instruments[order.symbol]!.lot, reference);
  }

  /**
   * Fills an order, or refuses it, with all that follows for its rivals and exits.
   *
   * @returns whether there was volume for either
   */
  fill(venue: Venue, { order, side, price }: Candidate, place: FillPlace): boolean {
    const outcome = this.#parts.executor.assess(venue, order, side, price, place);
    if (outcome.kind === 'refused') {
      // Less than a lot from its target, it is there.
      if (order.action === 'target' && outcome.refusal.code === 'below_lot') this.withoutSide(venue, order);
      else venue.reject(order, outcome.refusal);
    }
    // A stop that could fill has been touched: what is left of it waits for volume, not for the price again.
    if (!isLimit(order.type)) order.triggered = true;
    if (outcome.kind !== 'fill') return outcome.kind === 'refused';
    venue.book(order, side, outcome.fill, place);
    note(order, side, outcome.fill);
    this.#brackets.afterFill(venue, order, side, outcome.fill);
    return true;
  }

  /** Ends an order that has nothing to trade. */
  withoutSide(venue: Venue, order: RestingOrder): void {
    if (order.action === 'target') venue.cancel(order, 'at_target', 'The position is at its target already.');
    else venue.reject(order, positionGone(this.#parts.symbols[order.symbol]!));
  }
}

/** What an order knows of itself after a fill. */
function note(order: RestingOrder, side: 1 | -1, { quantity, wanted }: SizedFill): void {
  order.done = quantity.equals(wanted);
  order.filled = order.filled.plus(quantity);
  if (order.done) return;
  // From its first fill on, an order in money or of a position is an order for units, on the side it began with.
  order.size = { kind: 'units', units: order.filled.plus(wanted).minus(quantity) };
  order.side = side;
}
