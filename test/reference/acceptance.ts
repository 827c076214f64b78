import type { Account } from './account.ts';
import type { Instrument } from './order.ts';
import { Rational } from './rational.ts';
import type { Refused } from './sizing.ts';
import type { Ask, Terms } from './types.ts';

const isAmount = (value: unknown): value is number | string =>
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value.trim()));
const isPositive = (value: unknown): boolean => isAmount(value) && Rational.of(value).sign() > 0;

const NEEDS: Record<string, readonly (keyof Ask)[]> = {
  limit: ['limitPrice'],
  stop: ['stopPrice'],
  stop_limit: ['limitPrice', 'stopPrice'],
  market_if_touched: ['stopPrice'],
  limit_if_touched: ['limitPrice', 'stopPrice'],
  limit_on_open: ['limitPrice'],
  limit_on_close: ['limitPrice'],
};

/**
 * Returns `bad_order` if `goodTill` (the last valid day) is given without `timeInForce: GTD` or vice versa,
 * or if it has passed.
 */
export function timeFault({ timeInForce, goodTill }: Ask, today: string): Refused | undefined {
  if ((timeInForce === 'GTD') !== (goodTill !== undefined)) return 'bad_order';
  return goodTill !== undefined && goodTill < today ? 'bad_order' : undefined;
}

/**
 * Returns `bad_quantity` if an amount is invalid for any account: missing, not positive, not a number, or not
 * allowed for the action.
 */
export function amountFault(ask: Ask): Refused | undefined {
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
  return ask.action !== 'target' && amount.sign() <= 0 ? 'bad_quantity' : undefined;
}

/**
 * Returns `bad_quantity` for a fraction of the equity that exceeds the leverage, or the leverage that the
 * margin of a contract allows.
 */
export function leverageFault(
  { equityFraction, targetFraction }: Ask,
  account: Account,
  symbol: string,
  { leverage = 1 }: Terms,
): Refused | undefined {
  const fraction = equityFraction ?? targetFraction;
  if (fraction === undefined) return undefined;
  const { margin, point, leverage: own } = account.contract(symbol);
  const carried =
    margin === undefined ? (own ?? Rational.of(leverage)) : account.mark(symbol).times(point).over(margin);
  return Rational.of(fraction).abs().isAbove(carried) ? 'bad_quantity' : undefined;
}

export function lotFault(ask: Ask, { lot }: Instrument): Refused | undefined {
  const value = ask.quantity ?? ask.targetQuantity;
  if (value === undefined) return undefined;
  const amount = Rational.of(value);
  if (ask.quantity !== undefined && amount.isBelow(lot)) return 'below_lot';
  return amount.over(lot).denominator === 1n ? undefined : 'not_a_lot_multiple';
}

export function priceFault(ask: Ask): Refused | undefined {
  const type = ask.type ?? 'market';
  for (const name of ['limitPrice', 'stopPrice', 'trailAmount', 'trailFraction'] as const) {
    const value = ask[name];
    const isNeeded = NEEDS[type]?.includes(name) ?? false;
    const isTrail = type.startsWith('trailing_stop') && name.startsWith('trail');
    if (value !== undefined && !isNeeded && !isTrail) return 'bad_order';
    if (value === undefined ? isNeeded : !isPositive(value)) return 'bad_price';
  }
  if (!type.startsWith('trailing_stop')) return undefined;
  return (ask.trailAmount === undefined) === (ask.trailFraction === undefined) ? 'bad_price' : undefined;
}
