import { z } from 'zod';
import { ORDER_ACTIONS, ORDER_TYPES } from '../../broker/index.ts';
import { defineTool, failure } from '../tool.ts';

export const tradeExecute = defineTool({
  name: 'trade_execute',
  description: `Place an order. It is decided at this bar's close and fills at the next bar's open, never earlier.

  action     buy | sell | close. Selling more than you hold opens a short position. close ends the whole position.
  quantity   units, a positive number; needed for buy and sell, left out for close
  symbol     the first symbol when left out
  order_type market (default)
  reason     a short note kept in the journal

The answer is {status: "accepted", order_id, …} or {error, remediation, code, largest_accepted?}: a refused order does nothing,
and nothing is resized for you.

Examples: {"action": "buy", "quantity": 100}   {"action": "close", "reason": "RSI above 70"}`,
  parameters: z.strictObject({
    action: z.enum(ORDER_ACTIONS).describe('buy, sell or close'),
    symbol: z.string().optional().describe('The symbol; the first one when left out'),
    quantity: z.number().optional().describe('Units to buy or sell; left out for close'),
    order_type: z.enum(ORDER_TYPES).default('market').describe('Type of order'),
    reason: z.string().max(500).optional().describe('Why, for the journal'),
  }),
  example: { action: 'buy', quantity: 10 },
  writes: true,
  handle({ action, symbol, quantity, order_type, reason }, { turn }) {
    const receipt = turn.orders.submit({ action, symbol, quantity, type: order_type, reason });
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
      fills: "at the next bar's open",
    };
  },
});
