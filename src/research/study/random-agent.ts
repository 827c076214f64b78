import { z } from 'zod';
import { defineStrategy } from '../../agent/index.ts';
import type { Episode } from '../../analysis/index.ts';
import type { Random } from '../../kernel/index.ts';

const planSchema = z.array(
  z.strictObject({ symbol: z.string(), from: z.number(), to: z.number(), weight: z.number() }),
);

/** Holds what a plan says, by the fills and at the costs of every run; `from` and `to` are bars of the run. */
export const randomAgent = defineStrategy({
  name: 'study-random-agent',
  summary: 'As many trades as a strategy made, as long and as large, at other times and in other symbols.',
  parameters: z.object({ plan: z.string() }),
  state: ({ plan }) => planSchema.parse(JSON.parse(plan)),
  onBar({ bar, orders }, { state }) {
    // Decided at a close, filled at the next open.
    for (const { symbol, to } of state) if (to === bar + 1) orders.close({ symbol });
    for (const { symbol, from, weight } of state)
      if (from === bar + 1)
        orders.submit({
          action: weight > 0 ? 'buy' : 'sell',
          symbol,
          equityFraction: Math.max(1e-6, Math.floor(Math.abs(weight) * 1e6) / 1e6),
        });
  },
});

/** Arrangements that are tried for one that is never more in the market than the strategy was. */
const TRIES = 50;

/**
 * Times in the market put elsewhere: as many, each as long and as large, in symbols and at times drawn at random, none of
 * one symbol over another. Of some arrangements the first that is never more in the market than the strategy was at its
 * most, else the one that is least above it.
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
    const placed = arranged(episodes, symbols, bars, random);
    if (placed === undefined) continue;
    const most = mostAtOnce(placed, bars);
    if (best === undefined || most < best.most) best = { placed, most };
    if (most <= limit * (1 + 1e-9)) break;
  }
  return best?.placed ?? [...episodes];
}

/** Undefined where an arrangement left no room for one of them. */
function arranged(
  episodes: readonly Episode[],
  symbols: readonly string[],
  bars: number,
  random: Random,
): Episode[] | undefined {
  const lanes = symbols.map((symbol) => ({ symbol, own: [] as Episode[], used: 0 }));
  // The longest first: they fit in the fewest places.
  const sorted = [...episodes].sort((one, other) => lengthOf(other) - lengthOf(one));
  for (const episode of sorted) {
    const length = lengthOf(episode);
    const free = lanes.filter(({ used, own }) => used + length + own.length <= bars);
    if (free.length === 0) return undefined;
    const lane = free[random.integer(0, free.length - 1)]!;
    lane.own.push(episode);
    lane.used += length;
  }
  return lanes.flatMap(({ symbol, own, used }) => {
    const order = shuffled(own, random);
    // A bar apart at least; what is left over is dealt out among the gaps, each way as likely: stars and bars.
    const spare = bars - used - Math.max(0, own.length - 1);
    const cuts = distinct(order.length, spare + order.length, random).map((place, index) => place - index);
    let before = 0;
    return order.map((episode, place) => {
      const from = cuts[place]! + before + place;
      before += lengthOf(episode);
      return { symbol, from, to: from + lengthOf(episode), weight: episode.weight };
    });
  });
}

function lengthOf({ from, to }: Episode): number {
  return Math.max(1, to - from);
}

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

/** Some of the numbers below a limit, rising, each choice as likely (R. W. Floyd, 1987). */
function distinct(count: number, below: number, random: Random): number[] {
  const chosen = new Set<number>();
  for (let last = below - count; last < below; last++) {
    const drawn = random.integer(0, last);
    chosen.add(chosen.has(drawn) ? last : drawn);
  }
  return [...chosen].sort((one, other) => one - other);
}

/** Fisher and Yates. */
function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const order = [...items];
  for (let index = order.length - 1; index > 0; index--) {
    const other = random.integer(0, index);
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return order;
}
