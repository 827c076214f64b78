import { z } from 'zod';
import { OTHERS, type Rebalanced, type RebalanceReceipt } from '../../broker/index.ts';
import type { BarContext, Json } from '../../engine/index.ts';
import { decimal } from '../../kernel/index.ts';
import { defineTool, failure } from '../tool.ts';

const CLOSES_ALL =
  'weights is empty, so every position is closed. To keep positions, make no call, or set others: "keep".';
const MAYBE_SHARES =
  'The weights sum to at most 1 % of your equity. Weights are percents: 45 is 45 %, and 0.45 is less than half a percent.';

export const portfolioRebalance = defineTool({
  name: 'portfolio_rebalance',
  description: `Rebalance the whole account to weights with one set of market orders. Use this to trade several symbols. Orders are
netted against your positions, sized together from the equity at this bar's close, sales first, and fill at the next bar's open.

  weights    percent of your equity by symbol: {"AAPL": 40, "MSFT": 30}. Below 0 is short, 0 closes
  tolerance  deviation of a weight, in percent of the equity, below which it is not traded (default 0)
  cash       percent of the equity that stays free. The sum of weights and cash is at most 100 (times the leverage). Prices move
             until the open: without free cash, the last buys may be reduced to the available cash, as their fills show
  others     close (default): positions without a weight are closed. keep: they stay unchanged
  reason     a short note for the journal

The answer is {status: "accepted", equity, orders, shortfall, skipped}: shortfall lists the weights that could not be reached, with the reason;
skipped lists names without an order. Or {error, remediation, code} with all faults; no order is placed then.

Examples: {"weights": {"AAPL": 45, "MSFT": 45}, "cash": 5}   {"weights": {"AAPL": 0}, "others": "keep"}`,
  brief: `Rebalance the account to weights (percent of equity by symbol, below 0 short, 0 closes) with one netted set of market orders at the next open, sales first. Use this to trade several symbols. tolerance: percent below which a deviation is not traded. cash: percent that stays free, because prices move until the open. others: positions without a weight.`,
  parameters: z.strictObject({
    weights: z.record(z.string(), z.number()).describe('Percent of the equity by symbol'),
    tolerance: z
      .number()
      .optional()
      .describe('Deviation of a weight, in percent, below which it is not traded'),
    cash: z.number().optional().describe('Percent of the equity that stays free'),
    others: z.enum(OTHERS).optional().describe('Handling of positions without a weight'),
    reason: z.string().max(500).optional().describe('Reason, for the journal'),
  }),
  example: { weights: { AAPL: 45, MSFT: 45 }, cash: 5 },
  writes: true,
  optIn: true,
  forSeveral: true,
  handle({ weights, tolerance, cash, others, reason }, { turn }) {
    const shares = Object.entries(weights).map(([symbol, percents]) => [symbol, shareOf(percents)] as const);
    const receipt = turn.orders.rebalance({
      weights: Object.fromEntries(shares),
      tolerance: tolerance === undefined ? undefined : shareOf(tolerance),
      cash: cash === undefined ? undefined : shareOf(cash),
      others,
      reason,
    });
    return answerOf(receipt, turn, warningOf(Object.values(weights), others === 'keep'));
  },
});

/** Returns a warning for weights that are valid but may be a mistake. */
function warningOf(weights: readonly number[], keeps: boolean): string | undefined {
  if (weights.length === 0) return keeps ? undefined : CLOSES_ALL;
  const sum = weights.reduce((total, weight) => total + Math.abs(weight), 0);
  return sum > 0 && sum <= 1 ? MAYBE_SHARES : undefined;
}

function answerOf(
  receipt: RebalanceReceipt,
  { orders, symbols }: BarContext,
  warning: string | undefined,
): Json {
  if (!receipt.accepted) {
    const { code, message } = receipt.refusal;
    const weights = Object.fromEntries(symbols.slice(0, 2).map((symbol) => [symbol, 45]));
    const remedy = `Use percents such as ${JSON.stringify({ weights, cash: 5 })}.`;
    return failure(message, remedy, { status: 'rejected', code });
  }
  const { equity, setAside, shortfall, skipped } = receipt;
  return {
    status: 'accepted',
    ...(warning === undefined ? {} : { warning }),
    equity,
    ...(setAside === undefined ? {} : { set_aside_for_commission: setAside }),
    orders: receipt.orders.map(orderOf),
    shortfall: shortfall.map(({ symbol, weight, reaches, code, message }) => ({
      symbol,
      weight: percentOf(weight),
      reaches: percentOf(reaches),
      code,
      why: message,
    })),
    skipped: skipped.map(({ symbol, weight, code, message }) => ({
      symbol,
      weight: percentOf(weight),
      code,
      why: message,
    })),
    fills: orders.fillsAtClose ? "at this bar's close" : "at the next bar's open",
  };
}

function orderOf({ orderId, symbol, side, quantity, weight, reaches }: Rebalanced): Json {
  return {
    order_id: orderId,
    symbol,
    side,
    quantity,
    weight: percentOf(weight),
    reaches: percentOf(reaches),
  };
}

// Uses decimals, because float64 division is not exact: 33.3 / 100 is 0.33299999999999996, not 0.333.
function shareOf(percents: number): string {
  return decimal(percents).dividedBy(100).toString();
}

function percentOf(share: string): number {
  return decimal(share).times(100).toNumber();
}
