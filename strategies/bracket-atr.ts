// Shows: brackets, and sizing by risk.
// Idea: buy a breakout and let two prices decide about the rest. Enters when the close is above the highs of the bars
// before; a stop loss and a take profit in average true ranges are born with the fill. The size is such that the stop
// loss costs a fixed share of the equity.
import { defineStrategy, type Window, z } from 'sandtable';

export default defineStrategy({
  name: 'bracket-atr',
  summary: 'Breakouts with a stop loss and a take profit in average true ranges, sized by risk.',
  parameters: z.object({
    breakout: z.coerce.number().int().min(2).default(40),
    length: z.coerce.number().int().min(1).default(14),
    stop: z.coerce.number().positive().default(2),
    profit: z.coerce.number().positive().default(4),
    risk: z.coerce.number().positive().max(0.1).default(0.01),
  }),
  warmUpBars: ({ breakout, length }) => Math.max(breakout, length) + 1,

  onBar({ window, account, orders }, { parameters }) {
    const { breakout, length, stop, profit, risk } = parameters;
    if (account.units() !== 0) return;
    const before = window.high.tail(breakout + 1).subarray(0, breakout);
    if (window.close.last <= Math.max(...before)) return;

    const equity = account.equity.toNumber();
    const byRisk = (equity * risk) / (stop * averageRange(window, length));
    const affordable = (equity * 0.95) / window.close.last;
    orders.buy(Math.max(1, Math.floor(Math.min(byRisk, affordable))), {
      stopLoss: { atr: stop, length },
      takeProfit: { atr: profit, length },
      reason: 'breakout',
    });
  },
});

/** Mean true range of the newest bars: near enough to Wilder's for a size. */
function averageRange(window: Window, length: number): number {
  let sum = 0;
  for (let back = 1; back <= length; back++) {
    const before = window.close.at(-back - 1);
    sum += Math.max(window.high.at(-back), before) - Math.min(window.low.at(-back), before);
  }
  return sum / length;
}
