import type { Ledger } from '../account/index.ts';
import { Exact } from '../kernel/index.ts';
import { type Instrument, toTick } from './instruments.ts';
import type { RestingOrder } from './order.ts';
import { readAmount } from './read-request.ts';
import type { ExitLevel } from './request.ts';

/** Decimals kept of a distance in average true ranges. */
const RANGE_PLACES = 10;

/** An exit about to be born: where it lies, and on which side of the fill. */
export interface Exit {
  readonly role: 'stop-loss' | 'take-profit';
  readonly price: number;
}

/**
 * The exits of a parent that filled at a price.
 *
 * A level in price is taken as it is; a distance, a fraction or an ATR multiple is counted from the fill, against the
 * position for a stop loss and with it for a take profit.
 */
export function exitsOf(
  parent: RestingOrder,
  side: 1 | -1,
  fillPrice: Exact,
  instrument: Instrument,
): Exit[] {
  const exits: Exit[] = [];
  if (parent.stopLoss !== undefined) {
    const price = levelPrice(parent.stopLoss, fillPrice, -side, parent.averageTrueRanges.stopLoss);
    // Never in the trader's favour: a long's stop sells, so it is rounded down.
    exits.push({ role: 'stop-loss', price: toTick(price, instrument.tick, side < 0).toNumber() });
  }
  if (parent.takeProfit !== undefined) {
    const price = levelPrice(parent.takeProfit, fillPrice, side, parent.averageTrueRanges.takeProfit);
    exits.push({ role: 'take-profit', price: toTick(price, instrument.tick, side > 0).toNumber() });
  }
  return exits;
}

function levelPrice(level: ExitLevel, fill: Exact, direction: number, averageTrueRange: number): Exact {
  const away = (distance: Exact): Exact => (direction > 0 ? fill.plus(distance) : fill.minus(distance));
  if ('price' in level) return readAmount(level.price)!;
  if ('distance' in level) return away(readAmount(level.distance)!);
  if ('fraction' in level) return away(fill.times(readAmount(level.fraction)!));
  // The mean of float64 ranges errs in its last digits, which a tick would turn into a whole step.
  return away(Exact.of(averageTrueRange * level.atr).toDecimalPlaces(RANGE_PLACES));
}

/** What became of an exit when its position changed. */
export type ExitChange = 'kept' | 'resized' | 'gone';

/** Fits an exit to what is left of the position its parent opened. */
export function fitExit(exit: RestingOrder, ledger: Ledger): ExitChange {
  if (exit.parentId === undefined) return 'kept';
  const left = ledger.openQuantity(exit.symbol, exit.parentId);
  if (left.isZero()) return 'gone';
  if (exit.size.kind === 'units' && exit.size.units.minus(exit.filled).equals(left)) return 'kept';
  exit.size = { kind: 'units', units: exit.filled.plus(left) };
  return 'resized';
}
