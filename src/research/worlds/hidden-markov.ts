/**
 * Hidden Markov model whose states are normal distributions. A row of the data contains the values that were
 * observed at one time.
 */
export interface HiddenMarkov {
  readonly states: readonly Gaussian[];
  /** Probability of each state at the first row. */
  readonly start: Float64Array;
  /**
   * Matrix of transition probabilities, row by row. The row is the current state, the column the next state.
   */
  readonly transitions: Float64Array;
  readonly logLikelihood: number;
  /** Probability of each state at each row, given all rows of the data. Stored row by row. */
  readonly posterior: Float64Array;
  readonly iterations: number;
}

const MOST_ITERATIONS = 200;
/** The fit has converged if the log likelihood per row increases by less than this number. */
const SETTLED = 1e-7;
/**
 * Number of rows before and after a row from which its local volatility is estimated for the initial states.
 */
const NEIGHBOURS = 10;
/**
 * Minimum variance of a state as a share of the total variance, so that a state cannot collapse to a single
 * row.
 */
const SMALLEST_SHARE = 1e-3;

/**
 * Fits a Gaussian hidden Markov model by expectation maximisation. The initial states are not random: rows
 * are grouped by the volatility of neighbouring rows, and the calmest group is the first state. The fit is
 * therefore deterministic.
 *
 * Source: Baum, Petrie, Soules & Weiss, Annals of Mathematical Statistics 41 (1970); scaled as in Rabiner, "A
 * Tutorial on Hidden Markov Models", Proceedings of the IEEE 77 (1989).
 *
 * @param rows values, row by row. No column may be constant
 * @param size number of values per row
 */
export function fitHiddenMarkov(rows: Float64Array, size: number, stateCount: number): HiddenMarkov {
  const count = rows.length / size;
  const floor = varianceFloor(rows, size);
  let posterior = firstGuess(rows, size, stateCount);
  let transitions = stickyTransitions(stateCount);
  let start = new Float64Array(stateCount).fill(1 / stateCount);
  let logLikelihood = Number.NEGATIVE_INFINITY;
  for (let iteration = 1; ; iteration++) {
    const states = fitStates(rows, size, posterior, stateCount, floor);
    const pass = forwardBackward(rows, size, { states, start, transitions });
    const gain = pass.logLikelihood - logLikelihood;
    logLikelihood = pass.logLikelihood;
    posterior = pass.posterior;
    if (gain < SETTLED * count || iteration === MOST_ITERATIONS)
      return { states, start, transitions, logLikelihood, posterior, iterations: iteration };
    transitions = pass.transitions;
    start = posterior.slice(0, stateCount);
  }
}

/** Returns the number of free parameters of a model, used by Schwarz's criterion. */
export function parameterCount(size: number, stateCount: number): number {
  const each = size + (size * (size + 1)) / 2;
  return stateCount * each + stateCount * (stateCount - 1) + stateCount - 1;
}

interface Model {
  readonly states: readonly Gaussian[];
  readonly start: Float64Array;
  readonly transitions: Float64Array;
}

interface Pass {
  readonly posterior: Float64Array;
  /** New transition probabilities, estimated from the expected transitions between states, given the rows. */
  readonly transitions: Float64Array;
  readonly logLikelihood: number;
}

/**
 * Runs the forward-backward algorithm: computes the probabilities of states and transitions, given the rows.
 */
