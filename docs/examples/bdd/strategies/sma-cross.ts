// Long after the fast moving average crosses above the slow one, short after it crosses below.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'sma-cross',
  summary: 'Reverses at each cross of two simple moving averages.',
  parameters: z.object({
    fast: z.coerce.number().int().min(1).default(10),
    slow: z.coerce.number().int().min(2).default(30),
  }),
  state: () => ({ wasAbove: undefined as boolean | undefined }),

  onBar({ window, account, orders }, { parameters, state }) {
    const isAbove = window.close.mean(parameters.fast) > window.close.mean(parameters.slow);
    const { wasAbove } = state;
    if (window.length < parameters.slow) return;
    state.wasAbove = isAbove;
    if (wasAbove === undefined || wasAbove === isAbove) return;
    if (account.units() !== 0) orders.close({ reason: 'cross' });
    orders.submit({ action: isAbove ? 'buy' : 'sell', equityFraction: 0.95 });
  },
});
