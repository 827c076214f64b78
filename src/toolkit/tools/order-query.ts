import { z } from 'zod';
import { orderDetails } from '../order-view.ts';
import { defineTool, failure, unknownSymbol } from '../tool.ts';

const MOST_ORDERS = 50;

export const orderQuery = defineTool({
  name: 'order_query',
  description: `Your orders that rest: accepted, not wholly filled, not cancelled. Oldest first. The stops and targets that protect a position
rest too, with role stop-loss or take-profit and exit_of, the order they belong to.

  order_id   one order only
  symbol     only orders of this symbol

The answer is {orders: [{order_id, symbol, action, order_type, quantity, price, stop_price, filled, role, placed_bar, time_in_force, …}]}
with what else applies: trail or trail_percent, stop_loss, take_profit, bars_left, good_till, group, reason. quantity is null where
the size is known only at the fill. An order_id that does not rest is an error: it has filled, was cancelled, or never was.
Take an order back with order_cancel; put another in its place with trade_execute and replaces.

Examples: {}   {"order_id": 3}   {"symbol": "AAPL"}`,
  parameters: z.strictObject({
    order_id: z.number().int().min(1).optional().describe('One order; all when left out'),
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
        `There is no resting order ${order_id}${symbol === undefined ? '' : ` of ${symbol}`}: it has filled, was cancelled, or never was.`,
        resting.length === 0
          ? 'No order is resting.'
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
