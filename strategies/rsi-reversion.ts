// Shows: declared indicators, and the bars since the entry.
// Idea: within a rising market, short falls are bought back. Buys when a very short RSI is low above the long average,
// and leaves when the RSI has recovered or after some bars.
import { barsSinceEntry, defineStrategy, z } from 'sandtable';

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
  indicators: ({ p, rsi, sma }) => ({ rsi: rsi(p.length), average: sma(p.average) }),

  onBar(turn, { parameters, indicators: { rsi, average } }) {
    const { window, account, orders } = turn;
    const { low, high, patience, fraction } = parameters;
    if (account.units() === 0) {
      // The average is NaN, and no price is above it, until there are enough bars.
      if (window.close.last > average.last && rsi.last < low)
        orders.submit({ action: 'buy', equityFraction: fraction, reason: 'oversold' });
    } else if (rsi.last > high) {
      orders.close({ reason: 'recovered' });
    } else if (barsSinceEntry(turn) >= patience) {
      orders.close({ reason: 'patience' });
    }
  },
});
