import { EXACT_ZERO, type Exact } from '../kernel/index.ts';
import { type Exit, exitsOf, fitExit } from './exits.ts';
import type { Instrument } from './instruments.ts';
import type { RestingOrder } from './order.ts';
import type { Venue } from './venue.ts';

/** What a fill does to other orders: its OCO siblings are cancelled, its exits created, the exits of its symbol fit what is left. */
export class Brackets {
  readonly #instruments: readonly Instrument[];
  /** Exits that may rest: without any, a fill has none to fit. */
  #anyExits = false;

  constructor(instruments: readonly Instrument[]) {
    this.#instruments = instruments;
  }

  /** @param price of the fill, from which distances are counted */
  afterFill(venue: Venue, order: RestingOrder, side: 1 | -1, price: Exact): void {
    if (order.group !== undefined && order.parentId === undefined) cancelOcoSiblings(venue, order);
    if (order.stopLoss !== undefined || order.takeProfit !== undefined)
      this.#createExits(venue, order, side, price);
    if (this.#anyExits) fitExits(venue, order.symbol);
  }

  #createExits(venue: Venue, parent: RestingOrder, side: 1 | -1, price: Exact): void {
    const created = venue.orders.some((exit) => exit.parentId === parent.id && !exit.done);
    const opened = venue.account.openQuantity(parent.symbol, parent.id);
    // A later partial fill resizes the exits that are there; an order that only closed has none.
    if (created || opened.isZero()) return;
    this.#anyExits = true;
    for (const exit of exitsOf(parent, side, price, this.#instruments[parent.symbol]!))
      venue.accept(exitOrder(venue, parent, side, exit, opened));
  }
}

/** Takes back the orders that share a group with one that filled. @param except a symbol whose orders are left */
export function cancelOcoSiblings(venue: Venue, filled: RestingOrder, except?: number): void {
  for (const sibling of venue.orders) {
    if (sibling === filled || sibling.done || sibling.group !== filled.group || sibling.symbol === except)
      continue;
    venue.cancel(sibling, 'one_cancels_other', `Order ${filled.id} of its group filled.`);
  }
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
    type: stop ? 'stop' : 'limit',
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
    trail: undefined,
    triggered: false,
    stopLoss: undefined,
    takeProfit: undefined,
    done: false,
  };
}