export function forwardBackward(rows: Float64Array, size: number, model: Model): Pass {
  const { states, start, transitions } = model;
  const kinds = states.length;
  const count = rows.length / size;
  const density = new Float64Array(count * kinds);
  const forward = new Float64Array(count * kinds);
  const scales = new Float64Array(count);
  const scratch = new Float64Array(size);
  let logLikelihood = 0;
  for (let row = 0; row < count; row++) {
    let highest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < kinds; k++) {
      const value = logDensity(states[k]!, rows, row, scratch);
      density[row * kinds + k] = value;
      highest = Math.max(highest, value);
    }
    let scale = 0;
    for (let k = 0; k < kinds; k++) {
      // Densities are divided by the density of the most likely state, so that the densities of a row do not
      // all underflow to 0.
      const own = Math.exp(density[row * kinds + k]! - highest);
      density[row * kinds + k] = own;
      let before = row === 0 ? start[k]! : 0;
      if (row > 0)
        for (let j = 0; j < kinds; j++)
          before += forward[(row - 1) * kinds + j]! * transitions[j * kinds + k]!;
      forward[row * kinds + k] = before * own;
      scale += before * own;
    }
    scales[row] = scale;
    for (let k = 0; k < kinds; k++) forward[row * kinds + k]! /= scale;
    logLikelihood += Math.log(scale) + highest;
  }

  const posterior = forward.slice();
  const moves = new Float64Array(kinds * kinds);
  let backward = new Float64Array(kinds).fill(1);
  for (let row = count - 2; row >= 0; row--) {
    const earlier = new Float64Array(kinds);
    for (let j = 0; j < kinds; j++) {
      for (let k = 0; k < kinds; k++) {
        const onward =
          (transitions[j * kinds + k]! * density[(row + 1) * kinds + k]! * backward[k]!) / scales[row + 1]!;
        earlier[j]! += onward;
        moves[j * kinds + k]! += forward[row * kinds + j]! * onward;
      }
    }
    backward = earlier;
    for (let k = 0; k < kinds; k++) posterior[row * kinds + k]! *= backward[k]!;
  }
  return { posterior, transitions: rowsToOne(moves, kinds), logLikelihood };
}

function rowsToOne(moves: Float64Array, kinds: number): Float64Array {
  const shares = moves.slice();
  for (let j = 0; j < kinds; j++) {
    let total = 0;
    for (let k = 0; k < kinds; k++) total += moves[j * kinds + k]!;
    for (let k = 0; k < kinds; k++)
      shares[j * kinds + k] = total > 0 ? moves[j * kinds + k]! / total : 1 / kinds;
  }
  return shares;
}

function fitStates(
  rows: Float64Array,
  size: number,
  posterior: Float64Array,
  kinds: number,
  floor: Float64Array,
): Gaussian[] {
  const count = rows.length / size;
  return Array.from({ length: kinds }, (_, k) => {
    const weights = new Float64Array(count);
    for (let row = 0; row < count; row++) weights[row] = posterior[row * kinds + k]!;
    return fitGaussian(rows, size, weights, floor);
  });
}

function varianceFloor(rows: Float64Array, size: number): Float64Array {
  const whole = fitGaussian(rows, size, new Float64Array(rows.length / size).fill(1));
  return Float64Array.from({ length: size }, (_, i) => {
    let variance = 0;
    for (let k = 0; k <= i; k++) variance += whole.factor[i * size + k]! ** 2;
    return variance * SMALLEST_SHARE;
  });
}

/**
 * Returns the initial probabilities of the states for each row. Rows are sorted by the mean absolute value of
 * their neighbouring rows, and the same number of rows is assigned to each state, calmest first. The assigned
 * state has the probability 0.9 + 0.1 / `kinds`, every other state 0.1 / `kinds`.
 *
 * The array contains `kinds` values for each row.
 */
export function firstGuess(rows: Float64Array, size: number, kinds: number): Float64Array {
  const count = rows.length / size;
  const scale = new Float64Array(size);
  for (let at = 0; at < rows.length; at++) scale[at % size]! += Math.abs(rows[at]!) / count;
  const running = new Float64Array(count + 1);
  for (let row = 0; row < count; row++) {
    let total = 0;
    for (let i = 0; i < size; i++) total += Math.abs(rows[row * size + i]!) / scale[i]!;
    running[row + 1] = running[row]! + total;
  }
  const wildness = Float64Array.from({ length: count }, (_, row) => {
    const from = Math.max(0, row - NEIGHBOURS);
    const to = Math.min(count, row + NEIGHBOURS + 1);
    return (running[to]! - running[from]!) / (to - from);
  });
  const order = Array.from({ length: count }, (_, row) => row).sort((a, b) => wildness[a]! - wildness[b]!);
  const guess = new Float64Array(count * kinds).fill(0.1 / kinds);
  for (const [place, row] of order.entries()) {
    guess[row * kinds + Math.min(kinds - 1, Math.floor((place * kinds) / count))]! += 0.9;
  }
  return guess;
}

