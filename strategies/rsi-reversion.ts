// Shows: declared indicators, and the number of bars since the entry.
// Idea: in a rising market, short falls usually recover. Buys when a short RSI is low and the price is above
// its long average. Sells when the RSI has recovered, or after a maximum number of bars.
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
      // Until there are enough bars, the average is NaN and the comparison is false.
      if (window.close.last > average.last && rsi.last < low)
        orders.submit({ action: 'buy', equityFraction: fraction, reason: 'oversold' });
    } else if (rsi.last > high) {
      orders.close({ reason: 'recovered' });
    } else if (barsSinceEntry(turn) >= patience) {
      orders.close({ reason: 'patience' });
    }
  },
});
