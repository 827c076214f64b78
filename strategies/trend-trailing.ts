// Shows: a trailing stop on a close order, placed together with the entry.
// Idea: let a trend run and leave when it turns. Enters at the highest close of many bars while the average rises; from
// the entry on a trailing stop follows the highs, and it alone ends the trade.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'trend-trailing',
  summary: 'Enters at new highs of a rising average, leaves by a trailing stop.',
  parameters: z.object({
    breakout: z.coerce.number().int().min(2).default(100),
    average: z.coerce.number().int().min(2).default(50),
    trail: z.coerce.number().positive().max(0.5).default(0.07),
    fraction: z.coerce.number().positive().max(1).default(0.95),
  }),
  warmUpBars: ({ breakout, average }) => Math.max(breakout, average) + 1,
  state: () => ({ average: Number.NaN }),

  onBar({ window, account, orders }, { parameters, state }) {
    const { breakout, average, trail, fraction } = parameters;
    const before = state.average;
    state.average = window.close.mean(average);
    if (account.units() !== 0 || orders.pending().length > 0) return;
    if (window.close.last < Math.max(...window.close.tail(breakout)) || !(state.average > before)) return;

    orders.submit({ action: 'buy', equityFraction: fraction, reason: 'new high' });
    orders.close({ type: 'trailing_stop', trailFraction: trail, reason: 'trailing stop' });
  },
});
