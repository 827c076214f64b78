import { z } from 'zod';
import { defineTool, failure, unknownSymbol } from '../tool.ts';

export const orderCancel = defineTool({
  name: 'order_cancel',
  description: `Take resting orders back before they fill. Say which: one by its order_id, or all of them, or all of one symbol.

  order_id   one order, as trade_execute or order_query named it
  all        true: every resting order you placed
  symbol     with all: only those of this symbol

all leaves the stops and targets that protect a position where they are; cancel those one by one, by order_id.
To change an order rather than take it back, call trade_execute with replaces: the old one then stays if the new one is refused.

The answer is {status: "cancelled", cancelled: [order_id, …]}; with all, the list may be empty. An order that has filled cannot be
taken back: that is an error with code unknown_order.

Examples: {"order_id": 3}   {"all": true}   {"all": true, "symbol": "AAPL"}`,
  parameters: z.strictObject({
    order_id: z.number().int().min(1).optional().describe('The order to take back'),
    all: z.boolean().optional().describe('true: every resting order you placed'),
    symbol: z.string().optional().describe('With all: only orders of this symbol'),
  }),
  example: { order_id: 1 },
  writes: true,
  handle({ order_id, all = false, symbol }, { turn }) {
    if (all === (order_id !== undefined) || (!all && symbol !== undefined)) {
      return failure(
        'order_cancel needs either order_id, or all: true with or without a symbol.',
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
