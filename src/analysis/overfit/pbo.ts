import { type Undefined, undefinedBecause } from '../figures.ts';
import { type BlockSums, FEWEST_BLOCKS, FEWEST_TRIALS, overfitted } from './blocks.ts';

/** Frequency with which the best trial on one half of the time was below the median on the other half. */
export interface Overfitting {
  /** Probability of backtest overfitting, 0 to 1. */
  readonly probability: number;
  readonly trials: number;
  /** Number of session returns that all trials share. */
  readonly returns: number;
  /** Number of equal blocks (S) of the time. Even. */
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
 * Block lengths differ by one return if the number of returns is not divisible. A trial without variation in
 * a half has a ratio of 0 there. Trials with equal ratios share their rank.
 *
 * @param trials simple returns of the same sessions, one array per trial
 */
export function overfittingOf(trials: readonly Float64Array[]): Overfitting | Undefined {
  if (trials.length < FEWEST_TRIALS)
    return undefinedBecause(`fewer than ${FEWEST_TRIALS} trials (${trials.length})`);
  const returns = trials[0]!.length;
  const blocks = Math.min(MOST_BLOCKS, 2 * Math.floor(returns / (2 * SMALLEST_BLOCK)));
  if (blocks < FEWEST_BLOCKS)
    return undefinedBecause(`fewer than ${FEWEST_BLOCKS * SMALLEST_BLOCK} session returns (${returns})`);
  const sums = trials.map((trial) => blockSums(trial, blocks));
  const all = Array.from({ length: blocks }, (_, block) => block);
  return { ...overfitted(sums, all), trials: trials.length, returns, blocks };
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
