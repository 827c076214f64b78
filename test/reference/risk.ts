import { Rational, sum, ZERO } from './rational.ts';
import type { Refused } from './sizing.ts';
import type { State } from './state.ts';
import type { Ask, Side, Terms } from './types.ts';

/** Function that returns the signed units of a symbol, either current or expected. */
export type Holding = (symbol: string) => Rational;

/** Order, or the part of it that fills, divided into units that it closes and units that it opens. */
export interface Opening {
  readonly symbol: string;
  readonly side: Side;
  readonly opening: Rational;
  readonly closing: Rational;
  readonly price: Rational;
}

export const hasLimits = ({ risk }: Terms): boolean => risk !== undefined;

/**
 * Returns the code of the risk limit (docs/risk.md) that opening the units would break. `undefined` if all
 * limits are met.
 */
export function riskFault(
  state: State,
  order: Opening,
  { held, fillBar }: { readonly held: Holding; readonly fillBar: number },
): Refused | undefined {
  const { risk } = state.given.terms;
  if (risk === undefined || order.opening.sign() <= 0) return undefined;
  for (const halt of ['risk_drawdown', 'risk_daily_loss'] as const) if (state.halts.has(halt)) return halt;
  const lossBar = state.lossBar.get(order.symbol);
  if (risk.cooldownBars !== undefined && lossBar !== undefined && fillBar - lossBar <= risk.cooldownBars)
    return 'risk_cooldown';
  const open = state.given.symbols.filter((symbol) => !held(symbol).isZero());
  if (
    risk.maxOpenPositions !== undefined &&
    !open.includes(order.symbol) &&
    open.length >= risk.maxOpenPositions
  )
    return 'risk_open_positions';
  return sizeFault(state, order, held, open);
}

function sizeFault(
  state: State,
  { symbol, side, opening, closing, price }: Opening,
  held: Holding,
  open: readonly string[],
): Refused | undefined {
  const { account, given } = state;
  const { maxPosition, maxGrossExposure, maxNetExposure, maxOrderNotional } = given.terms.risk!;
  const equity = state.sizingEquity();
  const unit = price.times(account.pointValue(symbol));
  const value = opening.times(unit);
  /** Values of the positions at their last known prices, after the closing part of the order. */
  const left = open.map((name) => {
    const units = held(name);
    const rest = units.sign() < 0 ? units.plus(closing) : units.minus(closing);
    return (name === symbol ? rest : units).times(account.unitValue(name));
  });
  const gross = sum(left.map((one) => one.abs()));
  const net = side === 'buy' ? sum(left) : sum(left).negated();
  const own = closing.isZero() ? held(symbol).abs().times(unit) : ZERO;
  const exceeds = (used: Rational, limit: Rational): boolean => used.plus(value).isAbove(limit);
  const share = (limit: number): Rational => Rational.of(limit).times(equity);
  if (maxPosition !== undefined && exceeds(own, share(maxPosition))) return 'risk_max_position';
  if (maxGrossExposure !== undefined && exceeds(gross, share(maxGrossExposure))) return 'risk_gross_exposure';
  if (maxNetExposure !== undefined && exceeds(net, share(maxNetExposure))) return 'risk_net_exposure';
  if (maxOrderNotional !== undefined && exceeds(closing.times(unit), Rational.of(maxOrderNotional)))
    return 'risk_order_notional';
  return undefined;
}

/** Equity at earlier closes, for the limits on drawdown and daily loss. */
export class Losses {
  #peak: Rational;
  #dayStart: Rational;
  #last: Rational;
  #day = Number.NaN;

  constructor(cash: Rational) {
    this.#peak = cash;
    this.#dayStart = cash;
    this.#last = cash;
  }

  startBar(state: State): void {
    const day = state.given.tradingDay(state.bar);
    if (day === this.#day) return;
    this.#day = day;
    this.#dayStart = this.#last;
    state.halts.delete('risk_daily_loss');
  }

  endBar(state: State): void {
    const { maxDailyLoss, maxDrawdown } = state.given.terms.risk ?? {};
    const equity = state.account.equity();
    this.#last = equity;
    if (equity.isAbove(this.#peak)) this.#peak = equity;
    const hasLost = (from: Rational, limit: number | undefined): boolean =>
      limit !== undefined && !equity.isAbove(from.times(Rational.of(1).minus(Rational.of(limit))));
    if (hasLost(this.#peak, maxDrawdown)) state.halts.add('risk_drawdown');
    if (hasLost(this.#dayStart, maxDailyLoss)) state.halts.add('risk_daily_loss');
  }
}

/**
 * After a drawdown halt with `flattenOnHalt`, cancels resting orders and closes every position at the next
 * open.
 */
export function flatten(state: State): void {
  if (!state.halts.has('risk_drawdown') || state.given.terms.risk?.flattenOnHalt !== true) return;
  for (const order of [...state.orders])
    if (order.exit === undefined && !order.liquidation) state.cancel(order);
  for (const symbol of state.account.held()) {
    if (state.orders.some((order) => order.liquidation && order.symbol === symbol)) continue;
    const ask: Ask = { action: 'close', symbol, reason: 'risk_drawdown' };
    state.orders.push({ ...state.newOrder(ask, symbol), liquidation: true });
  }
}
