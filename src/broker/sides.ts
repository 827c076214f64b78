import type { Ledger } from '../account/index.ts';
import type { FillAccount } from './fill-account.ts';
import type { RestingOrder } from './order.ts';

/** +1 buys, −1 sells, 0 when there is nothing to trade: closing no position, or at the target. */
export function sideOf(order: RestingOrder, account: FillAccount, ledger: Ledger): 1 | -1 | 0 {
  if (order.side !== 0) return order.side;
  const held = account.unitsAt(order.symbol);
  const { size } = order;
  if (size.kind === 'position') return held > 0 ? -1 : held < 0 ? 1 : 0;
  let target = held;
  if (size.kind === 'target-units') target = size.units.toNumber();
  if (size.kind === 'target-fraction') {
    // A share of a debt is nothing.
    const equity = Math.max(0, account.equity.number);
    const unitValue = ledger.unitValue(order.symbol, ledger.markOf(order.symbol)).toNumber();
    target = (size.fraction.toNumber() * equity) / unitValue;
  }
  return target > held ? 1 : target < held ? -1 : 0;
}
