import type { Account } from './account.ts';
import { commissionOf, type SoFar } from './costs.ts';
import type { Instrument, RestingOrder } from './order.ts';
import { larger, Rational, smaller, sum, ZERO } from './rational.ts';
import type { Side, Terms } from './types.ts';

/** A part that closes what is held on the other side, and a part that opens. */
export interface Size {
  readonly side: Side;
  readonly closing: Rational;
  readonly opening: Rational;
}

export type Refused = string;

/** What an order could close: the position when it is on the other side. */
function opposite(account: Account, symbol: string, side: Side): Rational {
  const position = account.position(symbol);
  const isOpposite = side === 'buy' ? position.sign() < 0 : position.sign() > 0;
  return isOpposite ? position.abs() : ZERO;
}

const split = (account: Account, symbol: string, side: Side, quantity: Rational): Size => {
  const closing = smaller(quantity, opposite(account, symbol, side));
  return { side, closing, opening: quantity.minus(closing) };
};

/** What closing a part of the position at a price adds to the equity, before its commission. */
function gainOfClosing(account: Account, symbol: string, closing: Rational, price: Rational): Rational {
  const gain = closing.times(price.minus(account.mark(symbol))).times(account.pointValue(symbol));
  return account.position(symbol).sign() > 0 ? gain : gain.negated();
}

/** Buying power as it stands: what equity carries, less what is carried. */
export function freePower(account: Account, leverage: Rational): Rational {
  return account.equity().minus(account.marginInUse(leverage));
}

/** What a trade would be made against. */
export interface Prospect {
  readonly account: Account;
  readonly symbol: string;
  readonly price: Rational;
  /** The price before slippage: a target is sized at it. */
  readonly reference: Rational;
  /** Notional traded in the run so far. */
  readonly traded: Rational;
  readonly terms: Terms;
  /** Why it could not be sold short. */
  readonly shortFault: Refused | undefined;
  /** What its order has filled and paid before. */
  readonly soFar: SoFar;
  /** What sizes are shares of. */
  readonly equity: Rational;
  /** Inside a bar: what is left of the buying power that was there after its open. */
  readonly power: Rational | undefined;
}

/** Buying power counts what a taker pays, each part by itself. */
const commission = (
  { account, symbol, price, traded, terms, soFar }: Prospect,
  quantity: Rational,
): Rational =>
  commissionOf(quantity, price.times(account.contract(symbol).point), false, soFar, traded, terms).times(
    account.rate(symbol),
  );

/** What a unit costs, in the account's currency. */
const unitCost = ({ account, symbol, price }: Prospect): Rational => price.times(account.pointValue(symbol));

/** What opening a quantity takes of the buying power. */
export const claimOf = (prospect: Prospect, opening: Rational): Rational =>
  prospect.account
    .marginOf(prospect.symbol, opening, prospect.price, Rational.of(prospect.terms.leverage ?? 1))
    .plus(commission(prospect, opening));

/** Whether the opening part satisfies the inequality of buying power; what the order itself closes is free for it. */
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

/** How much an order trades at a price, by the table of quantities: a size, a code, or nothing to do. */
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

/** At its fill a target fraction is cut to what buying power carries, lot by lot; it stays whole where nothing is left. */
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

/** Closes what is on the other side, then opens what the fraction of the equity left carries. */
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
  // As slow as it gets: lot by lot, from what is wanted down to what can be carried.
  while (!opening.isZero() && !canCarry(prospect, { side, closing, opening })) opening = opening.minus(lot);
  if (opening.isZero() && closing.isZero()) return 'below_lot';
  return { side, closing, opening };
}
