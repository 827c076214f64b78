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

/** Episodes without flat time between them, counted from the first bar of the run. */
interface Invested {
  /** Parts between which no episode is open: their order can change. */
  readonly blocks: readonly Block[];
  readonly length: number;
}

interface Block {
  readonly episodes: readonly Episode[];
  readonly length: number;
}

/**
 * Moves the times in the market: same lengths, sizes and overlaps, at random times and in random symbols. Flat time between
 * them is dealt again, every division equally likely. Without flat time the order of blocks is rotated, and a single block of
 * one symbol is rotated by bars. Overlaps are never new: gross exposure stays that of
 * the strategy. A position that was open at the end has an exit where it is moved, which adds to turnover.
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
  const runs = investedOf(episodes, bars);
  const flat = Math.max(0, bars - runs.reduce((sum, { length }) => sum + length, 0));
  const [only] = runs;
  if (flat === 0 && runs.length === 1 && only!.blocks.length === 1 && symbols.length === 1)
    return rotatedByBars(only!.blocks[0]!, bars, random);
  // One bar of flat time stays between two runs: joined, they would trade less.
  const gaps = divided(Math.max(0, flat - (runs.length - 1)), runs.length + 1, random);
  let at = 0;
  return shuffled(runs, random).flatMap(({ blocks }, place) => {
    at += gaps[place]! + (place === 0 ? 0 : 1);
    const first = random.integer(0, blocks.length - 1);
    return [...blocks.slice(first), ...blocks.slice(0, first)].flatMap((block) => {
      const start = at;
      at += block.length;
      const dealt = shuffled(symbols, random);
      const own = [...new Set(block.episodes.map(({ symbol }) => symbol))];
      return block.episodes.map(({ symbol, from, to, weight }) => ({
        symbol: dealt[own.indexOf(symbol) % dealt.length]!,
        from: start + from,
        to: start + to,
        weight,
      }));
    });
  });
}

function investedOf(episodes: readonly Episode[], bars: number): Invested[] {
  const sorted = episodes
    .map((one) => {
      const length = Math.min(bars, Math.max(1, one.to - one.from));
      const from = Math.min(one.from, bars - length);
      return { ...one, from, to: from + length };
    })
    .sort((one, other) => one.from - other.from);
  const runs: { blocks: Block[]; length: number }[] = [];
  let [block, end]: [Episode[], number] = [[], Number.NEGATIVE_INFINITY];
  for (const episode of sorted) {
    if (episode.from >= end) {
      block = [];
      const blocks = episode.from === end ? runs.at(-1)!.blocks : [];
      if (episode.from > end) runs.push({ blocks, length: 0 });
      blocks.push({ episodes: block, length: 0 });
    }
    const run = runs.at(-1)!;
    const start = block[0]?.from ?? episode.from;
    block.push(episode);
    end = Math.max(end, episode.to);
    run.blocks[run.blocks.length - 1] = { episodes: block, length: end - start };
  }
  return runs.map(({ blocks }) => ({
    blocks: blocks.map(({ episodes: own, length }) => {
      const start = own[0]!.from;
      return { episodes: own.map((one) => ({ ...one, from: one.from - start, to: one.to - start })), length };
    }),
    length: blocks.reduce((sum, { length }) => sum + length, 0),
  }));
}

/** An episode that would pass the last bar is cut in two. */
function rotatedByBars({ episodes }: Block, bars: number, random: Random): Episode[] {
  const by = episodes.length === 1 ? 0 : random.integer(0, bars - 1);
  return episodes.flatMap((one) => {
    const [from, to] = [one.from + by, one.to + by];
    if (to <= bars) return [{ ...one, from, to }];
    if (from >= bars) return [{ ...one, from: from - bars, to: to - bars }];
    return [
      { ...one, from, to: bars },
      { ...one, from: 0, to: to - bars },
    ];
  });
}

/** A whole number as a sum of some parts of 0 or more, every such sum equally likely. */
function divided(whole: number, parts: number, random: Random): number[] {
  const places = shuffled(
    Array.from({ length: whole + parts - 1 }, (_, place) => place),
    random,
  )
    .slice(0, parts - 1)
    .sort((one, other) => one - other);
  return [...places, whole + parts - 1].map(
    (place, part) => place - (part === 0 ? 0 : places[part - 1]! + 1),
  );
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = random.integer(0, last);
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}
