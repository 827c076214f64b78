import { z } from 'zod';
import type { Decimal } from '../../kernel/index.ts';

/** Quantity or price as users and models write it: a number or a decimal string. */
export type Amount = number | string | Decimal;

/** Matches a decimal text of a quantity, price or lot. */
export const DECIMAL_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

export const ORDER_ACTIONS = ['buy', 'sell', 'close', 'target'] as const;
export const ORDER_TYPES = [
  'market',
  'limit',
  'stop',
  'stop_limit',
  'trailing_stop',
  'market_on_close',
  'market_if_touched',
  'limit_if_touched',
  'trailing_stop_limit',
  'market_on_open',
  'limit_on_open',
  'limit_on_close',
] as const;
/** Largest number of take profits that one order may have. */
export const MOST_TARGETS = 10;
export const TIMES_IN_FORCE = ['GTC', 'DAY', 'GTD', 'IOC', 'FOK'] as const;

export type OrderAction = (typeof ORDER_ACTIONS)[number];
export type OrderType = (typeof ORDER_TYPES)[number];
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

/**
 * Level of an exit. Either a price or a distance from the fill price: in price, as a fraction of the fill
 * price, or as a multiple of the average true range.
 *
 * A stop loss with `trail` follows the price at that distance.
 */
export type ExitLevel =
  | { readonly price: Amount }
  | { readonly distance: Amount; readonly trail?: boolean | undefined }
  | { readonly fraction: Amount; readonly trail?: boolean | undefined }
  | { readonly atr: number; readonly length?: number | undefined; readonly trail?: boolean | undefined };

/**
 * One of several take profits: its level, and the share of the opened units that it closes. If the last take
 * profit omits the share, it closes the rest.
 */
export type TargetLevel = ExitLevel & { readonly share?: Amount | undefined };

/** Exit level of an accepted order. Average true ranges have been converted to distances. */
export type PlacedExit = Exclude<ExitLevel, { readonly atr: number }>;

/** One of several take profits of an accepted order. */
export type PlacedTarget = PlacedExit & { readonly share?: Amount | undefined };

/**
 * Request for an order.
 *
 * - `buy` and `sell` need exactly one of `quantity` (units), `notional` (money) and `equityFraction` (of the
 *   equity at the fill).
 * - `target` needs one of `targetQuantity` (signed units) and `targetFraction` (signed, of equity), and
 *   trades the difference.
 * - `close` needs no size and closes the whole position.
 */
export interface OrderRequest {
  readonly action: OrderAction;
  readonly symbol?: string | undefined;
  readonly quantity?: Amount | undefined;
  readonly notional?: Amount | undefined;
  readonly equityFraction?: Amount | undefined;
  readonly targetQuantity?: Amount | undefined;
  readonly targetFraction?: Amount | undefined;
  readonly type?: OrderType | undefined;
  /** For types with `limit` in their name, except trailing_stop_limit. */
  readonly limitPrice?: Amount | undefined;
  /** Trigger price of a stop, stop_limit, market_if_touched or limit_if_touched. */
  readonly stopPrice?: Amount | undefined;
  /**
   * Distance of a trailing_stop or trailing_stop_limit: either an amount or a fraction. A fraction of 0.05
   * trails by 5 %.
   */
  readonly trailAmount?: Amount | undefined;
  readonly trailFraction?: Amount | undefined;
  /** For trailing_stop_limit: distance of the limit from the stop, in price. */
  readonly limitOffset?: Amount | undefined;
  /**
   * For trailing types: the stop becomes active when the market reaches this price. The price is above the
   * market for a sell and below the market for a buy.
   */
  readonly activationPrice?: Amount | undefined;
  /** For type `limit`: if true, the order is rejected if it would fill immediately (as a taker). */
  readonly postOnly?: boolean | undefined;
  readonly timeInForce?: TimeInForce | undefined;
  /** Last date of a GTD order, such as 2020-03-31. */
  readonly goodTill?: string | undefined;
  /** The order may fill only in this number of bars after its placement. Default: no limit. */
  readonly validBars?: number | undefined;
  readonly reduceOnly?: boolean | undefined;
  /** Levels of the exit orders that the fill creates. A plain number is a price. */
  readonly stopLoss?: Amount | ExitLevel | undefined;
  readonly takeProfit?: Amount | ExitLevel | readonly TargetLevel[] | undefined;
  /** Name of a one-cancels-other group: the fill of one order cancels the other orders of the group. */
  readonly group?: string | undefined;
  /**
   * Reason of the order. Recorded in the journal, and used as the exit reason of the trades that the order
   * closes.
   */
  readonly reason?: string | undefined;
}

