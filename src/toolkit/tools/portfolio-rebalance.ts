import { z } from 'zod';
import { OTHERS, type Rebalanced, type RebalanceReceipt } from '../../broker/index.ts';
import type { BarContext, Json } from '../../engine/index.ts';
import { decimal } from '../../kernel/index.ts';
import { defineTool, failure } from '../tool.ts';

const CLOSES_ALL =
  'weights is empty: every position is closed. To leave them alone, call nothing, or say others: "keep".';
const MAYBE_SHARES =
  'The weights come to at most 1 % of your equity: they are percents, so that 45 is 45 %, and 0.45 less than half of one percent.';

export const portfolioRebalance = defineTool({
  name: 'portfolio_rebalance',
  description: `Bring the whole account to weights by one set of market orders: the way to trade several symbols at once. Orders are
netted against what you hold, sized together from the equity at this bar's close, sales first, and fill at the next bar's open.

  weights    by symbol its percent of your equity: {"AAPL": 40, "MSFT": 30}. Below 0 is short, 0 closes
  tolerance  percent of the equity by which a weight may be off before it is traded; 0 when left out
  cash       percent of the equity that stays free: the weights and it come to at most 100 (times the leverage). Prices move
             until the open: with none, the last buys may be cut to the cash there is, and their fills say so
  others     close (default): what is held without a weight is closed. keep: it is left alone
  reason     a short note kept in the journal

The answer is {status: "accepted", equity, orders, shortfall, skipped}: shortfall has the weights that could not be reached and why,
skipped each name that needed or got no order. Or {error, remediation, code} with everything that is wrong: nothing is placed then.

Examples: {"weights": {"AAPL": 45, "MSFT": 45}, "cash": 5}   {"weights": {"AAPL": 0}, "others": "keep"}`,
  brief: `Bring the account to weights (percent of equity by symbol, below 0 short, 0 closes) by one netted set of market orders at the next open, sales first: the way to trade several symbols. tolerance: percent a weight may be off. cash: percent kept free, as prices move until the open. others: what has no weight.`,
  parameters: z.strictObject({
    weights: z.record(z.string(), z.number()).describe('By symbol its percent of the equity'),
    tolerance: z.number().optional().describe('Percent by which a weight may be off before it is traded'),
    cash: z.number().optional().describe('Percent of the equity that stays free'),
    others: z.enum(OTHERS).optional().describe('What becomes of positions without a weight'),
    reason: z.string().max(500).optional().describe('Why, for the journal'),
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

/** Returns a warning for accepted weights that may be a misunderstanding. */
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
    const remedy = `Give percents such as ${JSON.stringify({ weights, cash: 5 })}.`;
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

// Uses decimals, because 29 / 100 in float64 arithmetic may differ from 0.29 for some percentages.
function shareOf(percents: number): string {
  return decimal(percents).dividedBy(100).toString();
}

function percentOf(share: string): number {
  return decimal(share).times(100).toNumber();
}
