import type { Account } from './account.ts';
import { commissionOf, type SoFar } from './costs.ts';
import type { Instrument, RestingOrder } from './order.ts';
import { larger, Rational, smaller, sum, ZERO } from './rational.ts';
import type { Side, Terms } from './types.ts';

/** Size of an order: units that close an opposite position, and units that open. */
export interface Size {
  readonly side: Side;
  readonly closing: Rational;
  readonly opening: Rational;
}

export type Refused = string;

/**
 * Returns the units that an order could close: the whole position if it is on the opposite side, otherwise 0.
 */
function opposite(account: Account, symbol: string, side: Side): Rational {
  const position = account.position(symbol);
  const isOpposite = side === 'buy' ? position.sign() < 0 : position.sign() > 0;
  return isOpposite ? position.abs() : ZERO;
}

const split = (account: Account, symbol: string, side: Side, quantity: Rational): Size => {
  const closing = smaller(quantity, opposite(account, symbol, side));
  return { side, closing, opening: quantity.minus(closing) };
};

/** Returns the change of the equity if a part of the position is closed at a price, before commission. */
function gainOfClosing(account: Account, symbol: string, closing: Rational, price: Rational): Rational {
  const gain = closing.times(price.minus(account.mark(symbol))).times(account.pointValue(symbol));
  return account.position(symbol).sign() > 0 ? gain : gain.negated();
}

/** Returns the free buying power: the equity minus the initial margin of all positions. */
export function freePower(account: Account, leverage: Rational): Rational {
  return account.equity().minus(account.marginInUse(leverage));
}

/** Inputs for the size of a trade. */
export interface Prospect {
  readonly account: Account;
  readonly symbol: string;
  readonly price: Rational;
  /** Price before slippage. The size of a target is calculated at this price. */
  readonly reference: Rational;
  /** Notional that the run has traded so far. */
  readonly traded: Rational;
  readonly terms: Terms;
  /** Code of the reason why the symbol cannot be sold short. `undefined` if it can. */
  readonly shortFault: Refused | undefined;
  /** Units that the order has filled so far, with their value and commission. */
  readonly soFar: SoFar;
  /** Equity of which the sizes of orders are fractions. */
  readonly equity: Rational;
  /** Inside a bar: rest of the buying power that was available after the open. `undefined` outside a bar. */
  readonly power: Rational | undefined;
}

/**
 * Returns the commission for checks of buying power. Uses the taker fee, and is called separately for the
 * closing and the opening part.
 */
const commission = (
  { account, symbol, price, traded, terms, soFar }: Prospect,
  quantity: Rational,
): Rational =>
  commissionOf(quantity, price.times(account.contract(symbol).point), false, soFar, traded, terms).times(
    account.rate(symbol),
  );

/** Returns the cost of one unit, in the account's currency. */
const unitCost = ({ account, symbol, price }: Prospect): Rational => price.times(account.pointValue(symbol));

/** Returns the buying power that opening a quantity uses: its initial margin and commission. */
export const claimOf = (prospect: Prospect, opening: Rational): Rational =>
  prospect.account
    .marginOf(prospect.symbol, opening, prospect.price, Rational.of(prospect.terms.leverage ?? 1))
    .plus(commission(prospect, opening));

/**
 * Returns true if buying power covers the opening part. Buying power that the closing part of the order frees
 * is available to it.
 */
export function canCarry(prospect: Prospect, { closing, opening }: Size): boolean {
  if (opening.isZero()) return true;
  const { account, symbol, price, terms, power } = prospect;
  const leverage = Rational.of(terms.leverage ?? 1);
  const gained = gainOfClosing(account, symbol, closing, price);
  const released = account.marginOf(symbol, closing, account.mark(symbol), leverage);
  const available = sum([
    power ?? freePower(account, leverage),
    gained,
    released,
    commission(prospect, closing).negated(),
  ]);
  return !claimOf(prospect, opening).isAbove(available);
}

/**
 * Returns the size that an order trades at a price, or the code of a rejection. `undefined` if there is
 * nothing to trade.
 */
