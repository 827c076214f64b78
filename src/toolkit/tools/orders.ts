import { z } from 'zod';
import { orderDetails } from '../order-view.ts';
import { defineTool, failure, unknownSymbol } from '../tool.ts';

const MOST_ORDERS = 50;

export const orderQuery = defineTool({
  name: 'order_query',
  description: `Your resting orders (accepted, not completely filled, not cancelled), oldest first. Stops and targets that protect a position
are included, with role stop-loss or take-profit and exit_of, the order of the position.

  order_id   one order only
  symbol     only orders of this symbol

The answer is {orders: [{order_id, symbol, action, order_type, quantity, price, stop_price, filled, role, placed_bar, time_in_force, …}]}
with further fields if they apply: trail or trail_percent, stop_loss, take_profit, bars_left, good_till, group, reason. quantity is null if
the size is known only at the fill. An order_id that is not resting is an error: the order has filled, was cancelled, or never existed.
Cancel an order with order_cancel; replace it with trade_execute and replaces.

Examples: {}   {"order_id": 3}   {"symbol": "AAPL"}`,
  parameters: z.strictObject({
    order_id: z.number().int().min(1).optional().describe('One order (default: all)'),
    symbol: z.string().optional().describe('Only orders of this symbol'),
  }),
  example: {},
  writes: false,
  handle({ order_id, symbol }, { turn }) {
    const unknown = unknownSymbol(symbol, turn, 'traded');
    if (unknown !== undefined) return unknown;
    const resting = turn.orders.pending();
    const wanted = resting.filter(
      (order) =>
        (order_id === undefined || order.id === order_id) &&
        (symbol === undefined || turn.symbols[order.symbol] === symbol),
    );
    if (wanted.length === 0 && order_id !== undefined) {
      return failure(
        `Order ${order_id}${symbol === undefined ? '' : ` of ${symbol}`} is not resting: it has filled, was cancelled, or never existed.`,
        resting.length === 0
          ? 'No orders are resting.'
          : `Resting: ${resting
              .slice(0, MOST_ORDERS)
              .map(({ id }) => id)
              .join(', ')}.`,
        { code: 'unknown_order' },
      );
    }
    const orders = wanted.slice(0, MOST_ORDERS).map((order) => orderDetails(order, turn.symbols));
    const omitted = wanted.length - orders.length;
    return { orders, ...(omitted === 0 ? {} : { left_out: omitted }) };
  },
});

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
