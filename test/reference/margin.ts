import { fill, sideOf } from './fill.ts';
import { Rational, sum } from './rational.ts';
import type { State } from './state.ts';
import type { Ask, Terms } from './types.ts';

/**
 * Returns the maintenance margin as a fraction of the position value. Default: half of the initial margin
 * with leverage above 1, otherwise 0.
 */
function maintenanceOf({ leverage = 1, maintenanceMargin }: Terms): Rational {
  if (maintenanceMargin !== undefined) return Rational.of(maintenanceMargin);
  return leverage > 1 ? new Rational(1n, 2n).over(Rational.of(leverage)) : Rational.of(0);
}

/** Returns the maintenance margin of a position, in the account's currency. */
function requiredFor(state: State, symbol: string, share: Rational): Rational {
  const { account } = state;
  const { margin, maintenance, leverage } = account.contract(symbol);
  const units = account.position(symbol).abs();
  if (margin !== undefined) return units.times(maintenance!).times(account.rate(symbol));
  const own = leverage === undefined ? share : maintenanceOf({ cash: '0', leverage: leverage.toNumber() });
  return units.times(account.unitValue(symbol)).times(own);
}

/**
 * Submits orders that close positions, largest loss first, until the equity covers the maintenance margin of
 * the remaining positions.
 */
export function liquidate(state: State): void {
  const { account } = state;
  const share = maintenanceOf(state.given.terms);
  const losers = account.held();
  let required = sum(losers.map((symbol) => requiredFor(state, symbol, share)));
  if (required.isZero()) return;
  losers.sort((left, right) => {
    const more = account.unrealised(left).minus(account.unrealised(right)).sign();
    return more === 0 ? (left < right ? -1 : 1) : more;
  });
  for (const symbol of losers) {
    if (!account.equity().isBelow(required)) return;
    required = required.minus(requiredFor(state, symbol, share));
    if (state.orders.some((order) => order.liquidation && order.symbol === symbol)) continue;
    const ask: Ask = { action: 'close', symbol, reason: 'liquidation' };
    state.orders.push({ ...state.newOrder(ask, symbol), liquidation: true });
  }
}

/**
 * Ends an insolvent account. Cancels all orders, and closes every position at its last known price, with
 * costs and without a volume limit.
 */
export function closeEverything(state: State): void {
  for (const order of [...state.orders]) state.cancel(order);
  for (const symbol of state.account.held()) {
    const price = state.account.mark(symbol);
    const order = state.newOrder({ action: 'close', symbol, reason: 'insolvent' }, symbol);
    state.orders.push(order);
    state.budget.set(symbol, Rational.of(1e30));
    const bar = { open: price, high: price, low: price, close: price, volume: price };
    fill(state, order, sideOf(state, order)!, { price, isLimit: false, isMaker: false }, bar);
  }
}
