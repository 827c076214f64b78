/** What is wrong with the trials, where there is no probability. */
interface Undefined {
  readonly reason: string;
}

const undefinedBecause = (reason: string): Undefined => ({ reason });

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
const FEWEST_BLOCKS = 4;
/** A Sharpe ratio of fewer returns says nothing. */
const SMALLEST_BLOCK = 10;
const FEWEST_TRIALS = 4;

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
  let splits = 0;
  let overfitted = 0;
  for (const half of halves(blocks)) {
    splits += 1;
    const inside = sums.map((sum) => sharpeOver(sum, half, true));
    let best = 0;
    for (let trial = 1; trial < inside.length; trial++) if (inside[trial]! > inside[best]!) best = trial;
    const outside = sums.map((sum) => sharpeOver(sum, half, false));
    // The logit of the relative rank is at most 0 where the rank is at most the middle.
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

/** Every choice of half of the blocks, as bits. */
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
  // What is left of returns that do not vary is rounding.
  return variance <= (square / n) * 1e-14 ? 0 : centre / Math.sqrt(variance);
}

/** From 1 for the worst; those that are equal share the mean of their ranks. */
function rankOf(values: readonly number[], one: number): number {
  let [below, equal] = [0, 0];
  for (const value of values) {
    if (value < values[one]!) below += 1;
    else if (value === values[one]!) equal += 1;
  }
  return below + (equal + 1) / 2;
}
