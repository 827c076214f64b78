// Shows: two time frames from one file. `window.resample('1w')` combines the daily bars into complete weeks.
// The current week is excluded. Buys a dip of the daily bars while the weekly bars rise.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'two-time-frames',
  summary: 'Buys dips of daily bars while weekly ones rise.',
  parameters: z.object({
    weeks: z.coerce.number().int().min(2).default(20),
    days: z.coerce.number().int().min(2).default(5),
  }),
  warmUpBars: ({ weeks }) => 5 * weeks + 5,

  onBar({ window, account, orders }, { parameters }) {
    const weekly = window.resample('1w');
    const isRising = weekly.close.last > weekly.close.mean(parameters.weeks);
    const isDip = window.close.last < window.close.mean(parameters.days);
    if (account.units() === 0 && isRising && isDip)
      orders.submit({ action: 'buy', equityFraction: 0.98, reason: 'a dip in rising weeks' });
    else if (account.units() !== 0 && !isRising) orders.close({ reason: 'the weeks fall' });
  },
});
