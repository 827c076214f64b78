import { commissionOf, fillPrice } from './costs.ts';
import { fillFault, sideNow } from './fill-checks.ts';
import { averageTrueRange, exitPrice, identityOf, type RestingOrder, typeOf } from './order.ts';
import type { RulePrice } from './prices.ts';
import { ONE, Rational, smaller, ZERO } from './rational.ts';
import { shortFault } from './short.ts';
import { carriedPart, claimOf, type Prospect, type Refused, type Size, sizeOf } from './sizing.ts';
import type { State } from './state.ts';
import type { Ask, Bar, Exit, Side, Target } from './types.ts';

export const sideOf = (
  state: State,
  order: RestingOrder,
  reference = state.account.mark(order.symbol),
): Side | undefined =>
  sideNow(order, state.account, state.sizingEquity(), state.given.instrument(order.symbol), reference);

/**
 * Ends an order that has no side: rejects a `close` order without a position, and cancels a target that is
 * reached.
 */
export function endWithoutSide(state: State, order: RestingOrder): void {
  if (order.ask.action === 'target') state.cancel(order);
  else state.refuse(order, 'nothing_to_close');
}

const prospectOf = (
  state: State,
  { symbol, id, ...soFar }: RestingOrder,
  price: Rational,
  reference: Rational,
): Prospect => ({
  account: state.account,
  symbol,
  price,
  reference,
  traded: state.traded,
  terms: state.given.terms,
  shortFault: shortFault(state.given, symbol, state.bar),
  soFar,
  power: state.powerFor(id),
  equity: state.sizingEquity(),
});

/**
 * Returns the size that an order would trade as a market order at a price, or the code of a rejection.
 * `undefined` if the order has no side.
 */
export function sizeNow(
  state: State,
  order: RestingOrder,
  price: Rational,
  bar: Bar,
): Size | Refused | undefined {
  const side = sideOf(state, order, price);
  if (side === undefined) return undefined;
  const instrument = state.given.instrument(order.symbol);
  const isLimit = typeOf(order).includes('limit');
  const paid = fillPrice({ price, isLimit, isMaker: false }, side, bar, state.given.terms, instrument.tick);
  return sizeOf(order, side, prospectOf(state, order, paid, price), instrument);
}

/**
 * Returns the buying power that an order would use at a price. 0 for a price of 0 or below, at which no order
 * can fill.
 */
export function claimAt(state: State, order: RestingOrder, side: Side, price: Rational): Rational {
  if (price.sign() <= 0) return ZERO;
  const prospect = prospectOf(state, order, price, price);
  const size = sizeOf(order, side, prospect, state.given.instrument(order.symbol));
  return typeof size === 'object' && !size.opening.isZero() ? claimOf(prospect, size.opening) : ZERO;
}

/**
 * Fills an order at a price given by the fill rules, up to the available volume. Rejects the order if the
 * account cannot carry it.
 */
export function fill(state: State, order: RestingOrder, side: Side, rule: RulePrice, bar: Bar): void {
  const { symbol } = order;
  const instrument = state.given.instrument(symbol);
  const price = fillPrice(rule, side, bar, state.given.terms, instrument.tick);
  const prospect = prospectOf(state, order, price, rule.price);
  const wish = sizeOf(order, side, prospect, instrument);
  if (typeof wish === 'string') {
    state.refuse(order, wish);
    return;
  }
  if (wish === undefined) {
    state.cancel(order);
    return;
  }
  const size = carriedPart(order, prospect, wish, instrument);
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
  afterFill(state, order, side, price, part.opening);
}

/**
 * Applies the consequences of a fill: cancels other orders of its group, creates its exits, and cancels exits
 * of closed positions.
 */
function afterFill(state: State, order: RestingOrder, side: Side, price: Rational, opening: Rational): void {
  const { group } = order.ask;
  for (const other of [...state.orders])
    if (group !== undefined && other !== order && other.ask.group === group) state.cancel(other);
  if (order.exit !== undefined) endEntry(state, order);
  if (!opening.isZero()) order.opened ??= price;
  if (order.opened !== undefined) createExits(state, order, side, order.opened, opening);
  fitTargets(state);
  for (const exit of [...state.orders])
    if (exit.exit !== undefined && state.account.openedBy(exit.symbol, exit.exit.parent).isZero())
      state.cancel(exit);
}

