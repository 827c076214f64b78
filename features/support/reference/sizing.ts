import type { Account } from './account.ts';
import { commissionOf } from './costs.ts';
import type { Instrument, RestingOrder } from './order.ts';
import { larger, Rational, smaller, sum, ZERO } from './rational.ts';
import type { Terms } from './types.ts';

/** A part that closes what is held on the other side, and a part that opens. */
export interface Size {
  readonly side: 'buy' | 'sell';
  readonly closing: Rational;
  readonly opening: Rational;
}

export type Refused = string;

const bySign = (signed: Rational): 'buy' | 'sell' => (signed.sign() >= 0 ? 'buy' : 'sell');

/** What an order could close: the position when it is on the other side. */
export function opposite(account: Account, symbol: string, side: 'buy' | 'sell'): Rational {
  const position = account.position(symbol);
  const isOpposite = side === 'buy' ? position.sign() < 0 : position.sign() > 0;
  return isOpposite ? position.abs() : ZERO;
}

const split = (account: Account, symbol: string, side: 'buy' | 'sell', quantity: Rational): Size => {
  const closing = smaller(quantity, opposite(account, symbol, side));
  return { side, closing, opening: quantity.minus(closing) };
};

/** Equity with a symbol's position valued at a price. */
export function equityAt(account: Account, symbol: string, price: Rational): Rational {
  return account.equity().plus(account.position(symbol).times(price.minus(account.mark(symbol))));
}

/** Margin in use, without what an order closes. */
function marginInUse(account: Account, symbol: string, closing: Rational, leverage: Rational): Rational {
  return sum(
    account.held().map((held) => {
      const units = account
        .position(held)
        .abs()
        .minus(held === symbol ? closing : ZERO);
      return units.times(account.mark(held)).over(leverage);
    }),
  );
}

export interface Prospect {
  readonly account: Account;
  readonly symbol: string;
  readonly price: Rational;
  readonly isMaker: boolean;
  readonly traded: Rational;
  readonly terms: Terms;
}

const commission = ({ price, isMaker, traded, terms }: Prospect, quantity: Rational): Rational =>
  commissionOf(quantity, price, isMaker, traded, terms);

/** Whether the opening part satisfies the inequality of buying power. */
export function canCarry(prospect: Prospect, size: Size): boolean {
  if (size.opening.isZero()) return true;
  const { account, symbol, price, terms } = prospect;
  const leverage = Rational.of(terms.leverage ?? 1);
  const whole = commission(prospect, size.closing.plus(size.opening));
  const needed = size.opening.times(price).over(leverage).plus(whole);
  // What is closed is closed at this price, whatever it was marked at.
  const atMark = account.mark(symbol);
  const gain = size.closing.times(price.minus(atMark));
  const equity = account.equity().plus(size.side === 'sell' ? gain : gain.negated());
  return !needed.isAbove(equity.minus(marginInUse(account, symbol, size.closing, leverage)));
}

/** How much an order trades at a price, by the table of quantities; a code when that cannot be. */
export function sizeOf(
  order: RestingOrder,
  side: 'buy' | 'sell',
  prospect: Prospect,
  instrument: Instrument,
): Size | Refused | undefined {
  const { account, symbol, price } = prospect;
  const { ask } = order;
  const position = account.position(symbol);
  if (order.exit !== undefined) {
    const left = smaller(Rational.of(ask.quantity!).minus(order.filled), opposite(account, symbol, side));
    return { side, closing: left, opening: ZERO };
  }
  if (ask.action === 'close') {
    if (position.isZero()) return 'nothing_to_close';
    return { side: bySign(position.negated()), closing: position.abs(), opening: ZERO };
  }
  if (order.sized !== undefined) return split(account, symbol, side, order.sized.minus(order.filled));
  if (ask.action === 'target') {
    const target = targetUnits(ask, equityAt(account, symbol, price), price, instrument);
    const difference = target.minus(position);
    return difference.isZero() ? undefined : split(account, symbol, bySign(difference), difference.abs());
  }
  if (ask.quantity !== undefined) {
    const quantity = Rational.of(ask.quantity).minus(order.filled);
    if (ask.reduceOnly) {
      const closing = smaller(quantity, opposite(account, symbol, side));
      return closing.isZero() ? 'nothing_to_reduce' : { side, closing, opening: ZERO };
    }
    return split(account, symbol, side, quantity);
  }
  if (ask.notional !== undefined) {
    const units = Rational.of(ask.notional).over(price).downTo(instrument.lot);
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
  const exact = Rational.of(ask.targetFraction!).times(equity).over(price);
  return exact.sign() >= 0 ? exact.downTo(lot) : exact.upTo(lot);
}

/** Closes what is on the other side, then opens what the fraction of the equity left carries. */
function shareOfEquity(
  fraction: number | string,
  side: 'buy' | 'sell',
  prospect: Prospect,
  { lot }: Instrument,
): Size | Refused {
  const { account, symbol, price } = prospect;
  const closing = opposite(account, symbol, side);
  const equity = equityAt(account, symbol, price).minus(commission(prospect, closing));
  let opening = larger(Rational.of(fraction).times(equity).over(price).downTo(lot), ZERO);
  // As slow as it gets: lot by lot, from what is wanted down to what can be carried.
  while (!opening.isZero() && !canCarry(prospect, { side, closing, opening })) opening = opening.minus(lot);
  if (opening.isZero() && closing.isZero()) return 'below_lot';
  return { side, closing, opening };
}
