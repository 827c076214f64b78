import type { Ledger } from '../account/index.ts';
import { EXACT_ONE, EXACT_ZERO, type Exact } from '../kernel/index.ts';
import { type Instrument, toTick } from './instruments.ts';
import type { RestingOrder, Trail } from './order.ts';
import { readAmount } from './read-amount.ts';
import type { PlacedExit, PlacedTarget } from './request.ts';
import { trailFrom } from './triggers.ts';

/** An exit about to be created: its price, and on which side of the fill. */
export interface Exit {
  readonly role: 'stop-loss' | 'take-profit';
  readonly price: number;
  /** Of a stop loss that follows the price. */
  readonly trail: Trail | undefined;
}

/**
 * The exits of a parent that filled at a price.
 *
 * A level in price is taken as it is; a distance or a fraction is counted from the fill, against the position for a stop
 * loss and with it for a take profit.
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
    // Like any trail it is where its distance puts it, on no tick.
    exits.push({ role: 'stop-loss', price: trailFrom(fillPrice.toNumber(), -side, trail), trail });
  } else if (parent.stopLoss !== undefined) {
    const price = levelPrice(parent.stopLoss, fillPrice, -side);
    // Like any stop it is rounded against the trader: a long's down.
    exits.push({
      role: 'stop-loss',
      price: toTick(price, instrument.tick, side < 0).toNumber(),
      trail: undefined,
    });
  }
  if (parent.takeProfit !== undefined) exits.push(targetExit(parent.takeProfit, side, fillPrice, instrument));
  return exits;
}

/** A take profit of a parent that filled at a price. */
export function targetExit(level: PlacedExit, side: 1 | -1, fillPrice: Exact, { tick }: Instrument): Exit {
  const price = toTick(levelPrice(level, fillPrice, side), tick, side > 0).toNumber();
  return { role: 'take-profit', price, trail: undefined };
}

/** The distance at which a stop loss follows the price; undefined where it stays. */
export function trailOf(level: PlacedExit | undefined): Trail | undefined {
  if (level === undefined || 'price' in level || level.trail !== true) return undefined;
  return 'distance' in level
    ? { amount: readAmount(level.distance)!.toNumber() }
    : { fraction: readAmount(level.fraction)!.toNumber() };
}

/** Units of what an order has opened that each of its targets closes: whole lots, the last taking what is over where they close it all. */
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

/** What became of an exit when its position changed. */
export type ExitChange = 'kept' | 'resized' | 'gone';

/** Fits an exit to what is left of the position its parent opened. */
export function fitExit(exit: RestingOrder, account: Pick<Ledger, 'openQuantity'>): ExitChange {
  if (exit.parentId === undefined) return 'kept';
  const left = account.openQuantity(exit.symbol, exit.parentId);
  if (left.isZero()) return 'gone';
  const own = exit.size.kind === 'units' ? exit.size.units.minus(exit.filled) : left;
  // One of several targets closes its own part, or what is left.
  if (exit.target !== undefined && own.compare(left) <= 0) return 'kept';
  if (exit.size.kind === 'units' && exit.size.units.minus(exit.filled).equals(left)) return 'kept';
  exit.size = { kind: 'units', units: exit.filled.plus(left) };
  return 'resized';
}
