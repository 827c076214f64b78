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
    const leftOut = wanted.length - orders.length;
    return { orders, ...(leftOut === 0 ? {} : { left_out: leftOut }) };
  },
});
