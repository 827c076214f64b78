import { leverageFault, lotFault, priceFault, timeFault } from './acceptance.ts';
import type { Account } from './account.ts';
import { commissionOf } from './costs.ts';
import { type Instrument, limitOf, type RestingOrder, typeOf } from './order.ts';
import { Rational, smaller, sum, ZERO } from './rational.ts';
import { type Holding, hasLimits, type Opening, riskFault } from './risk.ts';
import { shortFault } from './short.ts';
import type { Refused } from './sizing.ts';
import type { State } from './state.ts';
import type { Ask, Terms } from './types.ts';

const NOTHING = { billed: ZERO, value: ZERO, charged: ZERO };

/**
 * Checks a new order against the account as expected after all earlier market orders have filled. Returns the
 * code of a rejection, or `undefined`.
 */
export function prospectFault(order: RestingOrder, state: State): Refused | undefined {
  const { ask, symbol } = order;
  const { account, given } = state;
  const { terms } = given;
  const instrument = given.instrument(symbol);
  const held = (name: string): Rational =>
    projectedUnits(name, state.orders, account, given.instrument(name));
  const position = held(symbol);
  if (ask.action === 'close' && position.isZero()) return 'nothing_to_close';
  const fault = priceFault(ask) ?? timeFault(ask, given.day(state.bar));
  if (fault !== undefined || ask.action === 'close') return fault;
  const levered = leverageFault(ask, account, symbol, terms);
  if (levered !== undefined) return levered;
  const price = ask.limitPrice === undefined ? account.mark(symbol) : roundedLimit(order, instrument);
  const wanted = wantedUnits(ask, position, price.times(account.pointValue(symbol)), instrument);
  const buys = ask.action === 'buy' || (ask.action === 'target' && wanted !== undefined && wanted.sign() > 0);
  const closable = (buys ? position.sign() < 0 : position.sign() > 0) ? position.abs() : ZERO;
  const isNegativeTarget =
    ask.action === 'target' && Rational.of(ask.targetQuantity ?? ask.targetFraction!).sign() < 0;
  const isNakedSale = ask.action === 'sell' && !ask.reduceOnly && closable.isZero();
  const naked = shortFault(given, symbol, state.bar);
  if (naked !== undefined && (isNegativeTarget || isNakedSale)) return naked;
  const risk = (opening: Rational): Refused | undefined => {
    const given: Opening = { symbol, side: buys ? 'buy' : 'sell', opening, closing: closable, price };
    return riskFault(state, given, { held, fillBar: fillBarOf(state, ask) });
  };
  const early = hasLimits(terms) ? estimateFault(order, state, price, closable, instrument, risk) : undefined;
  if (early !== undefined) return early;
  const lots = lotFault(ask, instrument);
  if (lots !== undefined) return lots;
  if (ask.reduceOnly && closable.isZero()) return 'nothing_to_reduce';
  if (wanted === undefined || ask.reduceOnly) return undefined;
  if (wanted.isZero()) return ask.notional === undefined ? undefined : 'below_lot';
  const opening = wanted.abs().minus(smaller(wanted.abs(), closable));
  if (opening.isZero()) return undefined;
  if (!buys && naked !== undefined) return naked;
  if (opening.times(price).times(account.contract(symbol).point).isBelow(instrument.minimumNotional))
    return 'below_minimum_notional';
  const isInUnits = ask.quantity !== undefined || ask.targetQuantity !== undefined;
  const limited = isInUnits ? risk(opening) : undefined;
  return limited ?? powerFault(state, symbol, opening, closable, price, held, terms);
}

function powerFault(
  { account, traded }: State,
  symbol: string,
  opening: Rational,
  closable: Rational,
  price: Rational,
  held: Holding,
  terms: Terms,
): Refused | undefined {
  const leverage = Rational.of(terms.leverage ?? 1);
  const value = price.times(account.contract(symbol).point);
  const margin = sum(
    [...account.marks.keys()]
      .filter((name) => name !== symbol || closable.isZero())
      .map((name) => account.marginOf(name, held(name).abs(), account.mark(name), leverage)),
  );
  const costs = sum(
    [opening, closable].map((part) => commissionOf(part, value, false, NOTHING, traded, terms)),
  );
  const needed = account.marginOf(symbol, opening, price, leverage).plus(costs.times(account.rate(symbol)));
  return needed.isAbove(account.equity().minus(margin)) ? 'buying_power' : undefined;
}

/** Returns the first bar in which an order can fill. */
const fillBarOf = ({ bar, given }: State, ask: Ask): number =>
  given.terms.fillOn === 'close' && typeOf({ ask }) === 'market' ? bar : bar + 1;

/**
 * Checks an order for an amount of money or a fraction of the equity against the risk limits. Uses its size
 * at the current price.
 */
function estimateFault(
  { ask, symbol }: RestingOrder,
  { account }: State,
  price: Rational,
  closable: Rational,
  { lot }: Instrument,
  risk: (opening: Rational) => Refused | undefined,
): Refused | undefined {
  if (ask.reduceOnly) return undefined;
  const lots = (money: Rational): Rational => money.over(price.times(account.pointValue(symbol))).downTo(lot);
  if (ask.notional !== undefined) return risk(lots(Rational.of(ask.notional)).minus(closable));
  if (ask.equityFraction !== undefined)
    return risk(lots(account.equity().times(Rational.of(ask.equityFraction))));
  return undefined;
}

const roundedLimit = (order: RestingOrder, { tick }: Instrument): Rational =>
  limitOf(order, order.ask.action === 'sell' ? 'sell' : 'buy', tick);

/**
 * Returns the signed units that an order requests at a price. `undefined` if the size is determined only at
 * the fill.
 */
function wantedUnits(
  ask: Ask,
  position: Rational,
  price: Rational,
  { lot }: Instrument,
): Rational | undefined {
  if (ask.targetQuantity !== undefined) return Rational.of(ask.targetQuantity).minus(position);
  const units =
    ask.quantity !== undefined
      ? Rational.of(ask.quantity)
      : ask.notional !== undefined
        ? Rational.of(ask.notional).over(price).downTo(lot)
        : undefined;
  return ask.action === 'sell' ? units?.negated() : units;
}

/**
 * Returns the expected units of a symbol after all market orders in `before` have filled. A size that is
 * determined only at the fill counts as one lot.
 */
export function projectedUnits(
  symbol: string,
  before: readonly RestingOrder[],
  account: Account,
  { lot }: Instrument,
): Rational {
  let units = account.position(symbol);
  for (const { symbol: other, ask, sized, filled, ...order } of before) {
    if (other !== symbol || typeOf({ ask }) !== 'market' || 'exit' in order) continue;
    const quantity = sized ?? (ask.quantity === undefined ? undefined : Rational.of(ask.quantity));
    const sign = new Rational((order.side ?? ask.action) === 'sell' ? -1n : 1n);
    if (ask.action === 'close' && sized === undefined) units = ZERO;
    else if (quantity !== undefined) units = units.plus(quantity.minus(filled).times(sign));
    else if (ask.targetQuantity !== undefined) units = Rational.of(ask.targetQuantity);
    else if (units.isZero()) units = lot.times(sign);
  }
  return units;
}