const amount = z.union([z.number(), z.string()], {
  error: (issue) => `${JSON.stringify(issue.input)} is neither a number nor a decimal string`,
});
const trail = z.boolean().optional();
/** Maximum number of characters of a reason in the journal. */
const REASON_LENGTH = 500;

/**
 * Returns a reason as it is recorded in the journal. A reason above the maximum length is cut, and its end
 * states the original length.
 */
export function recordedReason<Reason extends string | undefined>(reason: Reason): Reason | string {
  if (reason === undefined || reason.length <= REASON_LENGTH) return reason;
  const note = `… (cut from ${reason.length} characters)`;
  return `${reason.slice(0, REASON_LENGTH - note.length).replace(/[\ud800-\udbff]$/, '')}${note}`;
}

const atrLength = z.number().int().min(1).max(500).optional();
const noLevel = (input: unknown): string =>
  `${JSON.stringify(input)} is not a level. Expected a price, {"distance": 4}, {"fraction": 0.05} or {"atr": 2, "length": 14}`;
const exitLevel = z.union(
  [
    amount,
    z.strictObject({ price: amount }),
    z.strictObject({ distance: amount, trail }),
    z.strictObject({ fraction: amount, trail }),
    z.strictObject({ atr: z.number().positive(), length: atrLength, trail }),
  ],
  { error: (issue) => noLevel(issue.input) },
);
const share = amount.optional();
const targets = z
  .array(
    z.union([
      z.strictObject({ price: amount, share }),
      z.strictObject({ distance: amount, share }),
      z.strictObject({ fraction: amount, share }),
      z.strictObject({ atr: z.number().positive(), length: atrLength, share }),
    ]),
  )
  .min(1)
  .max(MOST_TARGETS);
const takeProfit = z.union([exitLevel, targets], {
  error: ({ input }) =>
    Array.isArray(input)
      ? `${JSON.stringify(input)} is not a list of 1 to ${MOST_TARGETS} targets such as {"price": 110, "share": 0.5}`
      : noLevel(input),
});

/** Schema of an order request in JSON, from an order script or a language model. */
export const orderRequestSchema = z.strictObject({
  action: z.enum(ORDER_ACTIONS),
  symbol: z.string().optional(),
  quantity: amount.optional(),
  notional: amount.optional(),
  equityFraction: amount.optional(),
  targetQuantity: amount.optional(),
  targetFraction: amount.optional(),
  type: z.enum(ORDER_TYPES).optional(),
  limitPrice: amount.optional(),
  stopPrice: amount.optional(),
  trailAmount: amount.optional(),
  trailFraction: amount.optional(),
  limitOffset: amount.optional(),
  activationPrice: amount.optional(),
  postOnly: z.boolean().optional(),
  timeInForce: z.enum(TIMES_IN_FORCE).optional(),
  goodTill: z.string().optional(),
  validBars: z.number().int().min(1).optional(),
  reduceOnly: z.boolean().optional(),
  stopLoss: exitLevel.optional(),
  takeProfit: takeProfit.optional(),
  group: z.string().min(1).max(100).optional(),
  reason: z.string().max(REASON_LENGTH).optional(),
});
