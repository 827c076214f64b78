import { z } from 'zod';
import type { Episode } from '../../analysis/index.ts';
import type { BarContext } from '../../engine/index.ts';
import type { Random } from '../../kernel/index.ts';

export const planSchema = z.array(
  z.strictObject({ symbol: z.string(), from: z.number(), to: z.number(), weight: z.number() }),
);

/** A bar of an agent that holds what a plan says, by the fills and at the costs of every run; `from` and `to` are bars of the run. */
export function plannedBar({ bar, orders }: BarContext, plan: z.infer<typeof planSchema>): void {
  // Decided at a close, filled at the next open.
  const next = bar + 1;
  const changing = new Set(
    plan.filter(({ from, to }) => from === next || to === next).map(({ symbol }) => symbol),
  );
  const targets = [...changing].map((symbol) => ({
    symbol,
    weight: plan
      .filter((one) => one.symbol === symbol && one.from <= next && next < one.to)
      .reduce((sum, one) => sum + one.weight, 0),
  }));
  // What is sold pays for what is bought.
  for (const { symbol, weight } of targets.sort((one, other) => one.weight - other.weight))
    orders.submit({ action: 'target', symbol, targetFraction: Math.trunc(weight * 1e6) / 1e6 });
}

/** Arrangements that are tried for one that is never more in the market than the strategy was. */
const TRIES = 50;

/**
 * Times in the market put elsewhere: as many, each as long and as large, in symbols and at times drawn at random. Of some
 * arrangements the first that is never more in the market than the strategy was at its most, else the one that is least
 * above it.
 *
 * The comparison of a rule with random entries of its own frequency and holding times: D. Aronson, "Evidence-Based Technical
 * Analysis" (2006), chapter 5.
 *
 * @param episodes of the strategy
 * @param symbols to draw from
 * @param bars that count
 */
export function placedAtRandom(
  episodes: readonly Episode[],
  symbols: readonly string[],
  bars: number,
  random: Random,
): Episode[] {
  const limit = mostAtOnce(episodes, bars);
  let best: { readonly placed: Episode[]; readonly most: number } | undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const placed = episodes.map(({ from, to, weight }) => {
      const length = Math.min(bars, Math.max(1, to - from));
      const start = random.integer(0, bars - length);
      const symbol = symbols[random.integer(0, symbols.length - 1)]!;
      return { symbol, from: start, to: start + length, weight };
    });
    const most = mostAtOnce(placed, bars);
    if (best === undefined || most < best.most) best = { placed, most };
    if (most <= limit * (1 + 1e-9)) break;
  }
  return best!.placed;
}

/** The largest gross share of the equity. */
function mostAtOnce(episodes: readonly Episode[], bars: number): number {
  const changes = new Float64Array(bars + 1);
  for (const { from, to, weight } of episodes) {
    changes[Math.min(from, bars)]! += Math.abs(weight);
    changes[Math.min(Math.max(to, from + 1), bars)]! -= Math.abs(weight);
  }
  let [now, most] = [0, 0];
  for (const change of changes) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}
