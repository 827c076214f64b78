import type { RunRecord } from '../../journal/index.ts';
import type { Instant } from '../../kernel/index.ts';
import { equityColumns } from '../equity.ts';
import { evaluated } from '../evaluation.ts';
import { type Undefined, undefinedBecause } from '../figures.ts';
import { sessionReturns } from '../returns.ts';
import { sessionsOf } from '../sessions.ts';

/** Session returns summed up by blocks of time: all that a Sharpe ratio over any of the blocks needs. */
export interface BlockSums {
  readonly count: readonly number[];
  readonly sum: readonly number[];
  readonly squares: readonly number[];
}

/**
 * Sums of a run's session returns by blocks.
 *
 * @param edges instants, increasing; a return belongs to the block after the last edge at or before its session's last bar
 * @returns one block more than there are edges
 */
export function blockSumsOf(whole: RunRecord, edges: readonly Instant[]): BlockSums | Undefined {
  const columns = equityColumns(evaluated(whole));
  const sessions = sessionsOf(columns);
  const returns = sessionReturns(sessions);
  if ('reason' in returns) return returns;
  const ends = sessions.start === undefined ? sessions.lastBars.slice(1) : sessions.lastBars;
  const empty = (): number[] => Array.from({ length: edges.length + 1 }, () => 0);
  const sums = { count: empty(), sum: empty(), squares: empty() };
  let block = 0;
  for (let index = 0; index < returns.length; index++) {
    while (block < edges.length && columns.times[ends[index]!]! >= edges[block]!) block += 1;
    sums.count[block]! += 1;
    sums.sum[block]! += returns[index]!;
    sums.squares[block]! += returns[index]! ** 2;
  }
  return sums;
}

/** Sharpe ratio per session over some blocks; 0 where returns do not vary. */
export function sharpeOfBlocks({ count, sum, squares }: BlockSums, blocks: readonly number[]): number {
  let [n, total, square] = [0, 0, 0];
  for (const block of blocks) {
    n += count[block]!;
    total += sum[block]!;
    square += squares[block]!;
  }
  return ratioOf(n, total, square);
}

function ratioOf(n: number, total: number, square: number): number {
  const centre = total / n;
  const variance = (square - n * centre * centre) / (n - 1);
  // What is left of returns that do not vary is rounding.
  return n < 2 || variance <= (square / n) * 1e-14 ? 0 : centre / Math.sqrt(variance);
}

/** Probability of backtest overfitting, and how far it moves when a part of the time is left out. */
export interface BlockOverfitting {
  readonly probability: number;
  /** Lowest and highest where two neighbouring blocks are left out; null where there are too few blocks for that. */
  readonly interval: readonly [number, number] | null;
  readonly trials: number;
  readonly blocks: number;
  readonly splits: number;
}

const FEWEST_BLOCKS = 4;
const FEWEST_TRIALS = 4;
/** Of blocks, for an interval: fewer would leave almost nothing. */
const FEWEST_FOR_INTERVAL = 8;

/**
 * Probability of backtest overfitting as `overfittingOf` has it, over sums by block of an even number of blocks.
 *
 * D. Bailey, J. Borwein, M. López de Prado and Q. Zhu, "The Probability of Backtest Overfitting" (2015).
 */
export function overfittingOfBlocks(trials: readonly BlockSums[]): BlockOverfitting | Undefined {
  if (trials.length < FEWEST_TRIALS)
    return undefinedBecause(`fewer than ${FEWEST_TRIALS} trials (${trials.length})`);
  const blocks = trials[0]!.count.length;
  if (blocks < FEWEST_BLOCKS || blocks % 2 !== 0)
    return undefinedBecause(`${blocks} blocks of time are too few`);
  const all = Array.from({ length: blocks }, (_, block) => block);
  const whole = overfitted(trials, all);
  const parts: number[] = [];
  if (blocks >= FEWEST_FOR_INTERVAL)
    for (let left = 0; left < blocks; left += 2)
      parts.push(
        overfitted(
          trials,
          all.filter((block) => block !== left && block !== left + 1),
        ).probability,
      );
  return {
    ...whole,
    interval: parts.length === 0 ? null : [Math.min(...parts), Math.max(...parts)],
    trials: trials.length,
    blocks,
  };
}

function overfitted(
  trials: readonly BlockSums[],
  blocks: readonly number[],
): { readonly probability: number; readonly splits: number } {
  const half = blocks.length / 2;
  const choices: number[] = [];
  for (let choice = 0; choice < 1 << blocks.length; choice++)
    if (bitsOf(choice) === half) choices.push(choice);
  const ratios = trials.map((trial) => ratiosOf(trial, blocks, choices));
  let count = 0;
  for (let place = 0; place < choices.length; place++) {
    // The other half of a choice is the choice as far from the end.
    const other = choices.length - 1 - place;
    let best = 0;
    for (let trial = 1; trial < ratios.length; trial++)
      if (ratios[trial]![place]! > ratios[best]![place]!) best = trial;
    const chosen = ratios[best]![other]!;
    let [below, equal] = [0, 0];
    for (const own of ratios) {
      if (own[other]! < chosen) below += 1;
      else if (own[other]! === chosen) equal += 1;
    }
    // The logit of the relative rank is at most 0 where the rank is at most the middle.
    if ((below + (equal + 1) / 2) / (trials.length + 1) <= 0.5) count += 1;
  }
  return { probability: count / choices.length, splits: choices.length };
}

function ratiosOf(
  { count, sum, squares }: BlockSums,
  blocks: readonly number[],
  choices: readonly number[],
): Float64Array {
  // Sums of every choice of the lower blocks and of the upper ones; any choice is one of each.
  const low = Math.floor(blocks.length / 2);
  const table = (from: number, to: number): readonly [Float64Array, Float64Array, Float64Array] => {
    const size = 1 << (to - from);
    const sums = [new Float64Array(size), new Float64Array(size), new Float64Array(size)] as const;
    for (let choice = 1; choice < size; choice++) {
      const bit = 31 - Math.clz32(choice);
      const rest = choice & ~(1 << bit);
      const block = blocks[from + bit]!;
      sums[0][choice] = sums[0][rest]! + count[block]!;
      sums[1][choice] = sums[1][rest]! + sum[block]!;
      sums[2][choice] = sums[2][rest]! + squares[block]!;
    }
    return sums;
  };
  const [lower, upper] = [table(0, low), table(low, blocks.length)];
  const mask = (1 << low) - 1;
  const ratios = new Float64Array(choices.length);
  for (let place = 0; place < choices.length; place++) {
    const [first, second] = [choices[place]! & mask, choices[place]! >> low];
    ratios[place] = ratioOf(
      lower[0][first]! + upper[0][second]!,
      lower[1][first]! + upper[1][second]!,
      lower[2][first]! + upper[2][second]!,
    );
  }
  return ratios;
}

function bitsOf(choice: number): number {
  let bits = 0;
  for (let rest = choice; rest > 0; rest &= rest - 1) bits += 1;
  return bits;
}
