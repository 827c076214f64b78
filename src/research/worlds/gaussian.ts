/** Multivariate normal distribution, prepared for densities and draws. */
export interface Gaussian {
  readonly mean: Float64Array;
  /** Lower triangle of the Cholesky factor, row by row: dimension × dimension. */
  readonly factor: Float64Array;
  readonly logDeterminant: number;
}

const LOG_TWO_PI = Math.log(2 * Math.PI);

/** @param covariance symmetric, dimension × dimension; its diagonal must be above 0 */
export function gaussian(mean: Float64Array, covariance: Float64Array): Gaussian {
  const size = mean.length;
  const factor = new Float64Array(size * size);
  let logDeterminant = 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = covariance[row * size + column]!;
      for (let k = 0; k < column; k++) sum -= factor[row * size + k]! * factor[column * size + k]!;
      // Avoids a variance of 0 or less through rounding if other columns explain the value completely.
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
 * @param scratch array of the length of the mean
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
 * Draws a value from the distribution.
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
 * Returns mean and covariance of weighted rows. Covariances shrink towards 0 if there are few rows, so that
 * many symbols on few bars still have a distribution. Variances do not shrink.
 *
 * @param weights one per row
 * @param floor minimum variance of each value
 */
export function fitGaussian(
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
