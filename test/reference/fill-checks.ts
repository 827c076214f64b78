import type { Account } from './account.ts';
import type { Instrument, RestingOrder } from './order.ts';
import { larger, Rational, ZERO } from './rational.ts';
import { riskFault } from './risk.ts';
import { canCarry, type Prospect, type Refused, type Size } from './sizing.ts';
import type { State } from './state.ts';
import type { Side } from './types.ts';

/**
 * Returns the side on which an order trades now. `undefined` for a `close` order without a position, and for
 * a target that is reached.
 */
export function sideNow(
  order: RestingOrder,
  account: Account,
  equity: Rational,
  { lot }: Instrument,
  reference: Rational,
): Side | undefined {
  const { action, targetQuantity } = order.ask;
  if (action === 'buy' || action === 'sell') return action;
  if (order.side !== undefined) return order.side;
  const position = account.position(order.symbol);
  const towards = (sign: number): Side | undefined => (sign === 0 ? undefined : sign > 0 ? 'buy' : 'sell');
  if (action === 'close') return towards(-position.sign());
  if (targetQuantity !== undefined) return towards(Rational.of(targetQuantity).minus(position).sign());
  const target = Rational.of(order.ask.targetFraction ?? 0).times(larger(equity, ZERO));
  const value = reference.times(account.pointValue(order.symbol));
  const missing = target.minus(position.times(value));
  return missing.abs().isBelow(lot.times(value)) ? undefined : towards(missing.sign());
}

/**
 * Returns the code of the rule that forbids a fill: short selling, minimum notional of the whole order, risk
 * limits, or buying power for the filled part. `undefined` if the fill is allowed.
 *
 * @param whole size that the order would trade without a volume limit
 */
export function fillFault(
  state: State,
  order: RestingOrder,
  whole: Size,
  part: Size,
  prospect: Prospect,
  { minimumNotional }: Instrument,
): Refused | undefined {
  if (part.opening.isZero()) return undefined;
  if (part.side === 'sell' && prospect.shortFault !== undefined) return prospect.shortFault;
  const isFirst = order.filled.isZero();
  if (
    isFirst &&
    whole.opening
      .times(prospect.price)
      .times(prospect.account.contract(order.symbol).point)
      .isBelow(minimumNotional)
  )
    return 'below_minimum_notional';
  const { price } = prospect;
  const limited = riskFault(
    state,
    { symbol: order.symbol, price, ...part },
    { held: (symbol) => state.heldOf(symbol, order.symbol), fillBar: state.bar },
  );
  return limited ?? (canCarry(prospect, part) ? undefined : 'buying_power');
}
