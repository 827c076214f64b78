import { EXACT_ONE, EXACT_ZERO, type Exact } from '../../kernel/index.ts';
import type { Ledger } from '../account/index.ts';
import type { RestingOrder, Trail } from '../orders/order.ts';
import { readAmount } from '../orders/read-fields.ts';
import type { PlacedExit, PlacedTarget } from '../orders/request.ts';
import type { Instrument } from '../settings/instruments.ts';
import { toTick } from '../settings/ticks.ts';
import { trailFrom } from './triggers.ts';
import type { SizedFill, Venue } from './venue.ts';

/**
 * Applies the effects of a fill on other orders. Cancels the other orders of the filled order's
 * one-cancels-other group and creates the exits of the filled order. Also adjusts the exits of the symbol to
 * the remaining position.
 */
export class Brackets {
  readonly #instruments: readonly Instrument[];
  /** False until the first fill creates exits. While false, a fill does not have to adjust any exits. */
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
   * Creates the exits of a filled entry. Does nothing if exits of the entry are resting; `fitExits` resizes
   * them after a further partial fill.
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
   * Creates the take profits of an entry with several targets. The units of each partial fill are distributed
   * among the targets. A target that is already resting becomes larger; any other target is created.
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
 * Cancels orders that have no purpose after a fill. These are the other orders of the filled order's
 * one-cancels-other group. If an exit filled, also the unfilled rest of its entry. A liquidation cancels the
 * unfilled rest of every entry that opened a part of the position.
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

/** True if an order, or an earlier order that it replaced, has opened a part of a position. */
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

/** Exit order to be created, with its role and price. */
interface Exit {
  readonly role: 'stop-loss' | 'take-profit';
  readonly price: number;
  /** Distance of a trailing stop loss. */
  readonly trail: Trail | undefined;
}

/**
 * Returns the exits of a parent order that filled at a price.
 *
 * A level given as a price is used unchanged. A distance or a fraction is counted from the fill price:
 * against the position for a stop loss, in its favour for a take profit.
 */
function exitsOf(parent: RestingOrder, side: 1 | -1, fillPrice: Exact, instrument: Instrument): Exit[] {
  const exits: Exit[] = [];
  const trail = trailOf(parent.stopLoss);
  if (trail !== undefined) {
    // Like every trailing stop, this exit is not rounded to a tick.
    exits.push({ role: 'stop-loss', price: trailFrom(fillPrice.toNumber(), -side, trail), trail });
  } else if (parent.stopLoss !== undefined) {
    const price = levelPrice(parent.stopLoss, fillPrice, -side);
    // Like every stop, this exit is rounded against the trader: down for a long position.
    exits.push({
      role: 'stop-loss',
      price: toTick(price, instrument.tick, side < 0).toNumber(),
      trail: undefined,
    });
  }
  if (parent.takeProfit !== undefined) exits.push(targetExit(parent.takeProfit, side, fillPrice, instrument));
  return exits;
}

/** Creates the take profit of one target, for a parent order that filled at a price. */
function targetExit(level: PlacedExit, side: 1 | -1, fillPrice: Exact, { tick }: Instrument): Exit {
  const price = toTick(levelPrice(level, fillPrice, side), tick, side > 0).toNumber();
  return { role: 'take-profit', price, trail: undefined };
}

/** Returns the distance at which a stop loss follows the price. `undefined` for a fixed stop loss. */
export function trailOf(level: PlacedExit | undefined): Trail | undefined {
  if (level === undefined || 'price' in level || level.trail !== true) return undefined;
  return 'distance' in level
    ? { amount: readAmount(level.distance)!.toNumber() }
    : { fraction: readAmount(level.fraction)!.toNumber() };
}

/**
 * Returns the units that each target closes, in whole lots. If the shares of the targets total 1, the last
 * target also closes the units lost by rounding.
 */
function shareOut(targets: readonly PlacedTarget[], opened: Exact, { lot }: Instrument): Exact[] {
  let left = opened;
  let shares = EXACT_ZERO;
  return targets.map(({ share }) => {
    const part = share === undefined ? undefined : readAmount(share)!;
    shares = part === undefined ? EXACT_ONE : shares.plus(part);
    const isRest = shares.equals(EXACT_ONE);
    const units = isRest ? left : opened.times(part!).dividedBy(lot).floor().times(lot);
    left = left.minus(units);
    return units;
  });
}

function levelPrice(level: PlacedExit, fill: Exact, direction: number): Exact {
  const away = (distance: Exact): Exact => (direction > 0 ? fill.plus(distance) : fill.minus(distance));
  if ('price' in level) return readAmount(level.price)!;
  if ('distance' in level) return away(readAmount(level.distance)!);
  return away(fill.times(readAmount(level.fraction)!));
}

/** Effect of a position change on an exit order: unchanged, resized, or without units to close. */
type ExitChange = 'kept' | 'resized' | 'gone';

/** Adjusts an exit to the remaining part of the position that its parent opened. */
export function fitExit(exit: RestingOrder, account: Pick<Ledger, 'openQuantity'>): ExitChange {
  if (exit.parentId === undefined) return 'kept';
  const left = account.openQuantity(exit.symbol, exit.parentId);
  if (left.isZero()) return 'gone';
  const own = exit.size.kind === 'units' ? exit.size.units.minus(exit.filled) : left;
  // The exit of one of several targets closes only its own share, and never more than the remaining position.
  if (exit.target !== undefined && own.compare(left) <= 0) return 'kept';
  if (exit.size.kind === 'units' && exit.size.units.minus(exit.filled).equals(left)) return 'kept';
  exit.size = { kind: 'units', units: exit.filled.plus(left) };
  return 'resized';
}
