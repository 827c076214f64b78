import { z } from 'zod';
import {
  type Amount,
  type ExitLevel,
  MOST_TARGETS,
  ORDER_ACTIONS,
  ORDER_TYPES,
  type OrderReceipt,
  type OrderRequest,
  type OrderType,
  type TargetLevel,
  TIMES_IN_FORCE,
} from '../../broker/index.ts';
import type { BarContext, Json } from '../../engine/index.ts';
import { decimal } from '../../kernel/index.ts';
import { inToolWords } from '../order-view.ts';
import { defineTool, failure } from '../tool.ts';

const DESCRIPTION = `Place an order. It is decided at this bar's close and fills from the next bar's open on
(at the close if "fills" in the answer states this).

  action      buy | sell | close | target. Selling more than you hold opens a short. close ends the whole position.
  quantity    units, above 0. Or: notional (money) or equity_percent (50 is half your equity). Omit for close;
              target uses target_quantity or target_percent, signed, and trades the difference
  symbol      default: the first symbol
  order_type  market (default) | limit | stop | stop_limit | trailing_stop | trailing_stop_limit | market_if_touched |
              limit_if_touched | market_on_open | limit_on_open | market_on_close | limit_on_close (auctions of the
              session, or the next bar without sessions)
  price       limit price of limit types      stop_price  trigger of stop and if_touched types
  trail       distance of a trailing stop in price, or trail_percent (5 is 5 %)
  stop_loss, take_profit   prices of exits; each cancels the other. Or relative to the fill:
              stop_loss_percent, take_profit_percent, stop_loss_atr, take_profit_atr (multiples of the 14-bar ATR).
              stop_loss_trails: it follows the price. take_profits: several targets with shares
  valid_bars  bars in which it may fill (default: no limit). Or time_in_force (GTD needs good_till)
  reduce_only never opens or reverses a position   group  orders of one group cancel each other
  replaces    order_id of the order to replace; it remains if this order is refused
  reason      a note for the journal

The answer is {status: "accepted", order_id, …} or {error, remediation, code, largest_accepted?}. A refused order has no effect;
only an equity_percent is reduced, as the answer states.

Examples: {"action": "buy", "quantity": 100}
{"action": "buy", "quantity": 50, "order_type": "limit", "price": 98.5, "valid_bars": 5, "stop_loss": 95, "take_profit": 110}
{"action": "target", "target_percent": 60}`;

const BRIEF = `Place an order, filled from the next open on. Selling more than the position opens a short; close ends the position; target trades to target_quantity or target_percent, signed.
One size: quantity (units), notional (money), equity_percent (50 is half).
price: limit; stop_price: trigger; trail: distance of a trailing stop. stop_loss, take_profit: exits at prices, or with _percent or _atr from the fill. replaces: an order_id. A fill cancels the other orders of its group.
A refused order has no effect and returns the reason.`;

const number = (words: string): z.ZodOptional<z.ZodNumber> => z.number().optional().describe(words);

