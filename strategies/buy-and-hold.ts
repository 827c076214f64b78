// Shows: the smallest strategy. Buys with all its equity after the first bar and never sells: the yardstick for the rest.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'buy-and-hold',
  summary: 'Buys once and holds; several symbols get equal parts.',
  parameters: z.object({ fraction: z.coerce.number().positive().max(1).default(1) }),
  state: () => ({ bought: new Set<string>() }),

  onBar({ symbols, windowOf, orders }, { parameters, state }) {
    for (const symbol of symbols) {
      if (state.bought.has(symbol) || windowOf(symbol).length === 0) continue;
      const equityFraction = parameters.fraction / symbols.length;
      orders.submit({ action: 'buy', symbol, equityFraction, reason: 'first bar' });
      state.bought.add(symbol);
    }
  },
});
