// Shows: the in-memory files. Once a month evaluate_python fills a line about the account into diary/<year>.md; the
// files end up in the run folder. A folder given with --vfs, such as one with plan.md, is there to read.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'trade-diary',
  summary: 'Buys and holds, and keeps a diary of the account in the run’s files.',
  parameters: z.object({ every: z.coerce.number().int().min(1).default(21) }),
  tools: ['evaluate_python'],

  async onBar({ bar, time, account, orders }, { parameters, call }) {
    if (bar === 0) orders.submit({ action: 'buy', equityFraction: 0.95, reason: 'first bar' });
    if (bar % parameters.every !== 0) return;
    const date = new Date(time).toISOString().slice(0, 10);
    const answer = await call('evaluate_python', {
      code: 'invested = 1 - cash / equity',
      globals: {
        date: JSON.stringify(date),
        cash: account.cash.toString(),
        equity: account.equity.toString(),
      },
      writes: [
        {
          path: `diary/${date.slice(0, 4)}.md`,
          content: '{date}: equity {equity:,.2f}, {invested:.0%} invested\n',
          mode: 'append',
        },
      ],
    });
    const { error } = z.looseObject({ error: z.string().optional() }).parse(answer);
    if (error !== undefined) throw new Error(error);
  },
});
