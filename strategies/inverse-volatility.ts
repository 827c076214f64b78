// Shows: a portfolio by weights, in one call: netted orders, sales first, and what could not be reached in the answer.
// Idea: at the first close of each month each symbol gets a share in proportion to 1 / its volatility, so that all of them
// risk about the same; what is off by less than the tolerance is left alone, which saves commission.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'inverse-volatility',
  summary: 'Monthly weights in proportion to 1 / volatility.',
  parameters: z.object({
    lookback: z.coerce.number().int().min(10).default(60),
    cash: z.coerce.number().min(0).max(0.5).default(0.02),
    tolerance: z.coerce.number().min(0).max(0.5).default(0.01),
  }),
  warmUpBars: ({ lookback }) => lookback + 1,
  state: () => ({ month: Number.NaN }),

  onBar({ bar, time, symbols, windowOf, orders, record }, { parameters, state }) {
    const { lookback, cash, tolerance } = parameters;
    const month = new Date(time).getUTCMonth();
    if (month === state.month) return;
    state.month = month;

    const calm = symbols.map((symbol) => {
      const closes = [...windowOf(symbol).close.tail(lookback + 1)];
      const returns = closes.slice(1).map((close, index) => Math.log(close / closes[index]!));
      const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
      const variance = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / returns.length;
      return 1 / Math.sqrt(variance);
    });
    const sum = calm.reduce((total, value) => total + value, 0);
    if (!Number.isFinite(sum)) return;

    const weights = Object.fromEntries(
      symbols.map((symbol, index) => [symbol, ((1 - cash) * calm[index]!) / sum]),
    );
    const receipt = orders.rebalance({ weights, cash, tolerance });
    const missed = receipt.accepted
      ? receipt.shortfall.map(({ symbol, message }) => `${symbol}: ${message}`)
      : [receipt.refusal.message];
    for (const text of missed) record({ type: 'note', bar, text });
  },
});
