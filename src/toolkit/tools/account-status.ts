import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const accountStatus = defineTool({
  name: 'account_status',
  description: `Your account at the current bar's close: cash, equity, realised profit, commission paid so far, each open position
(size negative when short, average entry price, market value, unrealised profit) and orders that have not filled yet.

Example: {}.`,
  parameters: z.strictObject({}),
  example: {},
  writes: false,
  handle(_, { turn }) {
    const { account, orders, symbols } = turn;
    return {
      cash: account.cash.toNumber(),
      equity: account.equity.toNumber(),
      realised_pnl: account.realisedPnl.toNumber(),
      commission_paid: account.commissionPaid.toNumber(),
      positions: Object.fromEntries(
        account.positions().map((position) => [
          position.symbol,
          {
            size: position.quantity.toNumber(),
            avg_price: position.averagePrice.toNumber(),
            market_value: position.marketValue.toNumber(),
            unrealised_pnl: position.unrealisedPnl.toNumber(),
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
