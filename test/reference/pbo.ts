/** Result without a probability, with the reason. */
interface Undefined {
  readonly reason: string;
}

const undefinedBecause = (reason: string): Undefined => ({ reason });

/**
 * Result of the cross-validation: how often the trial with the best Sharpe ratio on one half of the sessions
 * was below the median on the other half.
 */
export interface Overfitting {
  /** Probability of backtest overfitting, 0 to 1. */
  readonly probability: number;
  readonly trials: number;
  /** Number of session returns of each trial. */
  readonly returns: number;
  /** Number of blocks into which the sessions are divided, called S in the paper. Always even. */
  readonly blocks: number;
  /** Number of ways to choose half of the blocks. */
  readonly splits: number;
}

const MOST_BLOCKS = 16;
const FEWEST_BLOCKS = 4;
/** Minimum number of returns in a block. A Sharpe ratio of fewer returns is not meaningful. */
const SMALLEST_BLOCK = 10;
const FEWEST_TRIALS = 4;

/**
 * Returns the probability of backtest overfitting by combinatorially symmetric cross-validation over Sharpe
 * ratios.
 *
 * Source: D. Bailey, J. Borwein, M. López de Prado and Q. Zhu, "The Probability of Backtest Overfitting"
 * (2015). If the returns cannot be divided evenly, block lengths differ by one. A trial without variation in
 * a half has a Sharpe ratio of 0 there. Trials with equal ratios share their rank.
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
  let splits = 0;
  let overfitted = 0;
  for (const half of halves(blocks)) {
    splits += 1;
    const inside = sums.map((sum) => sharpeOver(sum, half, true));
    let best = 0;
    for (let trial = 1; trial < inside.length; trial++) if (inside[trial]! > inside[best]!) best = trial;
    const outside = sums.map((sum) => sharpeOver(sum, half, false));
    // The logit of the relative rank is at most 0 if the rank is at most the median.
    if (rankOf(outside, best) / (trials.length + 1) <= 0.5) overfitted += 1;
  }
  return { probability: overfitted / splits, trials: trials.length, returns, blocks, splits };
}

interface BlockSums {
  readonly count: Float64Array;
  readonly sum: Float64Array;
  readonly squares: Float64Array;
}

function blockSums(returns: Float64Array, blocks: number): BlockSums {
  const empty = (): Float64Array => new Float64Array(blocks);
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

/** Yields every choice of half of the blocks as a bit mask. */
function* halves(blocks: number): Generator<number> {
  for (let choice = 0; choice < 1 << blocks; choice++) if (bitsOf(choice) === blocks / 2) yield choice;
}

function bitsOf(choice: number): number {
  let bits = 0;
  for (let rest = choice; rest > 0; rest &= rest - 1) bits += 1;
  return bits;
}

function sharpeOver({ count, sum, squares }: BlockSums, half: number, inside: boolean): number {
  let [n, total, square] = [0, 0, 0];
  for (let block = 0; block < count.length; block++) {
    if (((half >> block) & 1) === (inside ? 1 : 0)) {
      n += count[block]!;
      total += sum[block]!;
      square += squares[block]!;
    }
  }
  const centre = total / n;
  const variance = (square - n * centre * centre) / (n - 1);
  // If returns do not vary, their calculated variance is only a rounding error.
  return variance <= (square / n) * 1e-14 ? 0 : centre / Math.sqrt(variance);
}

/** Returns the rank of a value, from 1 for the smallest value. Equal values share the mean of their ranks. */
function rankOf(values: readonly number[], one: number): number {
  let [below, equal] = [0, 0];
  for (const value of values) {
    if (value < values[one]!) below += 1;
    else if (value === values[one]!) equal += 1;
  }
  return below + (equal + 1) / 2;
}
