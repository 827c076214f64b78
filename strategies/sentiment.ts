// Shows: a feature beside the bars. A weekly survey is known six days after the Friday it is about: window.feature() gives
// at each bar the newest that was known. Holds while the crowd is more bearish than it usually was.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'sentiment',
  summary: 'Holds while a survey is below its own average.',
  parameters: z.object({
    bars: z.coerce.number().int().min(2).default(120),
    margin: z.coerce.number().min(0).default(0.02),
  }),
  warmUpBars: ({ bars }) => bars,

  onBar({ window, account, orders }, { parameters }) {
    const bullish = window.feature('bullish');
    const usual = bullish.mean(parameters.bars);
    if (Number.isNaN(usual)) return;
    const isHeld = account.units() !== 0;
    const reason = `bullish ${bullish.last}, usually ${usual.toFixed(2)}`;
    if (!isHeld && bullish.last < usual - parameters.margin)
      orders.submit({ action: 'buy', equityFraction: 0.98, reason });
    else if (isHeld && bullish.last > usual + parameters.margin) orders.close({ reason });
  },
});
