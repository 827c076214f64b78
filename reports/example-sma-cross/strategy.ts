// Shows: a rule in pure TypeScript. Long when the fast moving average crosses above the slow one, short when it crosses
// below; at each cross the position is closed and reversed at the next open.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'sma-cross',
  summary: 'Reverses at each cross of two simple moving averages.',
  parameters: z.object({
    fast: z.coerce.number().int().min(1).default(10),
    slow: z.coerce.number().int().min(2).default(20),
    fraction: z.coerce.number().positive().default(0.9999),
  }),
  state: () => ({ fast: Number.NaN, slow: Number.NaN }),

  onBar({ window, account, orders }, { parameters, state }) {
    const fast = window.close.mean(parameters.fast);
    const slow = window.close.mean(parameters.slow);
    const crossedUp = state.fast <= state.slow && fast > slow;
    const crossedDown = state.fast >= state.slow && fast < slow;
    state.fast = fast;
    state.slow = slow;
    if (!crossedUp && !crossedDown) return;

    const reason = crossedUp ? 'crossed above' : 'crossed below';
    if (account.units() !== 0) orders.close({ reason });
    orders.submit({ action: crossedUp ? 'buy' : 'sell', equityFraction: parameters.fraction, reason });
  },
});
