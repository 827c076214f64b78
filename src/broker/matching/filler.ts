import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import type { Ledger } from '../account/index.ts';
import type { Executor } from '../fills/executor.ts';
import type { FillAccount } from '../fills/fill-account.ts';
import type { FillPlace } from '../fills/fill-size.ts';
import { isLimit, type RestingOrder } from '../orders/order.ts';
import { positionGone } from '../orders/refusals.ts';
import type { Instrument } from '../settings/instruments.ts';
import { Brackets } from './brackets.ts';
import type { SizedFill, Venue } from './venue.ts';

/** Order that may fill, and the price of the rule. */
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

/** Fills orders at a venue. The steps are the same for the live book and for trial paths. */
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

  /** Returns the side of an order in the venue's account; 0 if there is nothing to trade. See `sideOf` in sides.ts. */
  sideOf(venue: Venue, order: RestingOrder, reference?: number): 1 | -1 | 0 {
    const { instruments, ledger } = this.#parts;
    return sideOf(order, venue.account, ledger, instruments[order.symbol]!.lot, reference);
  }

  /**
   * Fills or rejects an order and updates its rivals and exits.
   *
   * @returns true if the order was filled or rejected, false if the volume was used up
   */
  fill(venue: Venue, { order, side, price }: Candidate, place: FillPlace): boolean {
    const outcome = this.#parts.executor.assess(venue, order, side, price, place);
    if (outcome.kind === 'refused') {
      // The target is reached if the difference is less than a lot.
      if (order.action === 'target' && outcome.refusal.code === 'below_lot') this.withoutSide(venue, order);
      else venue.reject(order, outcome.refusal);
    }
    // The stop has been triggered. The unfilled part waits for volume and not for the price.
    if (!isLimit(order.type)) order.triggered = true;
    if (outcome.kind !== 'fill') return outcome.kind === 'refused';
    venue.book(order, side, outcome.fill, place);
    note(order, side, outcome.fill);
    this.#brackets.afterFill(venue, order, side, outcome.fill);
    return true;
  }

  /** Ends an order that has nothing to trade. */
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
 * Returns +1 for a buy, −1 for a sell, and 0 if there is nothing to trade: no position to close, or a target that is less
 * than a lot away.
 *
 * @param lot smallest quantity of the symbol that is traded
 * @param reference price of the rule, before slippage; the last mark by default
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
  // The target fraction of a negative equity is 0.
  const target = Exact.max(EXACT_ZERO, account.equity.exact()).times(size.fraction);
  const missing = target.minus(account.quantity(symbol).times(unitValue));
  if (missing.abs().compare(lot.times(unitValue)) < 0) return 0;
  return missing.isNegative() ? -1 : 1;
}
