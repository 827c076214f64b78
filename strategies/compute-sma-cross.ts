// Shows: an agent's main tool. Moving averages as in sma-cross.ts, but each bar the question goes to Python through
// `compute`, on the bars seen so far, and the answer comes back as JSON. Long only.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'compute-sma-cross',
  summary: 'Long while the fast moving average is above the slow one; asked of Python on every bar.',
  parameters: z.object({
    fast: z.coerce.number().int().min(1).default(20),
    slow: z.coerce.number().int().min(2).default(100),
    fraction: z.coerce.number().positive().max(1).default(0.99),
  }),
  tools: ['compute'],

  async onBar({ account, orders }, { parameters, compute }) {
    const { fast, slow, fraction } = parameters;
    const answer = await compute(`
fast, slow = df.close.tail(${fast}).mean(), df.close.tail(${slow}).mean()
result = 'wait' if len(df) < ${slow} else 'above' if fast > slow else 'below'
`);
    if (answer.error !== undefined) throw new Error(answer.error);
    if (answer.result === 'above' && account.units() === 0) {
      orders.submit({ action: 'buy', equityFraction: fraction, reason: 'cross up' });
    }
    if (answer.result === 'below' && account.units() !== 0) orders.close({ reason: 'cross down' });
  },
});