export const tradeExecute = defineTool({
  name: 'trade_execute',
  description: DESCRIPTION,
  brief: BRIEF,
  parameters: z.strictObject({
    action: z.enum(ORDER_ACTIONS).describe('buy, sell, close or target'),
    symbol: z.string().optional().describe('The symbol (default: the first)'),
    quantity: number('Units to buy or sell; omit for close'),
    notional: number('Instead of quantity: money to buy or sell for'),
    equity_percent: number('Instead of quantity: percent of the equity'),
    target_quantity: number('For target: signed units to hold'),
    target_percent: number('For target: signed percent of the equity to hold'),
    order_type: z.enum(ORDER_TYPES).default('market').describe('Type of order'),
    price: number('Limit price, for limit and stop_limit'),
    stop_price: number('Trigger price, for stop, stop_limit, market_if_touched and limit_if_touched'),
    trail: number('Distance of a trailing stop, in price'),
    trail_percent: number('Distance of a trailing stop, in percent of the price'),
    limit_offset: number('For trailing_stop_limit: distance of the limit beyond the stop, in price'),
    activation_price: number('Price at which a trailing stop begins (default: immediately)'),
    post_only: z.boolean().optional().describe('true: a limit is refused instead of filled immediately'),
    stop_loss: number('Price of a stop loss that is created with the fill'),
    take_profit: number('Price of a take profit that is created with the fill'),
    stop_loss_percent: number('Instead of stop_loss: percent from the fill'),
    take_profit_percent: number('Instead of take_profit: percent from the fill'),
    stop_loss_atr: number('Instead of stop_loss: multiples of the 14-bar average true range'),
    take_profit_atr: number('Instead of take_profit: multiples of the 14-bar average true range'),
    stop_loss_trails: z
      .boolean()
      .optional()
      .describe('true: stop_loss_percent or stop_loss_atr follows the price'),
    take_profits: z
      .array(
        z.strictObject({
          price: number('Price of the target'),
          percent: number('Instead of price: percent from the fill'),
          atr: number('Instead of price: multiples of the 14-bar average true range'),
          share_percent: number('Percent of the opened quantity; the last target may omit it for the rest'),
        }),
      )
      .min(1)
      .max(MOST_TARGETS)
      .optional()
      .describe('Instead of take_profit: several targets, each with a share of the position'),
    valid_bars: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Number of later bars in which the order may fill'),
    time_in_force: z.enum(TIMES_IN_FORCE).optional().describe('Time in force (default GTC)'),
    good_till: z.string().max(40).optional().describe('Last date of a GTD order, such as 2020-03-31'),
    reduce_only: z.boolean().optional().describe('true: the order never opens or reverses a position'),
    group: z.string().min(1).max(100).optional().describe('Orders of one group cancel each other'),
    replaces: z.number().int().min(1).optional().describe('order_id of the order to replace'),
    reason: z.string().max(500).optional().describe('Reason, for the journal'),
  }),
  example: { action: 'buy', quantity: 10 },
  writes: true,
  handle(given, { turn }) {
    const stopLoss = exitOf(given.stop_loss, given.stop_loss_percent, given.stop_loss_atr);
    const takeProfit = exitOf(given.take_profit, given.take_profit_percent, given.take_profit_atr);
    const targets = targetsOf(given.take_profits);
    if (targets === 'several') {
      return failure(
        'A target of take_profits requires one of price, percent and atr.',
        'Use a target such as {"price": 110, "share_percent": 50}.',
        { status: 'rejected', code: 'bad_order' },
      );
    }
    const isTwice = takeProfit !== undefined && targets !== undefined;
    if (stopLoss === 'several' || takeProfit === 'several' || isTwice) {
      const name = stopLoss === 'several' ? 'stop_loss' : 'take_profit';
      return failure(
        `${name} is set in more than one way.`,
        `Use one of ${name}, ${name}_percent and ${name}_atr.`,
        { status: 'rejected', code: 'bad_order' },
      );
    }
    // All fields are set, some to `undefined`. A replacement order therefore does not inherit fields from the
    // replaced order.
    const request: OrderRequest = {
      action: given.action,
      symbol: given.symbol,
      quantity: given.quantity,
      notional: given.notional,
      equityFraction: fractionOf(given.equity_percent),
      targetQuantity: given.target_quantity,
      targetFraction: fractionOf(given.target_percent),
      type: given.order_type,
      limitPrice: given.price,
      stopPrice: given.stop_price,
      trailAmount: given.trail,
      trailFraction: fractionOf(given.trail_percent),
      limitOffset: given.limit_offset,
      activationPrice: given.activation_price,
      postOnly: given.post_only,
      timeInForce: given.time_in_force,
      goodTill: given.good_till,
      validBars: given.valid_bars,
      reduceOnly: given.reduce_only,
      stopLoss:
        given.stop_loss_trails === true && stopLoss !== undefined ? { ...stopLoss, trail: true } : stopLoss,
      takeProfit: targets ?? takeProfit,
      group: given.group,
      reason: given.reason,
    };
    const { orders } = turn;
    return answerOf(
      given.replaces === undefined ? orders.submit(request) : orders.replace(given.replaces, request),
      turn,
      given.replaces,
    );
  },
});

function answerOf(receipt: OrderReceipt, turn: BarContext, replaces: number | undefined): Json {
  const { symbols, orders } = turn;
  if (!receipt.accepted) {
    const { code, message, remedy, largestAccepted } = receipt.refusal;
    return failure(inToolWords(message), inToolWords(remedy), {
      status: 'rejected',
      code,
      ...(largestAccepted === undefined ? {} : { largest_accepted: largestAccepted }),
    });
  }
  const { order, cut } = receipt;
  return {
    status: 'accepted',
    order_id: order.id,
    ...(replaces === undefined ? {} : { replaces }),
    symbol: symbols[order.symbol]!,
    action: order.action,
    order_type: order.type,
    quantity: order.size.kind === 'units' ? order.size.units.toString() : null,
    ...(cut === undefined
      ? {}
      : {
          expected_quantity: Number(cut.carried),
          requested_quantity: Number(cut.asked),
          why_less:
            'buying power, including commission, allows no more at this close; the fill is sized by its own price',
        }),
    fills: fillTime(order.type, orders.fillsAtClose),
  };
}

function fillTime(type: OrderType, atThisClose: boolean): string {
  switch (type) {
    case 'market':
      return atThisClose ? "at this bar's close" : "at the next bar's open";
    case 'market_on_open':
    case 'limit_on_open':
      return 'at the next opening auction; at the next open without sessions';
    case 'market_on_close':
    case 'limit_on_close':
      return 'at the next closing auction; at the next close without sessions';
    default:
      return 'from the next bar on';
  }
}

// Uses decimals, because float64 division is not exact: 33.3 / 100 is 0.33299999999999996, not 0.333.
function fractionOf(percents: number | undefined): Amount | undefined {
  return percents === undefined ? undefined : decimal(percents).dividedBy(100);
}

function exitOf(
  price: number | undefined,
  percents: number | undefined,
  atr: number | undefined,
): ExitLevel | undefined | 'several' {
  const given = [price, percents, atr].filter((value) => value !== undefined);
  if (given.length > 1) return 'several';
  if (price !== undefined) return { price };
  if (percents !== undefined) return { fraction: fractionOf(percents)! };
  return atr === undefined ? undefined : { atr };
}

type GivenTarget = {
  readonly price?: number | undefined;
  readonly percent?: number | undefined;
  readonly atr?: number | undefined;
  readonly share_percent?: number | undefined;
};

function targetsOf(given: readonly GivenTarget[] | undefined): TargetLevel[] | undefined | 'several' {
  if (given === undefined) return undefined;
  const targets: TargetLevel[] = [];
  for (const { price, percent, atr, share_percent } of given) {
    const level = exitOf(price, percent, atr);
    if (level === undefined || level === 'several') return 'several';
    targets.push({ ...level, ...(share_percent === undefined ? {} : { share: fractionOf(share_percent)! }) });
  }
  return targets;
}
