// Shows: several symbols, a calendar, and rebalancing by target orders: those that sell are placed first.
// Idea: what has risen goes on rising for a while. At the first close of each month the symbols are ranked by their
// rise over the months before; the strongest, as long as they rose at all, share the equity, and the rest is sold.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'rotation',
  summary: 'Monthly rotation into the strongest symbols.',
  parameters: z.object({
    lookback: z.coerce.number().int().min(2).default(120),
    hold: z.coerce.number().int().min(1).default(2),
    invested: z.coerce.number().positive().max(1).default(0.95),
  }),
  state: () => ({ month: Number.NaN }),

  onBar({ time, symbols, windowOf, account, orders }, { parameters, state }) {
    const { lookback, hold, invested } = parameters;
    const month = new Date(time).getUTCMonth();
    if (month === state.month) return;
    state.month = month;

    // A symbol with too few bars has NaN, which is above nothing.
    const strengths = symbols.map((symbol) => {
      const { close } = windowOf(symbol);
      return { symbol, rise: close.last / close.at(-lookback - 1) - 1 };
    });
    const chosen = strengths
      .filter(({ rise }) => rise > 0)
      .sort((a, b) => b.rise - a.rise)
      .slice(0, hold)
      .map(({ symbol }) => symbol);

    for (const symbol of symbols) {
      if (account.units(symbol) !== 0 && !chosen.includes(symbol))
        orders.close({ symbol, reason: 'overtaken' });
    }
    const held = chosen.filter((symbol) => account.units(symbol) !== 0);
    const bought = chosen.filter((symbol) => account.units(symbol) === 0);
    for (const symbol of [...held, ...bought]) {
      orders.submit({ action: 'target', symbol, targetFraction: invested / hold, reason: 'rebalanced' });
    }
  },
});
