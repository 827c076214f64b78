import type { Ledger } from '../account/index.ts';
import { EXACT_ONE, EXACT_ZERO, type Exact } from '../kernel/index.ts';
import { type Instrument, toTick } from './instruments.ts';
import type { RestingOrder, Trail } from './order.ts';
import { readAmount } from './read-amount.ts';
import type { PlacedExit, PlacedTarget } from './request.ts';
import { trailFrom } from './triggers.ts';

/** Exit to be created, with its role and price. */
export interface Exit {
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
export function exitsOf(
  parent: RestingOrder,
  side: 1 | -1,
  fillPrice: Exact,
  instrument: Instrument,
): Exit[] {
  const exits: Exit[] = [];
  const trail = trailOf(parent.stopLoss);
  if (trail !== undefined) {
    // Like every trail, it is not rounded to a tick.
    exits.push({ role: 'stop-loss', price: trailFrom(fillPrice.toNumber(), -side, trail), trail });
  } else if (parent.stopLoss !== undefined) {
    const price = levelPrice(parent.stopLoss, fillPrice, -side);
    // Like every stop, it is rounded against the trader: down for a long position.
    exits.push({
      role: 'stop-loss',
      price: toTick(price, instrument.tick, side < 0).toNumber(),
      trail: undefined,
    });
  }
  if (parent.takeProfit !== undefined) exits.push(targetExit(parent.takeProfit, side, fillPrice, instrument));
  return exits;
}

/** Returns one take profit of a parent order that filled at a price. */
export function targetExit(level: PlacedExit, side: 1 | -1, fillPrice: Exact, { tick }: Instrument): Exit {
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
 * Returns the units that each target closes, in whole lots. If the targets close the whole position, the last
 * one also closes the remainder.
 */
export function shareOut(targets: readonly PlacedTarget[], opened: Exact, { lot }: Instrument): Exact[] {
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

/** Change of an exit after a change of its position. */
export type ExitChange = 'kept' | 'resized' | 'gone';

/** Adjusts an exit to the remaining part of the position that its parent opened. */
export function fitExit(exit: RestingOrder, account: Pick<Ledger, 'openQuantity'>): ExitChange {
  if (exit.parentId === undefined) return 'kept';
  const left = account.openQuantity(exit.symbol, exit.parentId);
  if (left.isZero()) return 'gone';
  const own = exit.size.kind === 'units' ? exit.size.units.minus(exit.filled) : left;
  // One of several targets closes its own share, limited by the remaining position.
  if (exit.target !== undefined && own.compare(left) <= 0) return 'kept';
  if (exit.size.kind === 'units' && exit.size.units.minus(exit.filled).equals(left)) return 'kept';
  exit.size = { kind: 'units', units: exit.filled.plus(left) };
  return 'resized';
}
