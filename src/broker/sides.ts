import type { Ledger } from '../account/index.ts';
import { EXACT_ZERO, Exact } from '../kernel/index.ts';
import type { FillAccount } from './fill-account.ts';
import type { RestingOrder } from './order.ts';

/**
 * Returns +1 for a buy, −1 for a sell, and 0 if there is nothing to trade: no position to close, or a target that is less
 * than a lot away.
 *
 * @param lot smallest quantity of the symbol that is traded
 * @param reference price of the rule, before slippage; the last mark by default
 */
export function sideOf(
  order: RestingOrder,
  account: FillAccount,
  ledger: Ledger,
  lot: Exact,
  reference?: number,
): 1 | -1 | 0 {
  if (order.side !== 0) return order.side;
  const { size, symbol } = order;
  const held = account.unitsAt(symbol);
  if (size.kind === 'position') return held > 0 ? -1 : held < 0 ? 1 : 0;
  if (size.kind === 'target-units') {
    const target = size.units.toNumber();
    return target > held ? 1 : target < held ? -1 : 0;
  }
  if (size.kind !== 'target-fraction') return 0;
  const price = reference === undefined ? ledger.markOf(symbol) : Exact.of(reference);
  const unitValue = ledger.unitValue(symbol, price);
  // The target fraction of a negative equity is 0.
  const target = Exact.max(EXACT_ZERO, account.equity.exact()).times(size.fraction);
  const missing = target.minus(account.quantity(symbol).times(unitValue));
  if (missing.abs().compare(lot.times(unitValue)) < 0) return 0;
  return missing.isNegative() ? -1 : 1;
}
