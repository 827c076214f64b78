import type { Account } from './account.ts';
import { commissionOf } from './costs.ts';
import { type Instrument, limitOf, type RestingOrder, typeOf } from './order.ts';
import { larger, Rational, smaller, sum, ZERO } from './rational.ts';
import { canCarry, type Prospect, type Refused, type Size } from './sizing.ts';
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

/** What is wrong with the amount whatever the account looks like. */
export function amountFault(ask: Ask, terms: Terms): Refused | undefined {
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
  return undefined;
}

function lotFault(ask: Ask, { lot }: Instrument): Refused | undefined {
  const value = ask.quantity ?? ask.targetQuantity;
  if (value === undefined) return undefined;
  const amount = Rational.of(value);
  if (ask.quantity !== undefined && amount.isBelow(lot)) return 'below_lot';
  return amount.over(lot).denominator === 1n ? undefined : 'not_a_lot_multiple';
}

function priceFault(ask: Ask): Refused | undefined {
  const type = ask.type ?? 'market';
  for (const name of ['limitPrice', 'stopPrice', 'trailAmount', 'trailFraction'] as const) {
    const value = ask[name];
    const isNeeded = NEEDS[type]?.includes(name) ?? false;
    const isTrail = type === 'trailing_stop' && name.startsWith('trail');
    if (value !== undefined && !isNeeded && !isTrail) return 'bad_order';
    if (value === undefined ? isNeeded : !isPositive(value)) return 'bad_price';
  }
  if (type !== 'trailing_stop') return undefined;
  return (ask.trailAmount === undefined) === (ask.trailFraction === undefined) ? 'bad_price' : undefined;
}

/**
 * Holds an order against the account as it will be once the market orders accepted before it have filled.
 *
 * @param before orders that rest
 */
export function prospectFault(
  order: RestingOrder,
  before: readonly RestingOrder[],
  account: Account,
  instrument: (symbol: string) => Instrument,
  traded: Rational,
  terms: Terms,
): Refused | undefined {
  const { ask, symbol } = order;
  const held = (name: string): Rational => projectedUnits(name, before, account, instrument(name));
  const position = held(symbol);
  if (ask.action === 'close' && position.isZero()) return 'nothing_to_close';
  const fault = priceFault(ask);
  if (fault !== undefined || ask.action === 'close') return fault;
  const price = ask.limitPrice === undefined ? account.mark(symbol) : roundedLimit(order, instrument(symbol));
  const wanted = wantedUnits(ask, position, price, instrument(symbol));
  const buys = ask.action === 'buy' || (ask.action === 'target' && wanted !== undefined && wanted.sign() > 0);
  const closable = (buys ? position.sign() < 0 : position.sign() > 0) ? position.abs() : ZERO;
  const isNegativeTarget =
    ask.action === 'target' && Rational.of(ask.targetQuantity ?? ask.targetFraction!).sign() < 0;
  const isNakedSale = ask.action === 'sell' && !ask.reduceOnly && closable.isZero();
  if (terms.allowShort === false && (isNegativeTarget || isNakedSale)) return 'short_not_allowed';
  const lots = lotFault(ask, instrument(symbol));
  if (lots !== undefined) return lots;
  if (ask.reduceOnly && closable.isZero()) return 'nothing_to_reduce';
  if (wanted === undefined || ask.reduceOnly) return undefined;
  if (wanted.isZero()) return ask.notional === undefined ? undefined : 'below_lot';
  const opening = wanted.abs().minus(smaller(wanted.abs(), closable));
  if (opening.isZero()) return undefined;
  if (!buys && terms.allowShort === false) return 'short_not_allowed';
  if (opening.times(price).isBelow(instrument(symbol).minimumNotional)) return 'below_minimum_notional';
  const leverage = Rational.of(terms.leverage ?? 1);
  const margin = sum(
    [...account.marks.keys()]
      .filter((name) => name !== symbol || closable.isZero())
      .map((name) => held(name).abs().times(account.mark(name)).over(leverage)),
  );
  const costs = sum([opening, closable].map((part) => commissionOf(part, price, false, traded, terms)));
  const needed = opening.times(price).over(leverage).plus(costs);
  return needed.isAbove(account.equity().minus(margin)) ? 'buying_power' : undefined;
}

const roundedLimit = (order: RestingOrder, { tick }: Instrument): Rational =>
  limitOf(order, order.ask.action === 'sell' ? 'sell' : 'buy', tick);

/** Signed units an order asks for at a price; nothing where only the fill can tell. */
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

/** A position once the market orders have filled; one lot stands for a size that only the fill can tell. */
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

/** The side an order trades on now; none for a `close` of nothing and a target that is reached. */
export function sideNow(order: RestingOrder, account: Account): 'buy' | 'sell' | undefined {
  const { action, targetQuantity } = order.ask;
  if (action === 'buy' || action === 'sell') return action;
  if (order.side !== undefined) return order.side;
  const position = account.position(order.symbol);
  const towards = (sign: number): 'buy' | 'sell' | undefined =>
    sign === 0 ? undefined : sign > 0 ? 'buy' : 'sell';
  if (action === 'close') return towards(-position.sign());
  if (targetQuantity !== undefined) return towards(Rational.of(targetQuantity).minus(position).sign());
  const target = Rational.of(order.ask.targetFraction ?? 0).times(larger(account.equity(), ZERO));
  return towards(target.minus(position.times(account.mark(order.symbol))).sign());
}

/**
 * What forbids a fill: minimum notional of the whole order, shorts, buying power of the part that fills.
 *
 * @param whole what the order trades if volume allows
 */
export function fillFault(
  order: RestingOrder,
  whole: Size,
  part: Size,
  prospect: Prospect,
  { minimumNotional }: Instrument,
): Refused | undefined {
  if (part.opening.isZero()) return undefined;
  if (part.side === 'sell' && prospect.terms.allowShort === false) return 'short_not_allowed';
  const isFirst = order.filled.isZero();
  if (isFirst && whole.opening.times(prospect.price).isBelow(minimumNotional))
    return 'below_minimum_notional';
  return canCarry(prospect, part) ? undefined : 'buying_power';
}