/** Cancels the unfilled rest of an entry after one of its exits has filled. */
function endEntry(state: State, { entry }: RestingOrder): void {
  for (const other of [...state.orders])
    if (other.exit === undefined && other.entry === entry) state.cancel(other);
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
  const { point } = account.contract(symbol);
  const fee = commissionOf(quantity, price.times(point), isMaker, order, state.traded, state.given.terms);
  const commission = fee.times(rate);
  const reason = order.ask.reason ?? order.exit?.kind ?? typeOf(order);
  const parent = order.exit?.parent;
  const tradesBefore = account.trades.length;
  account.book(state.bar, symbol, side, quantity, price, commission, reason, order.id, parent);
  const value = quantity.times(price).times(point);
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

/**
 * Creates the exits of an order at its first opening fill. A stop loss or a single take profit closes all
 * units that the order opened. Several take profits close a share each, and grow with later fills.
 */
function createExits(
  state: State,
  parent: RestingOrder,
  side: Side,
  price: Rational,
  opening: Rational,
): void {
  const { stopLoss, takeProfit } = parent.ask;
  const away = side === 'buy' ? 1 : -1;
  const range = (length: number): Rational | undefined =>
    rangeAt(state, parent, length)?.over(parent.splitBy ?? ONE);
  const action = side === 'buy' ? 'sell' : 'buy';
  const add = (ask: Ask, exit: NonNullable<RestingOrder['exit']>, more: Partial<RestingOrder> = {}): void => {
    state.orders.push({ ...state.newOrder(ask, parent.symbol), entry: parent.entry, exit, ...more });
  };
  const isThere = state.orders.some(({ exit }) => exit?.parent === parent.id && exit.target === undefined);
  if (!isThere && !state.account.openedBy(parent.symbol, parent.id).isZero()) {
    if (stopLoss !== undefined) {
      const level = exitPrice(stopLoss, price, -away, range);
      const exit = { parent: parent.id, kind: 'stop-loss' } as const;
      const trail = typeof stopLoss === 'object' && 'trail' in stopLoss && stopLoss.trail === true;
      if (level !== undefined && !trail) add({ action, type: 'stop', stopPrice: String(level) }, exit);
      else if (level !== undefined) {
        const distance =
          typeof stopLoss === 'object' && 'fraction' in stopLoss
            ? { trailFraction: stopLoss.fraction }
            : { trailAmount: String(price.minus(level).abs()) };
        add({ action, type: 'trailing_stop', ...distance }, exit, { level });
      }
    }
    if (takeProfit !== undefined && !isList(takeProfit)) {
      const level = exitPrice(takeProfit, price, away, range);
      if (level !== undefined)
        add({ action, type: 'limit', limitPrice: String(level) }, { parent: parent.id, kind: 'take-profit' });
    }
  }
  if (takeProfit === undefined || !isList(takeProfit) || opening.isZero()) return;
  const { lot } = state.given.instrument(parent.symbol);
  let left = opening;
  let shares = ZERO;
  for (const [index, target] of takeProfit.entries()) {
    shares = target.share === undefined ? ONE : shares.plus(Rational.of(target.share));
    const portion = shares.equals(ONE) ? left : opening.times(Rational.of(target.share!)).downTo(lot);
    left = left.minus(portion);
    if (portion.isZero()) continue;
    const exit = { parent: parent.id, kind: 'take-profit', target: index } as const;
    const resting = state.orders.find((one) => one.exit?.parent === parent.id && one.exit.target === index);
    if (resting !== undefined) resting.portion = resting.portion!.plus(portion);
    else {
      const level = exitPrice(target, price, away, range)!;
      add({ action, type: 'limit', limitPrice: String(level) }, exit, { portion });
    }
  }
}

/** Limits each of several take profits to the units that are left of the parent order's position. */
function fitTargets(state: State): void {
  for (const order of state.orders) {
    if (order.exit === undefined || order.portion === undefined) continue;
    const left = state.account.openedBy(order.symbol, order.exit.parent);
    order.portion = smaller(order.portion, order.filled.plus(left));
  }
}

export const isList = (given: Exit | readonly Target[]): given is readonly Target[] => Array.isArray(given);

/**
 * Returns the average true range as known when an order was placed. `undefined` if there were too few bars.
 */
export const rangeAt = (
  state: State,
  order: Pick<RestingOrder, 'symbol' | 'placedBar'>,
  length: number,
): Rational | undefined => averageTrueRange(state.given.barsUpTo(order.symbol, order.placedBar), length);