export function sizeOf(
  order: RestingOrder,
  side: Side,
  prospect: Prospect,
  instrument: Instrument,
): Size | Refused | undefined {
  const { account, symbol } = prospect;
  const size = wishOf(order, side, prospect, instrument);
  if (typeof size !== 'object' || !order.ask.reduceOnly) return size;
  const closing = smaller(size.closing.plus(size.opening), opposite(account, symbol, side));
  return closing.isZero() ? 'nothing_to_close' : { side, closing, opening: ZERO };
}

/**
 * Reduces the size of a target fraction, lot by lot, to what buying power covers. Returns the unchanged size
 * if nothing would be left.
 */
export function carriedPart(
  { ask, sized }: RestingOrder,
  prospect: Prospect,
  size: Size,
  { lot, minimumNotional }: Instrument,
): Size {
  if (ask.targetFraction === undefined || sized !== undefined || ask.reduceOnly) return size;
  if (size.opening.isZero() || canCarry(prospect, size)) return size;
  let { opening } = size;
  while (!opening.isZero() && !canCarry(prospect, { ...size, opening }))
    opening = larger(opening.minus(lot), ZERO);
  const value = opening.times(prospect.price).times(prospect.account.contract(prospect.symbol).point);
  if (value.isBelow(minimumNotional)) opening = ZERO;
  return opening.isZero() && size.closing.isZero() ? size : { ...size, opening };
}

function wishOf(
  order: RestingOrder,
  side: Side,
  prospect: Prospect,
  instrument: Instrument,
): Size | Refused | undefined {
  const { account, symbol } = prospect;
  const { ask } = order;
  if (order.exit !== undefined) {
    const opened = account.openedBy(symbol, order.exit.parent);
    const own = order.portion?.minus(order.filled) ?? opened;
    return { side, closing: smaller(own, opened), opening: ZERO };
  }
  const held = opposite(account, symbol, side);
  const left = order.sized?.minus(order.filled);
  if (ask.action === 'close') {
    const closing = smaller(left ?? held, held);
    return closing.isZero() ? 'nothing_to_close' : { side, closing, opening: ZERO };
  }
  if (left !== undefined) return split(account, symbol, side, left);
  if (ask.action === 'target') {
    const target = targetUnits(
      ask,
      prospect.equity,
      prospect.reference.times(account.pointValue(symbol)),
      instrument,
    );
    const difference = target.minus(account.position(symbol));
    const isThatWay = side === 'buy' ? difference.sign() > 0 : difference.sign() < 0;
    return isThatWay ? split(account, symbol, side, difference.abs()) : undefined;
  }
  if (ask.quantity !== undefined) return split(account, symbol, side, Rational.of(ask.quantity));
  if (ask.notional !== undefined) {
    const units = Rational.of(ask.notional).over(unitCost(prospect)).downTo(instrument.lot);
    return units.isZero() ? 'below_lot' : split(account, symbol, side, units);
  }
  return shareOfEquity(ask.equityFraction!, side, prospect, instrument);
}

function targetUnits(
  ask: RestingOrder['ask'],
  equity: Rational,
  price: Rational,
  { lot }: Instrument,
): Rational {
  if (ask.targetQuantity !== undefined) return Rational.of(ask.targetQuantity);
  const exact = Rational.of(ask.targetFraction!).times(larger(equity, ZERO)).over(price);
  return exact.sign() >= 0 ? exact.downTo(lot) : exact.upTo(lot);
}

/**
 * Closes the opposite position, then opens units for a fraction of the resulting equity, as far as buying
 * power covers them.
 */
function shareOfEquity(
  fraction: number | string,
  side: Side,
  prospect: Prospect,
  { lot }: Instrument,
): Size | Refused {
  const { account, symbol, price } = prospect;
  const closing = opposite(account, symbol, side);
  if (side === 'sell' && prospect.shortFault !== undefined)
    return closing.isZero() ? prospect.shortFault : { side, closing, opening: ZERO };
  const gain = gainOfClosing(account, symbol, closing, price);
  const equity = prospect.equity.plus(gain).minus(commission(prospect, closing));
  let opening = larger(Rational.of(fraction).times(equity).over(unitCost(prospect)).downTo(lot), ZERO);
  // Deliberately slow and simple: reduces the size lot by lot until buying power covers it.
  while (!opening.isZero() && !canCarry(prospect, { side, closing, opening })) opening = opening.minus(lot);
  if (opening.isZero() && closing.isZero()) return 'below_lot';
  return { side, closing, opening };
}
