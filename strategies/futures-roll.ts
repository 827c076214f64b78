// Shows: futures that are rolled. What is held goes on from contract to contract by itself (--rolls), and the mean is of
// bars on the basis of the contract in front: docs/futures.md.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'futures-roll',
  summary: 'Long above its mean, short below, with a stop; rolled from contract to contract.',
  parameters: z.object({
    bars: z.coerce.number().int().min(2).default(20).describe('of the mean'),
    contracts: z.coerce.number().positive().default(1),
    stop: z.coerce.number().positive().default(3).describe('average true ranges to the stop'),
  }),

  warmUpBars: ({ bars }) => bars,

  onBar({ bar, window, account, orders, eventsSince, record }, { parameters }) {
    for (const { from, to, gap } of eventsSince.of('rolled'))
      record({ type: 'note', bar, text: `${to} after ${from}: history moved by ${gap}` });
    const side = window.close.last > window.close.mean(parameters.bars) ? 1 : -1;
    if (Math.sign(account.units()) === side) return;
    orders.submit({
      action: side > 0 ? 'buy' : 'sell',
      quantity: parameters.contracts + Math.abs(account.units()),
      stopLoss: { atr: parameters.stop },
      reason: side > 0 ? 'above its mean' : 'below its mean',
    });
  },
});
