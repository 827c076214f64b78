import { type Undefined, undefinedBecause } from '../figures.ts';
import { type BlockSums, FEWEST_BLOCKS, FEWEST_TRIALS, overfitted } from './blocks.ts';

/** How often the best of a search, chosen on one half of the time, was below the middle on the other half. */
export interface Overfitting {
  /** Probability of backtest overfitting, 0 to 1. */
  readonly probability: number;
  readonly trials: number;
  /** Session returns that all trials share. */
  readonly returns: number;
  /** S: even blocks that the time was cut into. */
  readonly blocks: number;
  /** Ways to choose half of the blocks. */
  readonly splits: number;
}

const MOST_BLOCKS = 16;
/** A Sharpe ratio of fewer returns says nothing. */
const SMALLEST_BLOCK = 10;

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation over Sharpe ratios.
 *
 * D. Bailey, J. Borwein, M. López de Prado and Q. Zhu, "The Probability of Backtest Overfitting" (2015). Blocks differ by
 * one return where the number of returns is no multiple of them. A trial whose half does not vary has a ratio of 0 there;
 * trials that do equally well share their rank.
 *
 * @param trials simple returns of the same sessions, one array a trial
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
