import { z } from 'zod';
import { defineTool, failure, unknownSymbol } from '../tool.ts';

export const orderCancel = defineTool({
  name: 'order_cancel',
  description: `Cancel resting orders before they fill: one by its order_id, all, or all of one symbol.

  order_id   one order, from trade_execute or order_query
  all        true: every resting order you placed
  symbol     with all: only orders of this symbol

all does not cancel the stops and targets that protect a position; cancel these one by one, by order_id.
To change an order, call trade_execute with replaces instead: the old order then remains if the new one is refused.

The answer is {status: "cancelled", cancelled: [order_id, …]}; with all, the list may be empty. A filled order cannot be
cancelled: the error has the code unknown_order.

Examples: {"order_id": 3}   {"all": true}   {"all": true, "symbol": "AAPL"}`,
  parameters: z.strictObject({
    order_id: z.number().int().min(1).optional().describe('The order to cancel'),
    all: z.boolean().optional().describe('true: every resting order you placed'),
    symbol: z.string().optional().describe('With all: only orders of this symbol'),
  }),
  example: { order_id: 1 },
  writes: true,
  handle({ order_id, all = false, symbol }, { turn }) {
    if (all === (order_id !== undefined) || (!all && symbol !== undefined)) {
      return failure(
        'order_cancel requires either order_id, or all: true with or without a symbol.',
        'Call it like {"order_id": 3} or {"all": true}.',
      );
    }
    const unknown = unknownSymbol(symbol, turn, 'traded');
    if (unknown !== undefined) return unknown;
    if (order_id !== undefined) {
      const receipt = turn.orders.cancel(order_id);
      if (receipt.cancelled) return { status: 'cancelled', cancelled: [order_id] };
      const { code, message, remedy } = receipt.refusal;
      return failure(message, remedy, { status: 'rejected', code });
    }
    const cancelled = turn.orders
      .pending()
      .filter(({ role }) => role === 'order')
      .filter((order) => symbol === undefined || turn.symbols[order.symbol] === symbol)
      .map(({ id }) => id)
      .filter((id) => turn.orders.cancel(id).cancelled);
    return { status: 'cancelled', cancelled };
  },
});
