// Shows: declared indicators, resting limits with validBars, a bracket with prices, and asking what is still pending.
// Idea: wait for the price instead of chasing it. While flat in a rising market, a buy limit rests at the lower
// Bollinger band for a few bars; what it buys is sold at the middle band of that day, or given up some per cent lower.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'bollinger-limit',
  summary: 'Rests a buy limit at the lower Bollinger band and sells at the middle.',
  parameters: z.object({
    length: z.coerce.number().int().min(2).default(20),
    width: z.coerce.number().positive().default(2),
    average: z.coerce.number().int().min(2).default(200),
    validBars: z.coerce.number().int().min(1).default(3),
    stop: z.coerce.number().positive().max(0.5).default(0.04),
    fraction: z.coerce.number().positive().max(1).default(0.9),
  }),
  warmUpBars: ({ length, average }) => Math.max(length, average),

  indicators: ({ p, bollinger, sma }) => ({ bands: bollinger(p.length, p.width), average: sma(p.average) }),

  onBar({ window, account, orders }, { parameters, indicators: { bands, average } }) {
    const { validBars, stop, fraction } = parameters;
    if (account.units() !== 0 || orders.pending().length > 0) return;
    if (window.close.last <= average.last) return;

    const [lower, middle] = [bands.lower.last, bands.middle.last];
    if (!(lower > 0 && lower < middle)) return;

    orders.submit({
      action: 'buy',
      equityFraction: fraction,
      type: 'limit',
      limitPrice: lower.toFixed(2),
      validBars,
      takeProfit: middle.toFixed(2),
      stopLoss: { fraction: stop },
      reason: 'lower band',
    });
  },
});
