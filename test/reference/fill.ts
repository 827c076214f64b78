import { commissionOf, fillPrice } from './costs.ts';
import { fillFault, sideNow } from './fill-checks.ts';
import { averageTrueRange, exitPrice, identityOf, type RestingOrder, typeOf } from './order.ts';
import type { RulePrice } from './prices.ts';
import { ONE, type Rational, smaller, ZERO } from './rational.ts';
import { claimOf, type Prospect, type Refused, type Size, sizeOf } from './sizing.ts';
import type { State } from './state.ts';
import type { Ask, Bar, Side } from './types.ts';

export const sideOf = (state: State, order: RestingOrder): Side | undefined =>
  sideNow(order, state.account, state.sizingEquity());

/** An order that has no side: a `close` of nothing, a target that is reached. */
export function endWithoutSide(state: State, order: RestingOrder): void {
  if (order.ask.action === 'target') state.cancel(order);
  else state.refuse(order, 'nothing_to_close');
}

const prospectOf = (state: State, { symbol, id, ...soFar }: RestingOrder, price: Rational): Prospect => ({
  account: state.account,
  symbol,
  price,
  traded: state.traded,
  terms: state.given.terms,
  soFar,
  power: state.powerFor(id),
  equity: state.sizingEquity(),
});

/** What an order would trade as a market order at a price; nothing where it has no side. */
export function sizeNow(
  state: State,
  order: RestingOrder,
  price: Rational,
  bar: Bar,
): Size | Refused | undefined {
  const side = sideOf(state, order);
  if (side === undefined) return undefined;
  const instrument = state.given.instrument(order.symbol);
  const isLimit = typeOf(order) === 'limit' || typeOf(order) === 'stop_limit';
  const paid = fillPrice({ price, isLimit, isMaker: false }, side, bar, state.given.terms, instrument.tick);
  return sizeOf(order, side, prospectOf(state, order, paid), instrument);
}

/** What an order would claim of the buying power at a price. */
export function claimAt(state: State, order: RestingOrder, side: Side, price: Rational): Rational {
  const prospect = prospectOf(state, order, price);
  const size = sizeOf(order, side, prospect, state.given.instrument(order.symbol));
  return typeof size === 'object' && !size.opening.isZero() ? claimOf(prospect, size.opening) : ZERO;
}

/** Fills an order, or what volume gives of it, at a price of the rules; refuses it where the account cannot carry it. */
export function fill(state: State, order: RestingOrder, side: Side, rule: RulePrice, bar: Bar): void {
  const { symbol } = order;
  const instrument = state.given.instrument(symbol);
  const price = fillPrice(rule, side, bar, state.given.terms, instrument.tick);
  const prospect = prospectOf(state, order, price);
  const size = sizeOf(order, side, prospect, instrument);
  if (typeof size === 'string') {
    state.refuse(order, size);
    return;
  }
  if (size === undefined) {
    state.cancel(order);
    return;
  }
  const whole = size.closing.plus(size.opening);
  const budget = state.budget.get(symbol)!;
  const quantity = smaller(whole, budget);
  order.triggered = true;
  if (quantity.isZero() || (order.ask.timeInForce === 'FOK' && quantity.isBelow(whole))) return;
  const closing = smaller(quantity, size.closing);
  const part = { side, closing, opening: quantity.minus(closing) };
  const fault = fillFault(state, order, size, part, prospect, instrument);
  if (fault !== undefined) {
    state.refuse(order, fault);
    return;
  }
  if (state.inside !== undefined && !part.opening.isZero()) {
    const claimed = state.inside.claimed.plus(claimOf(prospect, part.opening));
    state.inside = { ...state.inside, claimed, lastClaim: Math.max(state.inside.lastClaim, order.id) };
  }
  state.budget.set(symbol, budget.minus(quantity));
  book(state, order, side, quantity, price, rule.isMaker);
  order.sized = order.filled.plus(whole);
  order.filled = order.filled.plus(quantity);
  order.side = side;
  if (quantity.equals(whole)) state.remove(order);
  afterFill(state, order, side, price);
}

/** What a fill ends and begins: its group, its exits, and exits of positions that are no more. */
function afterFill(state: State, order: RestingOrder, side: Side, price: Rational): void {
  const { group } = order.ask;
  for (const other of [...state.orders])
    if (group !== undefined && other !== order && other.ask.group === group) state.cancel(other);
  createExits(state, order, side, price);
  for (const exit of [...state.orders])
    if (exit.exit !== undefined && state.account.openedBy(exit.symbol, exit.exit.parent).isZero())
      state.cancel(exit);
}

function book(
  state: State,
  order: RestingOrder,
  side: Side,
  quantity: Rational,
  price: Rational,
  isMaker: boolean,
): void {
  const { account } = state;
  const { symbol } = order;
  const rate = account.rate(symbol);
  const fee = commissionOf(quantity, price, isMaker, order, state.traded, state.given.terms);
  const commission = fee.times(rate);
  const reason = order.ask.reason ?? order.exit?.kind ?? typeOf(order);
  const parent = order.exit?.parent;
  const tradesBefore = account.trades.length;
  account.book(state.bar, symbol, side, quantity, price, commission, reason, order.id, parent);
  const value = quantity.times(price);
  order.billed = order.billed.plus(quantity);
  order.value = order.value.plus(value);
  order.charged = order.charged.plus(fee);
  order.tradedBefore ??= state.traded;
  state.traded = state.traded.plus(value.times(rate));
  if (account.trades.slice(tradesBefore).some(({ netPnl }) => netPnl.startsWith('-')))
    state.lossBar.set(symbol, state.bar);
  const identity = identityOf(order);
  const { cash } = account;
  state.fills.push({ order: order.id, identity, symbol, side, quantity, price, commission, cash });
}

/** A parent's first fill that opens creates its exits; they cover whatever is left of what it opened. */
function createExits(state: State, parent: RestingOrder, side: Side, price: Rational): void {
  const { stopLoss, takeProfit } = parent.ask;
  if (state.orders.some((order) => order.exit?.parent === parent.id)) return;
  if (state.account.openedBy(parent.symbol, parent.id).isZero()) return;
  const away = side === 'buy' ? 1 : -1;
  const range = (length: number): Rational | undefined =>
    rangeAt(state, parent, length)?.over(parent.splitBy ?? ONE);
  const create = (kind: 'stop-loss' | 'take-profit', level: Rational | undefined): void => {
    if (level === undefined) return;
    const action = side === 'buy' ? 'sell' : 'buy';
    const ask: Ask =
      kind === 'stop-loss'
        ? { action, type: 'stop', stopPrice: String(level) }
        : { action, type: 'limit', limitPrice: String(level) };
    state.orders.push({ ...state.newOrder(ask, parent.symbol), exit: { parent: parent.id, kind } });
  };
  if (stopLoss !== undefined) create('stop-loss', exitPrice(stopLoss, price, -away, range));
  if (takeProfit !== undefined) create('take-profit', exitPrice(takeProfit, price, away, range));
}

/** The average true range as it was known when an order was placed. */
export const rangeAt = (
  state: State,
  order: Pick<RestingOrder, 'symbol' | 'placedBar'>,
  length: number,
): Rational | undefined => averageTrueRange(state.given.barsUpTo(order.symbol, order.placedBar), length);
