/**
 * A lot of open units and its arithmetic.
 *
 * The cost of a lot is price × quantity × multiplier while this product is exact. After a split, or if the
 * book pools purchases at their average cost, the lot stores the amounts: `paid` in the instrument's
 * currency, `worth` in the account's currency. An exit's share of an amount is rounded to 12 decimal places
 * and the remainder stays with the lot, so sums are exact.
 */

import { EXACT_ONE, EXACT_ZERO, type Exact, type Instant } from '../../kernel/index.ts';

/** Contract terms of a symbol: money value of a price point, and payment in full or by margin. */
export interface Contract {
  /**
   * Money per point of price, in the instrument's currency. For example 50 for a contract on 50 times an
   * index.
   */
  readonly multiplier: Exact;
  /**
   * True if a margin is deposited instead of paying the price. The value of such a position is its open
   * profit.
   */
  readonly margined: boolean;
  /** Margin per unit, in the instrument's currency. */
  readonly margin?: Exact;
}

/** Contract of a share: multiplier 1, paid in full. */
export const SHARE: Contract = { multiplier: EXACT_ONE, margined: false };

/** Converts an amount in price points to money in the instrument's currency. */
export function inMoney(amount: Exact, { multiplier }: Pick<Contract, 'multiplier'>): Exact {
  return multiplier === EXACT_ONE ? amount : amount.times(multiplier);
}

/** Fill to be booked, with exact numbers. The commission is in the account's currency. */
export interface ExactFill {
  readonly bar: number;
  readonly time: Instant;
  /** Signed units: positive for a buy. */
  readonly quantity: Exact;
  readonly price: Exact;
  readonly commission: Exact;
  /** Units of the account's currency per unit of the instrument's currency. */
  readonly rate: Exact;
  readonly contract: Contract;
  readonly reason: string;
  readonly orderId: number | undefined;
  readonly closesOrder: number | undefined;
  /** True if the fill does not happen on every possible price path within its bar. */
  readonly ambiguous?: boolean | undefined;
}

/** Part of a lot that an exit closes. */
export interface LotPart {
  /** Quantity without sign. */
  readonly quantity: Exact;
  readonly commission: Exact;
  readonly price: Exact;
  readonly rate: Exact;
  readonly contract: Contract;
  /** Cost in the instrument's currency. `undefined` if the cost is exactly quantity × price × multiplier. */
  readonly paid: Exact | undefined;
  /**
   * Cost in the account's currency. `undefined` if the cost is exactly the cost in the instrument's currency
   * × `rate`.
   */
  readonly worth: Exact | undefined;
}

export interface Lot {
  /** Remaining quantity, signed. */
  quantity: Exact;
  /** Entry commission that is not yet assigned to a partial exit. */
  commission: Exact;
  readonly price: Exact;
  readonly rate: Exact;
  readonly contract: Contract;
  paid: Exact | undefined;
  worth: Exact | undefined;
  readonly bar: number;
  readonly time: Instant;
  /** Order that opened the lot. */
  readonly orderId: number | undefined;
  /**
   * True if the lot was opened by an ambiguous fill. Also true if another possible price path within a bar
   * would have closed the lot.
   */
  ambiguous: boolean;
}

/** Decimal places for costs of partial exits, and for quantities and prices after a split. */
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

/** Returns the cost of a lot's units in the instrument's currency, without sign. */
export function paidFor(lot: Pick<Lot, 'quantity' | 'price' | 'paid' | 'contract'>): Exact {
  return lot.paid ?? inMoney(lot.quantity.abs().times(lot.price), lot.contract);
}

/** Returns the cost of a lot's units in the account's currency, without sign. */
export function worthOf(lot: Lot): Exact {
  if (lot.worth !== undefined) return lot.worth;
  const paid = paidFor(lot);
  return lot.rate === EXACT_ONE ? paid : paid.times(lot.rate);
}

/**
 * Removes units from a lot with their share of its costs. The lot is finished if its quantity becomes zero.
 *
 * @param units without sign, at most the quantity of the lot
 */
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

/** Returns all units of a lot as a part, without changing the lot. */
export function wholeOf({ quantity, commission, price, rate, contract, paid, worth }: Lot): LotPart {
  return { quantity: quantity.abs(), commission, price, rate, contract, paid, worth };
}

/**
 * Returns the proportional share of an amount: `amount` × `part` / `whole`. Returns the whole amount if
 * `part` equals `whole`.
 */
export function share(amount: Exact, part: Exact, whole: Exact): Exact {
  if (amount.isZero() || part.equals(whole)) return amount;
  return amount.times(part).dividedToPlaces(whole, PLACES);
}

/** Returns a quantity after a split, to 12 decimal places. */
export function rebased(quantity: Exact, ratio: SplitRatio): Exact {
  return quantity.times(ratio.to).dividedToPlaces(ratio.from, PLACES);
}

/**
 * Ratio of a split: `to` new units replace `from` old units, for example 3 for 1, or 1 for 10 in a reverse
 * split.
 */
export interface SplitRatio {
  readonly to: Exact;
  readonly from: Exact;
}

/** Returns the price per unit in the instrument's currency, if `quantity` units cost `paid`. */
export function priceOf(paid: Exact, quantity: Exact, { multiplier }: Contract): Exact {
  return paid.dividedBy(multiplier === EXACT_ONE ? quantity : quantity.times(multiplier));
}
