// Shows: two symbols, target orders by share of equity, long and short at once.
// Idea: two prices that belong together come together again. When the logarithm of their ratio is far from its mean, in
// standard deviations, the dear one is sold and the cheap one bought for the same money; both are closed when the
// ratio is back, or when it has run away. The two must trade on the same days.
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
  warmUpBars: ({ length }) => length,

  onBar({ symbols, windowOf, account, orders }, { parameters }) {
    const [first, second] = symbols;
    if (first === undefined || second === undefined) throw new Error('pairs needs two symbols');
    const { length, enter, leave, giveUp, fraction } = parameters;
    const others = windowOf(second).close.tail(length);
    const ratios = windowOf(first)
      .close.tail(length)
      .map((close, index) => Math.log(close / (others[index] ?? Number.NaN)));
    const z = scoreOfLast(ratios);
    if (Number.isNaN(z)) return;

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

/** How many standard deviations the last value lies from the mean of all; NaN when they are one. */
function scoreOfLast(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return ((values.at(-1) ?? Number.NaN) - mean) / Math.sqrt(variance);
}
