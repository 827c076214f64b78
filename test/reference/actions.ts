import { isList } from './fill.ts';
import type { RestingOrder } from './order.ts';
import { Rational, ZERO } from './rational.ts';
import type { State } from './state.ts';
import type { Action, Ask, Exit, Target } from './types.ts';

/** Applies splits, dividends and delistings before the open of a bar. */
export function applyActions(state: State): void {
  const rank = { split: 0, dividend: 1, delisting: 2 };
  const due = (state.given.play.actions ?? []).filter(({ bar }) => bar === state.bar);
  const inOrder = [...due].sort(
    (one, other) =>
      (one.symbol < other.symbol ? -1 : one.symbol > other.symbol ? 1 : 0) ||
      rank[one.kind] - rank[other.kind],
  );
  for (const action of inOrder) {
    if (action.kind === 'dividend') dividend(state, action.symbol, Rational.of(action.amount));
    else if (action.kind === 'split') split(state, action.symbol, Rational.of(action.to));
    else delist(state, action);
  }
}

function dividend({ account }: State, symbol: string, perUnit: Rational): void {
  const amount = account.position(symbol).times(perUnit).times(account.pointValue(symbol));
  account.cash = account.cash.plus(amount);
}

/** Applies a split to lots and resting orders. `to`: new units per old unit, a whole number. */
function split(state: State, symbol: string, to: Rational): void {
  for (const lot of state.account.lots.get(symbol) ?? []) {
    lot.quantity = lot.quantity.times(to);
    lot.price = lot.price.over(to);
  }
  for (const order of state.orders) if (order.symbol === symbol) rebase(state, order, to);
}

function rebase(state: State, order: RestingOrder, to: Rational): void {
  const price = (value: number | string | undefined): string | undefined =>
    value === undefined ? undefined : String(Rational.of(value).over(to));
  const units = (value: number | string | undefined): string | undefined =>
    value === undefined ? undefined : String(Rational.of(value).times(to));
  const targets = (value: readonly Target[]): readonly Target[] =>
    value.map((one) => ({ share: one.share, ...(exit(one) as object) }) as Target);
  const exit = (value: Exit | undefined): Exit | undefined => {
    if (value === undefined || (typeof value === 'object' && 'fraction' in value)) return value;
    if (typeof value !== 'object') return price(value)!;
    if ('price' in value) return { price: price(value.price)! };
    if ('distance' in value) return { ...value, distance: price(value.distance)! };
    return value;
  };
  const { ask } = order;
  const changed = {
    quantity: units(ask.quantity),
    targetQuantity: units(ask.targetQuantity),
    limitPrice: price(ask.limitPrice),
    stopPrice: price(ask.stopPrice),
    trailAmount: price(ask.trailAmount),
    limitOffset: price(ask.limitOffset),
    activationPrice: price(ask.activationPrice),
    stopLoss: exit(ask.stopLoss),
    takeProfit:
      ask.takeProfit !== undefined && isList(ask.takeProfit)
        ? targets(ask.takeProfit)
        : exit(ask.takeProfit as Exit | undefined),
  };
  const given = Object.entries(changed).filter(([, value]) => value !== undefined);
  const rebased: RestingOrder = {
    ...order,
    ask: { ...ask, ...(Object.fromEntries(given) as Partial<Ask>) },
    filled: order.filled.times(to),
    ...(order.sized === undefined ? {} : { sized: order.sized.times(to) }),
    ...(order.opened === undefined ? {} : { opened: order.opened.over(to) }),
    ...(order.portion === undefined ? {} : { portion: order.portion.times(to) }),
    ...(order.level === undefined ? {} : { level: order.level.over(to) }),
    ...(order.splitBy === undefined ? { splitBy: to } : { splitBy: order.splitBy.times(to) }),
  };
  state.orders[state.orders.indexOf(order)] = rebased;
}

/** Delists a symbol. Cancels its orders, and closes its position at the given price without costs. */
function delist(state: State, { symbol, price }: Extract<Action, { kind: 'delisting' }>): void {
  const { account } = state;
  state.delisted.add(symbol);
  for (const order of [...state.orders]) if (order.symbol === symbol) state.cancel(order);
  const position = account.position(symbol);
  if (position.isZero()) return;
  const side = position.sign() > 0 ? 'sell' : 'buy';
  const order = state.newOrder({ action: 'close', symbol, reason: 'delisting' }, symbol);
  const paid = Rational.of(price);
  account.book(state.bar, symbol, side, position.abs(), paid, ZERO, 'delisting', order.id);
  state.traded = state.traded.plus(position.abs().times(paid).times(account.pointValue(symbol)));
  state.fills.push({
    order: order.id,
    identity: String(order.id),
    symbol,
    side,
    quantity: position.abs(),
    price: paid,
    commission: ZERO,
    cash: account.cash,
  });
}
