// Shows: a second time frame from a file of its own. Bars of --context are shown when they have ended and cannot be traded:
// buys a dip of the daily bars while the slower series rises.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'context-weeks',
  summary: 'Buys dips while a slower series of --context rises.',
  parameters: z.object({
    slow: z.coerce.number().int().min(2).default(20).describe('bars of the slower series'),
    days: z.coerce.number().int().min(2).default(5),
  }),

  onBar({ window, context, contextSymbols: [name = '--context'], account, orders }, { parameters }) {
    const slower = context(name);
    if (slower.length < parameters.slow) return;
    const isRising = slower.close.last > slower.close.mean(parameters.slow);
    const isDip = window.close.last < window.close.mean(parameters.days);
    if (account.units() === 0 && isRising && isDip)
      orders.submit({ action: 'buy', equityFraction: 0.98, reason: `a dip while ${name} rises` });
    else if (account.units() !== 0 && !isRising) orders.close({ reason: `${name} falls` });
  },
});
