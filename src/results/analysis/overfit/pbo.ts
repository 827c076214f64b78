import type { RunRecord } from '../../../journal/index.ts';
import type { Instant } from '../../../kernel/index.ts';
import { equityColumns } from '../figures/equity.ts';
import { type Undefined, undefinedBecause } from '../figures/figures.ts';
import { sessionReturns } from '../figures/returns.ts';
import { sessionsOf } from '../figures/sessions.ts';
import { evaluated } from '../summary/evaluation.ts';

/**
 * Sums of session returns by blocks of time, from which the Sharpe ratio over any choice of blocks can be
 * computed.
 */
export interface BlockSums {
  readonly count: readonly number[];
  readonly sum: readonly number[];
  readonly squares: readonly number[];
}

/**
 * Sums a run's session returns by block.
 *
 * @param edges increasing instants that separate the blocks. A return belongs to the block that contains the
 *   last bar of its session
 * @returns sums by block. There is one block more than edges
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
    const own = returns[index]!;
    sums.count[block]! += 1;
    sums.sum[block]! += own;
    sums.squares[block]! += own ** 2;
  }
  return sums;
}

/** Sharpe ratio per session over the chosen blocks. 0 if the returns do not vary. */
export function sharpeOfBlocks({ count, sum, squares }: BlockSums, blocks: readonly number[]): number {
  let [n, total, square] = [0, 0, 0];
  for (const block of blocks) {
    n += count[block]!;
    total += sum[block]!;
    square += squares[block]!;
  }
  return ratioOf(n, total, square);
}

const ROUNDING = 1e-14;

function ratioOf(n: number, total: number, square: number): number {
  const centre = total / n;
  const variance = (square - n * centre * centre) / (n - 1);
  if (n < 2) return 0;
  // Rounding can make the variance of constant returns slightly larger than 0. The first comparison is
  // implied by the second and only avoids the slow division in most cases.
  if (variance <= square * ROUNDING && variance <= (square / n) * ROUNDING) return 0;
  return centre / Math.sqrt(variance);
}

/** Probability of backtest overfitting, and its range if a part of the time is omitted. */
export interface BlockOverfitting {
  readonly probability: number;
  /**
   * Lowest and highest probability if one pair of blocks is omitted: the first and second block, the third
   * and fourth, and so on. `null` if there are fewer than `FEWEST_FOR_INTERVAL` blocks.
   */
  readonly interval: readonly [number, number] | null;
  readonly trials: number;
  readonly blocks: number;
  readonly splits: number;
}

const FEWEST_BLOCKS = 4;
const FEWEST_TRIALS = 4;
/**
 * Minimum number of blocks for an interval. With fewer blocks, too little data would remain if two blocks
 * were omitted.
 */
const FEWEST_FOR_INTERVAL = 8;

/**
 * Computes the probability of backtest overfitting as `overfittingOf` does, but from sums by block instead of
 * single returns. The number of blocks must be even.
 *
 * D. Bailey, J. Borwein, M. López de Prado and Q. Zhu, "The Probability of Backtest Overfitting" (2015).
 */
export function overfittingOfBlocks(trials: readonly BlockSums[]): BlockOverfitting | Undefined {
  if (trials.length < FEWEST_TRIALS)
    return undefinedBecause(`fewer than ${FEWEST_TRIALS} trials (${trials.length})`);
  const blocks = trials[0]!.count.length;
  if (blocks < FEWEST_BLOCKS || blocks % 2 !== 0)
    return undefinedBecause(`${blocks} blocks of time are too few`);
  const all = columnsOf(trials, blocks);
  const whole = overfitted(all);
  const parts: number[] = [];
  if (blocks >= FEWEST_FOR_INTERVAL)
    for (let left = 0; left < blocks; left += 2)
      parts.push(overfitted(all.filter((_, block) => block !== left && block !== left + 1)).probability);
  return {
    ...whole,
    interval: parts.length === 0 ? null : [Math.min(...parts), Math.max(...parts)],
    trials: trials.length,
    blocks,
  };
}

/**
 * Divides the blocks into two halves in all possible ways. Returns the fraction of ways for which the best
 * trial on one half is not above the median on the other half. Trials are compared by their Sharpe ratios.
 */
function overfitted(blocks: readonly BlockColumns[]): {
  readonly probability: number;
  readonly splits: number;
} {
  const half = blocks.length / 2;
  const choices: number[] = [];
  for (let choice = 0; choice < 1 << blocks.length; choice++)
    if (bitsOf(choice) === half) choices.push(choice);
  const size = blocks[0]!.sum.length;
  const ratiosAt = ratiosBy(blocks);
  const [one, other] = [new Float64Array(size), new Float64Array(size)];
  let count = 0;
  // The complement of choice n is choice n from the end of the list. Each pass of the loop therefore
  // evaluates a split in both directions.
  for (let place = 0; place < choices.length / 2; place++) {
    const bestOfOne = ratiosAt(choices[place]!, one);
    const bestOfOther = ratiosAt(choices[choices.length - 1 - place]!, other);
    if (fallsBehind(bestOfOne, other)) count += 1;
    if (fallsBehind(bestOfOther, one)) count += 1;
  }
  return { probability: count / choices.length, splits: choices.length };
}

/**
 * Sums of one block, one element per trial. The values of all trials are adjacent in memory, because every
 * choice of blocks reads all trials.
 */
interface BlockColumns {
  readonly count: Float64Array;
  readonly sum: Float64Array;
  readonly squares: Float64Array;
}

function columnsOf(trials: readonly BlockSums[], blocks: number): BlockColumns[] {
  return Array.from({ length: blocks }, (_, block) => ({
    count: Float64Array.from(trials, ({ count }) => count[block]!),
    sum: Float64Array.from(trials, ({ sum }) => sum[block]!),
    squares: Float64Array.from(trials, ({ squares }) => squares[block]!),
  }));
}