function stickyTransitions(kinds: number): Float64Array {
  const stays = kinds === 1 ? 1 : 0.95;
  return Float64Array.from({ length: kinds * kinds }, (_, at) =>
    Math.floor(at / kinds) === at % kinds ? stays : (1 - stays) / (kinds - 1),
  );
}

/** Multivariate normal distribution, prepared for densities and draws. */
interface Gaussian {
  readonly mean: Float64Array;
  /** Lower triangle of the Cholesky factor, row by row: dimension × dimension. */
  readonly factor: Float64Array;
  readonly logDeterminant: number;
}

const LOG_TWO_PI = Math.log(2 * Math.PI);

/**
 * Prepares a multivariate normal distribution.
 *
 * @param covariance symmetric matrix, dimension × dimension. Its diagonal must be above 0
 */
export function gaussian(mean: Float64Array, covariance: Float64Array): Gaussian {
  const size = mean.length;
  const factor = new Float64Array(size * size);
  let logDeterminant = 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = covariance[row * size + column]!;
      for (let k = 0; k < column; k++) sum -= factor[row * size + k]! * factor[column * size + k]!;
      // If a column is a linear combination of others, rounding could result in a variance of 0 or less. The
      // small minimum prevents this.
      if (row === column)
        factor[row * size + row] = Math.sqrt(Math.max(sum, covariance[row * size + row]! * 1e-10));
      else factor[row * size + column] = sum / factor[column * size + column]!;
    }
    logDeterminant += 2 * Math.log(factor[row * size + row]!);
  }
  return { mean, factor, logDeterminant };
}

/**
 * Returns the logarithm of the density at a row of a table.
 *
 * @param rows values, row by row
 * @param scratch array for intermediate values, as long as the mean
 */
export function logDensity(
  { mean, factor, logDeterminant }: Gaussian,
  rows: Float64Array,
  row: number,
  scratch: Float64Array,
): number {
  const size = mean.length;
  let squares = 0;
  for (let i = 0; i < size; i++) {
    let value = rows[row * size + i]! - mean[i]!;
    for (let k = 0; k < i; k++) value -= factor[i * size + k]! * scratch[k]!;
    value /= factor[i * size + i]!;
    scratch[i] = value;
    squares += value * value;
  }
  return -0.5 * (size * LOG_TWO_PI + logDeterminant + squares);
}

/**
 * Draws one row from the distribution and writes it to `into`.
 *
 * @param normals standard normal values, one per dimension
 */
export function drawFrom({ mean, factor }: Gaussian, normals: Float64Array, into: Float64Array): void {
  const size = mean.length;
  for (let i = 0; i < size; i++) {
    let value = mean[i]!;
    for (let k = 0; k <= i; k++) value += factor[i * size + k]! * normals[k]!;
    into[i] = value;
  }
}

/**
 * Returns the normal distribution with the mean and covariance of weighted rows. With few rows, covariances
 * are reduced towards 0, so that the matrix stays positive definite. Variances are not reduced.
 *
 * @param weights weight of each row
 * @param floor minimum variance of each value
 */
function fitGaussian(
  rows: Float64Array,
  size: number,
  weights: Float64Array,
  floor?: Float64Array,
): Gaussian {
  const mean = new Float64Array(size);
  const covariance = new Float64Array(size * size);
  let total = 0;
  for (let row = 0; row < weights.length; row++) {
    total += weights[row]!;
    for (let i = 0; i < size; i++) mean[i]! += weights[row]! * rows[row * size + i]!;
  }
  for (let i = 0; i < size; i++) mean[i]! /= total;
  for (let row = 0; row < weights.length; row++) {
    const weight = weights[row]!;
    for (let i = 0; i < size; i++) {
      const own = weight * (rows[row * size + i]! - mean[i]!);
      for (let j = 0; j <= i; j++) covariance[i * size + j]! += own * (rows[row * size + j]! - mean[j]!);
    }
  }
  const kept = total / (total + size - 1);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      const value = (covariance[i * size + j]! / total) * (i === j ? 1 : kept);
      covariance[i * size + j] = i === j ? Math.max(value, floor?.[i] ?? 0) : value;
      covariance[j * size + i] = covariance[i * size + j]!;
    }
  }
  return gaussian(mean, covariance);
}
