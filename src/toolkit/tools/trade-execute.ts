import { z } from 'zod';
import { ORDER_TYPES } from '../../broker/index.ts';
import { defineTool, failure } from '../tool.ts';

export const tradeExecute = defineTool({
  name: 'trade_execute',
  description: `Place an order. It is decided at this bar's close and can fill from the next bar's open, never earlier.

  action      buy | sell | close. Selling more than you hold opens a short position. close ends the whole position.
  quantity    units, a positive number; needed for buy and sell, left out for close
  symbol      the first symbol when left out
  order_type  market (default) | limit | stop | stop_limit | trailing_stop | market_on_close
  price       the limit, for limit and stop_limit
  stop_price  the stop, for stop and stop_limit
  trail       distance of a trailing_stop in price; trail_percent instead for a share of the price (5 is 5 %)
  stop_loss, take_profit   prices of exits born with the fill; each cancels the other
  valid_bars  bars after this one in which it may fill; for good when left out
  reason      a short note kept in the journal

The answer is {status: "accepted", order_id, …} or {error, remediation, code, largest_accepted?}: a refused order does nothing,
and nothing is resized for you.

Examples: {"action": "buy", "quantity": 100}   {"action": "close", "reason": "RSI above 70"}
{"action": "buy", "quantity": 50, "order_type": "limit", "price": 98.5, "valid_bars": 5, "stop_loss": 95, "take_profit": 110}`,
  parameters: z.strictObject({
    action: z.enum(['buy', 'sell', 'close']).describe('buy, sell or close'),
    symbol: z.string().optional().describe('The symbol; the first one when left out'),
    quantity: z.number().optional().describe('Units to buy or sell; left out for close'),
    order_type: z.enum(ORDER_TYPES).default('market').describe('Type of order'),
    price: z.number().optional().describe('Limit price, for limit and stop_limit'),
    stop_price: z.number().optional().describe('Stop price, for stop and stop_limit'),
    trail: z.number().optional().describe('Distance of a trailing stop, in price'),
    trail_percent: z.number().optional().describe('Distance of a trailing stop, in percent of the price'),
    stop_loss: z.number().optional().describe('Price of a stop loss born with the fill'),
    take_profit: z.number().optional().describe('Price of a take profit born with the fill'),
    valid_bars: z.number().int().min(1).optional().describe('Bars after this one in which it may fill'),
    reason: z.string().max(500).optional().describe('Why, for the journal'),
  }),
  example: { action: 'buy', quantity: 10 },
  writes: true,
  handle(given, { turn }) {
    const receipt = turn.orders.submit({
      action: given.action,
      symbol: given.symbol,
      quantity: given.quantity,
      type: given.order_type,
      limitPrice: given.price,
      stopPrice: given.stop_price,
      trailAmount: given.trail,
      trailFraction: given.trail_percent === undefined ? undefined : given.trail_percent / 100,
      stopLoss: given.stop_loss,
      takeProfit: given.take_profit,
      validBars: given.valid_bars,
      reason: given.reason,
    });
    if (!receipt.accepted) {
      const { code, message, remedy, largestAccepted } = receipt.refusal;
      return failure(message, remedy, {
        status: 'rejected',
        code,
        ...(largestAccepted === undefined ? {} : { largest_accepted: largestAccepted }),
      });
    }
    const { order } = receipt;
    return {
      status: 'accepted',
      order_id: order.id,
      symbol: turn.symbols[order.symbol]!,
      action: order.action,
      order_type: order.type,
      quantity: order.size.kind === 'units' ? order.size.units.toString() : null,
      fills: order.type === 'market' ? "at the next bar's open" : 'from the next bar on',
    };
  },
});