/**
 * Returns true if a trial's Sharpe ratio is not above the median of all trials.
 *
 * @param ratios Sharpe ratios of all trials over the half of the blocks on which the trial was not chosen
 */
function fallsBehind(trial: number, ratios: Float64Array): boolean {
  const chosen = ratios[trial]!;
  let [below, equal] = [0, 0];
  for (let other = 0; other < ratios.length; other++) {
    const ratio = ratios[other]!;
    // The comparisons are added as numbers, because this is faster than branches that the CPU cannot predict.
    below += Number(ratio < chosen);
    equal += Number(ratio === chosen);
  }
  // In the paper, a trial falls behind if the logit of its relative rank is at most 0. The logit is at most 0
  // if the relative rank is at most 0.5.
  return (below + (equal + 1) / 2) / (ratios.length + 1) <= 0.5;
}

/**
 * Returns a function that computes the Sharpe ratio of every trial over a choice of blocks, and returns the
 * first trial with the highest ratio. A choice is a bit mask with one bit per block.
 */
function ratiosBy(blocks: readonly BlockColumns[]): (choice: number, ratios: Float64Array) => number {
  const size = blocks[0]!.sum.length;
  // The sums are precomputed for every choice of the lower half of the blocks and of the upper half. Any
  // choice is a combination of one row of each table. A row contains one element per trial.
  const low = Math.floor(blocks.length / 2);
  const table = (from: number, to: number): readonly [Float64Array, Float64Array, Float64Array] => {
    const rows = 1 << (to - from);
    const count = new Float64Array(rows * size);
    const sum = new Float64Array(rows * size);
    const squares = new Float64Array(rows * size);
    for (let choice = 1; choice < rows; choice++) {
      const bit = 31 - Math.clz32(choice);
      const rest = (choice & ~(1 << bit)) * size;
      const place = choice * size;
      const block = blocks[from + bit]!;
      for (let trial = 0; trial < size; trial++) {
        count[place + trial] = count[rest + trial]! + block.count[trial]!;
        sum[place + trial] = sum[rest + trial]! + block.sum[trial]!;
        squares[place + trial] = squares[rest + trial]! + block.squares[trial]!;
      }
    }
    return [count, sum, squares];
  };
  const [lowerCount, lowerSum, lowerSquares] = table(0, low);
  const [upperCount, upperSum, upperSquares] = table(low, blocks.length);
  const mask = (1 << low) - 1;
  return (choice, ratios) => {
    const [first, second] = [(choice & mask) * size, (choice >> low) * size];
    let best = 0;
    for (let trial = 0; trial < size; trial++) {
      const ratio = ratioOf(
        lowerCount[first + trial]! + upperCount[second + trial]!,
        lowerSum[first + trial]! + upperSum[second + trial]!,
        lowerSquares[first + trial]! + upperSquares[second + trial]!,
      );
      ratios[trial] = ratio;
      if (ratio > ratios[best]!) best = trial;
    }
    return best;
  };
}

function bitsOf(choice: number): number {
  let bits = 0;
  for (let rest = choice; rest > 0; rest &= rest - 1) bits += 1;
  return bits;
}

/**
 * Result of an estimate of the probability of backtest overfitting: how often the best trial on one half of
 * the time is not above the median on the other half.
 */
export interface Overfitting {
  /** Probability of backtest overfitting, 0 to 1. */
  readonly probability: number;
  readonly trials: number;
  /** Number of session returns of each trial. */
  readonly returns: number;
  /** Number of blocks of equal length (S). Even. */
  readonly blocks: number;
  /** Number of ways to choose half of the blocks. */
  readonly splits: number;
}

const MOST_BLOCKS = 16;
/** Minimum number of returns per block for a meaningful Sharpe ratio. */
const SMALLEST_BLOCK = 10;

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation over Sharpe ratios.
 *
 * D. Bailey, J. Borwein, M. López de Prado and Q. Zhu, "The Probability of Backtest Overfitting" (2015).
 * Block lengths differ by one return if the number of returns is not divisible. A trial whose returns do not
 * vary in a half has a ratio of 0 in this half. Trials with equal ratios share their rank.
 *
 * @param trials simple session returns, one array per trial. All arrays cover the same sessions
 */
export function overfittingOf(trials: readonly Float64Array[]): Overfitting | Undefined {
  if (trials.length < FEWEST_TRIALS)
    return undefinedBecause(`fewer than ${FEWEST_TRIALS} trials (${trials.length})`);
  const returns = trials[0]!.length;
  const blocks = Math.min(MOST_BLOCKS, 2 * Math.floor(returns / (2 * SMALLEST_BLOCK)));
  if (blocks < FEWEST_BLOCKS)
    return undefinedBecause(`fewer than ${FEWEST_BLOCKS * SMALLEST_BLOCK} session returns (${returns})`);
  const sums = trials.map((trial) => blockSums(trial, blocks));
  return { ...overfitted(columnsOf(sums, blocks)), trials: trials.length, returns, blocks };
}

function blockSums(returns: Float64Array, blocks: number): BlockSums {
  const empty = (): number[] => Array.from({ length: blocks }, () => 0);
  const sums = { count: empty(), sum: empty(), squares: empty() };
  for (let block = 0; block < blocks; block++) {
    const [from, to] = [block, block + 1].map((edge) => Math.round((edge * returns.length) / blocks)) as [
      number,
      number,
    ];
    sums.count[block] = to - from;
    for (let index = from; index < to; index++) {
      sums.sum[block]! += returns[index]!;
      sums.squares[block]! += returns[index]! ** 2;
    }
  }
  return sums;
}
