import { z } from 'zod';
import type { BarContext } from '../../engine/index.ts';
import { type Random, shuffled } from '../../kernel/index.ts';
import type { Episode } from '../../results/analysis/index.ts';

/**
 * Consecutive or overlapping episodes without flat time (bars without a position) between them. An episode is
 * a period with a position in one symbol.
 */
interface Invested {
  /**
   * Sections of the invested period. An episode never extends over two blocks, so the order of blocks can
   * change.
   */
  readonly blocks: readonly Block[];
  readonly length: number;
}

interface Block {
  readonly episodes: readonly Episode[];
  readonly length: number;
}

/**
 * Maximum number of attempts to draw symbols for a block. Symbols are drawn again if the block would continue
 * a position of the previous block.
 */
const DEALS = 20;

/**
 * Moves the episodes of a strategy (periods with a position in one symbol) to random times and random
 * symbols. Lengths, sizes, overlaps and gross exposure stay the same. The bars without a position
 * (flat time) are divided at random, and every division is equally likely. The sections (blocks) of each
 * invested period are rotated. A single block of one symbol without flat time is rotated by bars.
 *
 * A strategy that ends with an open position has one exit fewer, so its random agent also ends with an open
 * position. The exception is a single block of one symbol with flat time around it. The time of this block is
 * the only random choice, so the block can end earlier, and its exit adds to turnover.
 *
 * Source: D. Aronson, "Evidence-Based Technical Analysis" (2006), chapter 5, compares a rule with random
 * entries of the same frequency and holding times.
 *
 * @param episodes episodes of the strategy. `from` and `to` are numbers of bars since the first evaluated bar
 * @param symbols symbols from which the new symbols are drawn
 * @param bars number of evaluated bars
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
  const isSingle = runs.length === 1 && only!.blocks.length === 1 && symbols.length === 1;
  if (isSingle && flat === 0)
    return rotatedByBars(only!.blocks[0]!, random).map((one) => ({ ...one, symbol: symbols[0]! }));
  const endsInMarket = !isSingle && episodes.some(({ to }) => to >= bars);
  // At least one flat bar separates two invested periods. Adjacent periods could join two trades into one.
  const gaps = divided(Math.max(0, flat - (runs.length - 1)), runs.length + (endsInMarket ? 0 : 1), random);
  let at = 0;
  return shuffled(runs, random).flatMap(({ blocks }, place) => {
    at += gaps[place]! + (place === 0 ? 0 : 1);
    let before: Episode[] = [];
    return rotated(blocks, symbols.length, random).flatMap((block) => {
      const start = at;
      at += block.length;
      before = dealt(block, symbols, before, random).map((one) => ({
        ...one,
        from: start + one.from,
        to: start + one.to,
      }));
      return before;
    });
  });
}

/**
 * True if a block starts with the same symbol and side with which the previous block ends. In this case, the
 * closing and the opening trade would cancel each other.
 */
const continues = (before: readonly Episode[], end: number, block: readonly Episode[]): boolean =>
  block.some(
    ({ symbol, from, weight }) =>
      from === 0 && before.some((one) => one.to === end && one.symbol === symbol && one.weight * weight > 0),
  );

function dealt(
  { episodes }: Block,
  symbols: readonly string[],
  before: readonly Episode[],
  random: Random,
): Episode[] {
  const own = [...new Set(episodes.map(({ symbol }) => symbol))];
  const end = Math.max(...before.map(({ to }) => to));
  for (let deal = 1; ; deal++) {
    const mixed = shuffled(symbols, random);
    const found = episodes.map((one) => ({
      ...one,
      symbol: mixed[own.indexOf(one.symbol) % mixed.length]!,
    }));
    if (deal >= DEALS || !continues(before, end, found)) return found;
  }
}

/**
 * Rotates the order of blocks. With one symbol, the last and the first block can be on the same side. A
 * rotation would make these blocks adjacent, join their positions and remove a trade. In this case the blocks
 * are rotated by bars, which cuts an episode in two and restores the number of trades.
 */
function rotated(blocks: readonly Block[], symbols: number, random: Random): Block[] {
  const sideOf = (block: Block): number => Math.sign(block.episodes[0]!.weight);
  if (symbols === 1 && blocks.length > 1 && sideOf(blocks[0]!) === sideOf(blocks.at(-1)!)) {
    const whole = joined(blocks);
    return [{ ...whole, episodes: rotatedByBars(whole, random) }];
  }
  const first = random.integer(0, blocks.length - 1);
  return [...blocks.slice(first), ...blocks.slice(0, first)];
}

function joined(blocks: readonly Block[]): Block {
  let length = 0;
  const episodes = blocks.flatMap((block) => {
    const start = length;
    length += block.length;
    return block.episodes.map((one) => ({ ...one, from: one.from + start, to: one.to + start }));
  });
  return { episodes, length };
}

