import { z } from 'zod';
import type { AccountView } from '../../broker/account/index.ts';
import type { Json } from '../../engine/index.ts';
import { orderOutline } from '../order-view.ts';
import { defineTool } from '../tool.ts';

export const accountStatus = defineTool({
  name: 'account_status',
  description: `Your account at the close of the current bar: cash, equity, realised profit, the effect of commission, dividends, borrow fees and
interest on cash so far (negative: paid; omitted if zero), each open position (size negative when short, average entry price,
market value and unrealised profit in the account's currency; its own currency where that is another, and stale: true
if the symbol has no current bar and cannot trade. For a position on margin the market value is its open profit, and
exposure is its value), contracts (if a unit is not a share: money per point of its price, and the margin to open one unit)
and resting orders.

The answer is {cash, equity, realised_pnl, commission_paid, positions: {symbol: {size, avg_price, market_value, unrealised_pnl}},
pending_orders: [{order_id, symbol, action, order_type, quantity, price, stop_price}]}. Equity is cash plus every position at its last
close. realised_pnl is after commission. order_query shows an order in detail.

Example: {}`,
  brief: 'Your current account: cash, equity, profit, costs, positions with their value, and resting orders.',
  parameters: z.strictObject({}),
  example: {},
  writes: false,
  handle(_, { turn }) {
    const { account, orders, symbols } = turn;
    return {
      currency: account.currency,
      cash: account.cash.toNumber(),
      equity: account.equity.toNumber(),
      realised_pnl: account.realisedPnl.toNumber(),
      commission_paid: account.commissionPaid.toNumber(),
      cash_by_kind: Object.fromEntries(
        Object.entries(account.cashByKind).flatMap(([kind, amount]) =>
          amount.isZero() ? [] : [[kind, amount.toNumber()]],
        ),
      ),
      positions: Object.fromEntries(
        account.positions().map((position) => [
          position.symbol,
          {
            size: position.quantity.toNumber(),
            avg_price: position.averagePrice.toNumber(),
            market_value: position.marketValue.toNumber(),
            unrealised_pnl: position.unrealisedPnl.toNumber(),
            ...(position.margin === null ? {} : { exposure: position.exposure.toNumber() }),
            ...(position.currency === account.currency ? {} : { currency: position.currency }),
            ...(position.stale ? { stale: true } : {}),
          },
        ]),
      ),
      ...contractsOf(account, symbols),
      pending_orders: orders.pending().map((order) => orderOutline(order, symbols)),
    };
  },
});

/** Returns the contract terms of symbols that are not shares. An empty object if all symbols are shares. */
export function contractsOf(account: AccountView, symbols: readonly string[]): { readonly contracts?: Json } {
  const contracts = symbols.flatMap((symbol) => {
    const { multiplier, margin } = account.position(symbol);
    if (margin === null && multiplier.equals(1)) return [];
    const terms = {
      multiplier: multiplier.toNumber(),
      ...(margin === null ? {} : { margin: margin.toNumber() }),
    };
    return [[symbol, terms] as const];
  });
  return contracts.length === 0 ? {} : { contracts: Object.fromEntries(contracts) };
}
