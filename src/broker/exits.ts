import type { Ledger } from '../account/index.ts';
import type { Exact } from '../kernel/index.ts';
import { type Instrument, toTick } from './instruments.ts';
import type { RestingOrder } from './order.ts';
import { readAmount } from './read-amount.ts';
import type { PlacedExit } from './request.ts';

/** An exit about to be created: its price, and on which side of the fill. */
export interface Exit {
  readonly role: 'stop-loss' | 'take-profit';
  readonly price: number;
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
  if (parent.stopLoss !== undefined) {
    const price = levelPrice(parent.stopLoss, fillPrice, -side);
    // Like any stop it is rounded against the trader: a long's down.
    exits.push({ role: 'stop-loss', price: toTick(price, instrument.tick, side < 0).toNumber() });
  }
  if (parent.takeProfit !== undefined) {
    const price = levelPrice(parent.takeProfit, fillPrice, side);
    exits.push({ role: 'take-profit', price: toTick(price, instrument.tick, side > 0).toNumber() });
  }
  return exits;
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
  if (exit.size.kind === 'units' && exit.size.units.minus(exit.filled).equals(left)) return 'kept';
  exit.size = { kind: 'units', units: exit.filled.plus(left) };
  return 'resized';
}
