import { EXACT_ZERO, type Exact } from '../kernel/index.ts';
import { type Exit, exitsOf, fitExit, shareOut, targetExit } from './exits.ts';
import type { Instrument } from './instruments.ts';
import type { RestingOrder } from './order.ts';
import type { SizedFill, Venue } from './venue.ts';

/**
 * Effects of a fill on other orders: cancels its OCO siblings, creates its exits, and adjusts the exits of
 * its symbol to the remaining position.
 */
export class Brackets {
  readonly #instruments: readonly Instrument[];
  /** True once exits may exist. Until then, fills need not adjust any. */
  #anyExits = false;

  constructor(instruments: readonly Instrument[]) {
    this.#instruments = instruments;
  }

  afterFill(venue: Venue, order: RestingOrder, side: 1 | -1, { price, opening }: SizedFill): void {
    cancelRivals(venue, order);
    if (opening.isPositive()) {
      order.firstPrice ??= price;
      this.#createExits(venue, order, side, order.firstPrice);
      this.#createTargets(venue, order, side, order.firstPrice, opening);
    }
    if (this.#anyExits) fitExits(venue, order.symbol);
  }

  /**
   * A later part of the entry resizes resting exits. If no exit is resting any more, creates them again at
   * the same levels.
   */
  #createExits(venue: Venue, parent: RestingOrder, side: 1 | -1, price: Exact): void {
    if (parent.stopLoss === undefined && parent.takeProfit === undefined) return;
    const created = venue.orders.some(
      ({ parentId, done, target }) => parentId === parent.id && !done && target === undefined,
    );
    const opened = venue.account.openQuantity(parent.symbol, parent.id);
    if (created || opened.isZero()) return;
    this.#anyExits = true;
    for (const exit of exitsOf(parent, side, price, this.#instruments[parent.symbol]!))
      venue.accept(exitOrder(venue, parent, side, exit, opened));
  }

  /**
   * Each part of an entry is shared among the targets separately. Resting targets become larger, the others
   * are created.
   */
  #createTargets(venue: Venue, parent: RestingOrder, side: 1 | -1, price: Exact, opened: Exact): void {
    const { targets } = parent;
    if (targets === undefined) return;
    this.#anyExits = true;
    const instrument = this.#instruments[parent.symbol]!;
    for (const [index, units] of shareOut(targets, opened, instrument).entries()) {
      if (units.isZero()) continue;
      const target = index + 1;
      const resting = venue.orders.find(
        (exit) => exit.parentId === parent.id && !exit.done && exit.target === target,
      );
      if (resting?.size.kind === 'units') {
        resting.size = { kind: 'units', units: resting.size.units.plus(units) };
        continue;
      }
      const exit = targetExit(targets[index]!, side, price, instrument);
      venue.accept({ ...exitOrder(venue, parent, side, exit, units), target });
    }
  }
}

/**
 * Cancels the orders that the fill of another order ends: the other orders of its group, and the rest of the
 * entry that an exit belongs to. The fill of a liquidation ends the rest of every entry that has opened a part of
 * the position.
 *
 * @param leaves returns true if an order must not be cancelled here
 */
export function cancelRivals(
  venue: Venue,
  filled: RestingOrder,
  leaves: (rival: RestingOrder) => boolean = () => false,
): void {
  const isExit = filled.parentId !== undefined;
  const isForced = filled.role === 'liquidation';
  if (!isExit && !isForced && filled.group === undefined) return;
  for (const rival of venue.orders) {
    if (rival === filled || rival.done || leaves(rival)) continue;
    if (isForced) {
      if (rival.symbol === filled.symbol && rival.parentId === undefined && isPartlyFilled(venue, rival))
        venue.cancel(rival, 'exit_filled', `Order ${filled.id} liquidates the position of this entry.`);
    } else if (isExit) {
      if (rival.parentId === undefined && rival.entryId === filled.entryId)
        venue.cancel(rival, 'exit_filled', `Exit order ${filled.id} of this entry filled.`);
    } else if (rival.group === filled.group)
      venue.cancel(rival, 'one_cancels_other', `Order ${filled.id} of its group filled.`);
  }
}

/** True if an order, or an order that it replaces, has opened a part of a position. */
function isPartlyFilled({ orders }: Venue, order: RestingOrder): boolean {
  return (
    order.firstPrice !== undefined ||
    orders.some(({ entryId, parentId }) => entryId === order.entryId && parentId !== undefined)
  );
}

function fitExits(venue: Venue, symbol: number): void {
  for (const exit of venue.orders) {
    if (exit.done || exit.symbol !== symbol || exit.parentId === undefined) continue;
    if (fitExit(exit, venue.account) !== 'gone') continue;
    venue.cancel(exit, 'position_closed', 'The position it belongs to is closed.');
  }
}

function exitOrder(
  venue: Venue,
  parent: RestingOrder,
  side: 1 | -1,
  exit: Exit,
  quantity: Exact,
): RestingOrder {
  const stop = exit.role === 'stop-loss';
  return {
    ...parent,
    id: venue.takeId(),
    placedBar: venue.bar,
    action: side > 0 ? 'sell' : 'buy',
    request: undefined,
    side: side > 0 ? -1 : 1,
    type: stop ? (exit.trail === undefined ? 'stop' : 'trailing_stop') : 'limit',
    role: exit.role,
    size: { kind: 'units', units: quantity },
    filled: EXACT_ZERO,
    fees: undefined,
    stopPrice: stop ? exit.price : Number.NaN,
    limitPrice: stop ? Number.NaN : exit.price,
    timeInForce: 'GTC',
    expiresAt: Number.POSITIVE_INFINITY,
    barsLeft: Number.POSITIVE_INFINITY,
    reduceOnly: true,
    group: `exits of ${parent.id}`,
    parentId: parent.id,
    reason: undefined,
    trail: exit.trail,
    limitOffset: undefined,
    activationPrice: Number.NaN,
    postOnly: false,
    triggered: false,
    stopLoss: undefined,
    takeProfit: undefined,
    targets: undefined,
    target: undefined,
    firstPrice: undefined,
    cutToPower: false,
    done: false,
  };
}
