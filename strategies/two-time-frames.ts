// Shows: two time frames from one file. window.resample('1w') puts the daily bars together into weeks that are over; the
// week that still runs is not among them. Buys a dip of days while the weeks rise.
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
