import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const accountStatus = defineTool({
  name: 'account_status',
  description: `Your account at the current bar's close: cash, equity, realised profit, what commission, dividends, borrow fees and
interest have done to cash so far (negative: paid; left out: nothing), each open position (size negative when short, average entry price,
market value and unrealised profit in the account's currency; its own currency where that is another, and stale: true
when the symbol has no bar now and cannot trade)
and orders that have not filled yet.

Example: {}.`,
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
            ...(position.currency === account.currency ? {} : { currency: position.currency }),
            ...(position.stale ? { stale: true } : {}),
          },
        ]),
      ),
      pending_orders: orders.pending().map((order) => ({
        order_id: order.id,
        symbol: symbols[order.symbol]!,
        action: order.action,
        order_type: order.type,
        quantity: order.size.kind === 'units' ? order.size.units.toString() : null,
        price: Number.isNaN(order.limitPrice) ? null : order.limitPrice,
        stop_price: Number.isNaN(order.stopPrice) ? null : order.stopPrice,
      })),
    };
  },
});