function investedOf(episodes: readonly Episode[], bars: number): Invested[] {
  const sorted = episodes
    .map((one) => {
      const length = Math.min(bars, Math.max(0, one.to - one.from));
      // A position that is closed within its first bar still occupies that bar.
      const from = Math.min(one.from, bars - Math.max(1, length));
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
    end = Math.max(end, episode.to, episode.from + 1);
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

/**
 * Rotates a block by a random number of bars. An episode that would pass the last bar is cut in two, and its
 * second part starts at the first bar. Rotations by 1 or more bars without such a cut would have fewer trades
 * and are not drawn.
 */
function rotatedByBars({ episodes, length }: Block, random: Random): Episode[] {
  const cuts = (by: number): boolean =>
    episodes.some(({ from, to }) => from + by < length && length < to + by);
  const all = Array.from({ length }, (_, by) => by);
  const places = episodes.length === 1 ? [0] : all.filter((by) => by === 0 || cuts(by));
  const by = places[random.integer(0, places.length - 1)]!;
  return episodes.flatMap((one) => {
    const [from, to] = [one.from + by, one.to + by];
    if (to <= length) return [{ ...one, from, to }];
    if (from >= length) return [{ ...one, from: from - length, to: to - length }];
    return [
      { ...one, from, to: length },
      { ...one, from: 0, to: to - length },
    ];
  });
}

/** Divides a whole number randomly into parts of 0 or more. Every division is equally likely. */
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

/** Baselines that every arm of a study is compared with, in the order of the study's tables. */
export const BASELINES = ['buy-and-hold', 'equal-weight', 'sma', 'momentum'] as const;
export type Baseline = (typeof BASELINES)[number];

/** Parameters of the baselines. Lengths are in bars. */
export interface BaselineTerms {
  readonly sma: number;
  readonly momentum: number;
  readonly top?: number | undefined;
  readonly rebalance: number;
}

export const baselineTermsSchema = z.object({
  sma: z.coerce.number().int().default(20),
  momentum: z.coerce.number().int().default(20),
  top: z.coerce.number().int().optional(),
  rebalance: z.coerce.number().int().default(21),
});

/**
 * State of a baseline between bars. `first` is the index of its first bar. `held` contains the symbols of its
 * positions, joined by spaces.
 */
export interface BaselineState {
  first: number;
  held: string;
}

/** Places the orders of a baseline for one bar. */
export function baselineBar(
  turn: BarContext,
  kind: Baseline,
  terms: z.infer<typeof baselineTermsSchema>,
  state: BaselineState,
): void {
  if (state.first < 0) state.first = turn.bar;
  const since = turn.bar - state.first;
  const isDue = since % terms.rebalance === 0;
  const symbols = turn.symbols.filter((symbol) => turn.windowOf(symbol).length > 0);
  switch (kind) {
    case 'buy-and-hold':
      if (since === 0) hold(turn, symbols, symbols.length);
      return;
    case 'equal-weight':
      if (isDue) hold(turn, symbols, symbols.length);
      return;
    case 'sma': {
      const above = symbols.filter((symbol) => isAbove(turn, symbol, terms.sma));
      // Orders are placed only if the set of symbols above their average changes. Between such changes, the
      // weights of the positions vary with the prices.
      if (since > 0 && above.join(' ') === state.held) return;
      state.held = above.join(' ');
      hold(turn, above, symbols.length);
      return;
    }
    case 'momentum':
      if (isDue) {
        const count = terms.top ?? Math.max(1, Math.round(symbols.length / 4));
        hold(turn, strongest(turn, symbols, terms.momentum, count), Math.min(count, symbols.length));
      }
  }
}

/** Returns the parameters of a baseline. */
export function baselineParameters(
  kind: Baseline,
  { sma, momentum, top, rebalance }: BaselineTerms,
): Readonly<Record<string, string | number>> {
  return { kind, sma, momentum, ...(top === undefined ? {} : { top }), rebalance };
}

/** Returns the description of a baseline. */
export function baselineText(kind: Baseline, { sma, momentum, top, rebalance }: BaselineTerms): string {
  const often = `every ${rebalance} bars`;
  return {
    'buy-and-hold': 'all symbols in equal parts, bought once and held',
    'equal-weight': `all symbols in equal parts, brought back to them ${often}`,
    sma: `each symbol in its equal part while its close is above the mean of its last ${sma}`,
    momentum: `the ${top ?? 'quarter of symbols'} with the highest return over ${momentum} bars, in equal parts, selected again ${often}`,
  }[kind];
}

/** Rebalances to equal weights of 1 / `parts` per symbol. Positions in all other symbols are sold. */
function hold({ orders }: BarContext, symbols: readonly string[], parts: number): void {
  // The weight is rounded down, because weights with a sum above 1 are rejected.
  const weight = Math.floor(1e6 / Math.max(1, parts)) / 1e6;
  orders.rebalance({ weights: Object.fromEntries(symbols.map((symbol) => [symbol, weight])) });
}

function isAbove(turn: BarContext, symbol: string, bars: number): boolean {
  const { close } = turn.windowOf(symbol);
  return close.last > close.mean(bars);
}

function strongest(turn: BarContext, symbols: readonly string[], bars: number, count: number): string[] {
  return symbols
    .flatMap((symbol) => {
      const { close } = turn.windowOf(symbol);
      const growth = close.last / close.at(-1 - bars);
      return Number.isFinite(growth) ? [{ symbol, growth }] : [];
    })
    .sort((one, other) => other.growth - one.growth || (one.symbol < other.symbol ? -1 : 1))
    .slice(0, count)
    .map(({ symbol }) => symbol);
}
