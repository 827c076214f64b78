/**
 * One lot and its arithmetic.
 *
 * A lot knows what its units cost by price × quantity × multiplier as long as that is exact. After a split, or where purchases are
 * pooled, it carries the amounts themselves: `paid` in the instrument's currency, `worth` in the account's. What an
 * exit takes of an amount is rounded to 12 decimal places and the rest stays with the lot, so that sums are exact.
 */
import { EXACT_ONE, EXACT_ZERO, type Exact, type Instant } from '../kernel/index.ts';
import { type Contract, inMoney } from './contract.ts';

/** A booking in exact numbers, its commission in the account's currency. */
export interface ExactFill {
  readonly bar: number;
  readonly time: Instant;
  /** Signed. */
  readonly quantity: Exact;
  readonly price: Exact;
  readonly commission: Exact;
  /** Account currency a unit of the instrument's. */
  readonly rate: Exact;
  readonly contract: Contract;
  readonly reason: string;
  readonly orderId: number | undefined;
  readonly closesOrder: number | undefined;
  /** Another outcome of its bar does not have it. */
  readonly ambiguous?: boolean | undefined;
}

/** What an exit takes out of a lot. */
export interface LotPart {
  /** Without sign. */
  readonly quantity: Exact;
  readonly commission: Exact;
  readonly price: Exact;
  readonly rate: Exact;
  readonly contract: Contract;
  /** What it cost in the instrument's currency, where that is not quantity × price × multiplier. */
  readonly paid: Exact | undefined;
  /** What it cost in the account's currency, where that is not the above × rate. */
  readonly worth: Exact | undefined;
}

export interface Lot {
  /** What is left of it; signed. */
  quantity: Exact;
  /** Entry commission not yet carried away by a partial exit. */
  commission: Exact;
  readonly price: Exact;
  readonly rate: Exact;
  readonly contract: Contract;
  paid: Exact | undefined;
  worth: Exact | undefined;
  readonly bar: number;
  readonly time: Instant;
  /** The order that opened it. */
  readonly orderId: number | undefined;
  /** Opened by an ambiguous fill, or closed by another outcome of a bar since. */
  ambiguous: boolean;
}

/** Decimal places of a share of a cost, and of quantities and prices after a split. */
export const PLACES = 12;

export function newLot(fill: ExactFill, quantity: Exact, commission: Exact): Lot {
  const { price, rate, contract, bar, time, orderId, ambiguous = false } = fill;
  return {
    quantity,
    commission,
    price,
    rate,
    contract,
    paid: undefined,
    worth: undefined,
    bar,
    time,
    orderId,
    ambiguous,
  };
}

/** What a lot's units cost in the instrument's currency, without sign. */
export function paidFor(lot: Pick<Lot, 'quantity' | 'price' | 'paid' | 'contract'>): Exact {
  return lot.paid ?? inMoney(lot.quantity.abs().times(lot.price), lot.contract);
}

/** What a lot's units cost in the account's currency, without sign. */
export function worthOf(lot: Lot): Exact {
  if (lot.worth !== undefined) return lot.worth;
  const paid = paidFor(lot);
  return lot.rate === EXACT_ONE ? paid : paid.times(lot.rate);
}

/** Takes units, without sign and at most the lot's, out of a lot with their share of its costs; an emptied lot is done with. */
export function takeFrom(lot: Lot, units: Exact): LotPart {
  const size = lot.quantity.abs();
  if (units.equals(size)) {
    const whole = wholeOf(lot);
    lot.quantity = EXACT_ZERO;
    return whole;
  }
  const commission = share(lot.commission, units, size);
  const paid = lot.paid === undefined ? undefined : share(lot.paid, units, size);
  const worth = lot.worth === undefined ? undefined : share(lot.worth, units, size);
  lot.commission = lot.commission.minus(commission);
  if (paid !== undefined) lot.paid = lot.paid?.minus(paid);
  if (worth !== undefined) lot.worth = lot.worth?.minus(worth);
  lot.quantity = lot.quantity.isNegative() ? lot.quantity.plus(units) : lot.quantity.minus(units);
  const { price, rate, contract } = lot;
  return { quantity: units, commission, price, rate, contract, paid, worth };
}

/** The whole of a lot, left as it is. */
export function wholeOf({ quantity, commission, price, rate, contract, paid, worth }: Lot): LotPart {
  return { quantity: quantity.abs(), commission, price, rate, contract, paid, worth };
}

/** The part of an amount that falls on `part` of `whole`; all of it when they are equal. */
export function share(amount: Exact, part: Exact, whole: Exact): Exact {
  if (amount.isZero() || part.equals(whole)) return amount;
  return amount.times(part).dividedToPlaces(whole, PLACES);
}

/** A quantity after a split, to 12 decimal places. */
export function rebased(quantity: Exact, ratio: SplitRatio): Exact {
  return quantity.times(ratio.to).dividedToPlaces(ratio.from, PLACES);
}

/** `to` new units for `from` old ones: 3 for 1, or 1 for 10. */
export interface SplitRatio {
  readonly to: Exact;
  readonly from: Exact;
}

/** A price a unit, of what units cost in the instrument's currency. */
export function priceOf(paid: Exact, quantity: Exact, { multiplier }: Contract): Exact {
  return paid.dividedBy(multiplier === EXACT_ONE ? quantity : quantity.times(multiplier));
}
