// Shows: an indicator kept in the strategy's state, one step a bar; Wilder's RSI in plain TypeScript.
// Idea: within a rising market, short falls are bought back. Buys when a very short RSI is low above the long average,
// and leaves when the RSI has recovered or after some bars.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'rsi-reversion',
  summary: 'Buys a low RSI above the long average, sells the recovery.',
  parameters: z.object({
    length: z.coerce.number().int().min(2).default(3),
    average: z.coerce.number().int().min(2).default(200),
    low: z.coerce.number().min(0).max(50).default(15),
    high: z.coerce.number().min(50).max(100).default(60),
    patience: z.coerce.number().int().min(1).default(10),
    fraction: z.coerce.number().positive().max(1).default(0.95),
  }),
  state: () => ({ gain: 0, loss: 0, enteredAt: 0 }),

  onBar({ bar, window, account, orders }, { parameters, state }) {
    const { length, average, low, high, patience, fraction } = parameters;
    const change = window.close.last - window.close.at(-2);
    if (Number.isNaN(change)) return;
    state.gain += (Math.max(change, 0) - state.gain) / length;
    state.loss += (Math.max(-change, 0) - state.loss) / length;
    const rsi = 100 - 100 / (1 + state.gain / state.loss);

    if (account.units() === 0) {
      // The average is NaN, and nothing above it, until there are enough bars.
      const rising = window.close.last > window.close.mean(average);
      if (!rising || rsi >= low) return;
      orders.submit({ action: 'buy', equityFraction: fraction, reason: 'oversold' });
      state.enteredAt = bar + 1;
    } else if (rsi > high) {
      orders.close({ reason: 'recovered' });
    } else if (bar - state.enteredAt >= patience) {
      orders.close({ reason: 'patience' });
    }
  },
});
