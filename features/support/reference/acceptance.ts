import type { Account } from './account.ts';
import { commissionOf } from './costs.ts';
import { type Instrument, type RestingOrder, typeOf } from './order.ts';
import { Rational } from './rational.ts';
import { canCarry, type Refused, type Size, sizeOf } from './sizing.ts';
import type { Ask, Terms } from './types.ts';

const isAmount = (value: unknown): value is number | string =>
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value.trim()));
const isPositive = (value: unknown): boolean => isAmount(value) && Rational.of(value).sign() > 0;

const NEEDS: Record<string, readonly (keyof Ask)[]> = {
  limit: ['limitPrice'],
  stop: ['stopPrice'],
  stop_limit: ['limitPrice', 'stopPrice'],
};

/** What is wrong with an order whatever the account looks like. */
export function faultOf(
  ask: Ask,
  symbols: readonly string[],
  instrument: Instrument,
  terms: Terms,
): Refused | undefined {
  if (ask.symbol !== undefined && !symbols.includes(ask.symbol)) return 'unknown_symbol';
  return amountFault(ask, instrument, terms) ?? priceFault(ask);
}

function amountFault(ask: Ask, { lot }: Instrument, terms: Terms): Refused | undefined {
  const given = (
    ['quantity', 'notional', 'equityFraction', 'targetQuantity', 'targetFraction'] as const
  ).filter((name) => ask[name] !== undefined);
  const allowed =
    ask.action === 'close'
      ? []
      : ask.action === 'target'
        ? ['targetQuantity', 'targetFraction']
        : ['quantity', 'notional', 'equityFraction'];
  if (given.length !== (allowed.length === 0 ? 0 : 1) || given.some((name) => !allowed.includes(name)))
    return 'bad_quantity';
  const [name] = given;
  if (name === undefined) return undefined;
  const value = ask[name]!;
  if (!isAmount(value)) return 'bad_quantity';
  const amount = Rational.of(value);
  if (ask.action !== 'target' && amount.sign() <= 0) return 'bad_quantity';
  if (name === 'equityFraction' || name === 'targetFraction')
    return amount.abs().isAbove(Rational.of(terms.leverage ?? 1)) ? 'bad_quantity' : undefined;
  if (name === 'notional') return undefined;
  if (!amount.isZero() && amount.abs().isBelow(lot)) return 'below_lot';
  return amount.over(lot).denominator === 1n ? undefined : 'not_a_lot_multiple';
}

function priceFault(ask: Ask): Refused | undefined {
  const type = ask.type ?? 'market';
  for (const name of ['limitPrice', 'stopPrice', 'trailAmount', 'trailFraction'] as const) {
    const value = ask[name];
    const isNeeded = NEEDS[type]?.includes(name) ?? false;
    const isTrail = type === 'trailing_stop' && name.startsWith('trail');
    if (value === undefined ? isNeeded : !(isNeeded || isTrail) || !isPositive(value)) return 'bad_price';
  }
  if (type !== 'trailing_stop') return undefined;
  return (ask.trailAmount === undefined) === (ask.trailFraction === undefined) ? 'bad_price' : undefined;
}

/**
 * Holds an order against the account as it would be had every order accepted before filled at the last close.
 *
 * @param before orders that rest, without exits
 */
export function prospectFault(
  order: RestingOrder,
  before: readonly RestingOrder[],
  account: Account,
  instrument: (symbol: string) => Instrument,
  traded: Rational,
  terms: Terms,
): Refused | undefined {
  const projected = account.copy();
  for (const earlier of before) {
    const size = projectedSize(earlier, projected, instrument, traded, terms);
    if (typeof size === 'object') book(projected, earlier, size, traded, terms);
  }
  const size = projectedSize(order, projected, instrument, traded, terms);
  if (typeof size === 'string') return size;
  return size === undefined ? undefined : accountFault(order, size, projected, instrument, traded, terms);
}

function projectedSize(
  order: RestingOrder,
  account: Account,
  instrument: (symbol: string) => Instrument,
  traded: Rational,
  terms: Terms,
): Size | Refused | undefined {
  const side = sideNow(order, account);
  if (side === undefined) return 'nothing_to_close';
  const prospect = {
    account,
    symbol: order.symbol,
    price: account.mark(order.symbol),
    isMaker: isMaker(order),
    traded,
    terms,
  };
  return sizeOf(order, side, prospect, instrument(order.symbol));
}

function book(account: Account, order: RestingOrder, size: Size, traded: Rational, terms: Terms): void {
  const quantity = size.closing.plus(size.opening);
  const price = account.mark(order.symbol);
  const commission = commissionOf(quantity, price, isMaker(order), traded, terms);
  if (!quantity.isZero()) account.book(0, order.symbol, size.side, quantity, price, commission, '');
}

export const isMaker = (order: RestingOrder): boolean => ['limit', 'stop_limit'].includes(typeOf(order));

/** The side an order trades on now; a `close` of nothing has none. */
export function sideNow(order: RestingOrder, account: Account): 'buy' | 'sell' | undefined {
  const { action, targetQuantity } = order.ask;
  if (action === 'buy' || action === 'sell') return action;
  const position = account.position(order.symbol);
  if (action === 'close') return position.isZero() ? undefined : position.sign() > 0 ? 'sell' : 'buy';
  if (targetQuantity !== undefined) return Rational.of(targetQuantity).isBelow(position) ? 'sell' : 'buy';
  const price = account.mark(order.symbol);
  const target = Rational.of(order.ask.targetFraction ?? 0).times(account.equity());
  return target.isBelow(position.times(price)) ? 'sell' : 'buy';
}

/** What forbids a trade of this size: minimum notional, shorts, buying power. */
export function accountFault(
  order: RestingOrder,
  size: Size,
  account: Account,
  instrument: (symbol: string) => Instrument,
  traded: Rational,
  terms: Terms,
  price: Rational = account.mark(order.symbol),
): Refused | undefined {
  const { symbol } = order;
  const quantity = size.closing.plus(size.opening);
  const isWayOut = order.ask.action === 'close' || order.exit !== undefined;
  if (!isWayOut && quantity.times(price).isBelow(instrument(symbol).minimumNotional))
    return 'below_minimum_notional';
  const isShort = size.side === 'sell' && !size.opening.isZero();
  if (isShort && terms.allowShort === false) return 'short_not_allowed';
  const prospect = { account, symbol, price, isMaker: isMaker(order), traded, terms };
  if (!canCarry(prospect, size)) return 'buying_power';
  return undefined;
}
