// Shows: several symbols in one `compute` call with `frame`, target orders by share of equity, long and short together.
// Idea: the prices of two related symbols return to their usual ratio. When the logarithm of the ratio is far from its mean,
// in standard deviations, the strategy sells the expensive symbol and buys the cheap one for the same amount. It closes both
// when the ratio returns, or when the distance grows too large.
import { defineStrategy, z } from 'sandtable';

export default defineStrategy({
  name: 'pairs',
  summary: "Long and short on the z-score of two symbols' ratio.",
  parameters: z.object({
    length: z.coerce.number().int().min(10).default(60),
    enter: z.coerce.number().positive().default(2),
    leave: z.coerce.number().min(0).default(0.5),
    giveUp: z.coerce.number().positive().default(4),
    fraction: z.coerce.number().positive().max(0.5).default(0.45),
  }),
  tools: ['compute'],
  warmUpBars: ({ length }) => length,

  async onBar({ symbols, account, orders }, { parameters, compute }) {
    const [first, second] = symbols;
    if (first === undefined || second === undefined) throw new Error('pairs needs two symbols');
    const { length, enter, leave, giveUp, fraction } = parameters;
    // Aligned by date. `null` if one of the two has no bar today: the ratio is NaN then.
    const answer = await compute(`
closes = frame('close').tail(${length})[${JSON.stringify([first, second])}]
ratio = np.log(closes.iloc[:, 0] / closes.iloc[:, 1])
result = (ratio.iloc[-1] - ratio.mean()) / ratio.std(ddof=0)
`);
    if (answer.error !== undefined) throw new Error(answer.error);
    const z = answer.result;
    if (typeof z !== 'number') return;

    const target = (share: number, reason: string): void => {
      orders.submit({ action: 'target', symbol: first, targetFraction: share, reason });
      orders.submit({ action: 'target', symbol: second, targetFraction: -share, reason });
    };
    const held = Math.sign(account.units(first));
    if (held === 0 && Math.abs(z) >= enter && Math.abs(z) < giveUp) target(-Math.sign(z) * fraction, 'apart');
    else if (held !== 0 && (Math.abs(z) <= leave || Math.sign(z) === held)) target(0, 'together again');
    else if (held !== 0 && Math.abs(z) >= giveUp) target(0, 'gave up');
  },
});
