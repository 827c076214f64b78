/** Insignificant autocorrelations that must follow one another. */
const RUN = 5;

/**
 * The mean block length of the stationary bootstrap that estimates the variance of a mean best.
 *
 * Source: Politis & White, "Automatic Block-Length Selection for the Dependent Bootstrap", Econometric Reviews 23 (2004),
 * with the correction of Patton, Politis & White, Econometric Reviews 28 (2009). The numbers are those of
 * `optimal_block_length` of Python's `arch` 8.0.0.
 *
 * @returns bars, not rounded; below 1 where nothing depends on anything, 0 for values that do not vary
 */
export function blockLengthOf(values: Float64Array): number {
  const count = values.length;
  if (count < 2 * RUN) return 1;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const centred = values.map((value) => value - mean);
  const longest = Math.ceil(Math.min(3 * Math.sqrt(count), count / 3));
  const lastLag = Math.min(Math.ceil(Math.sqrt(count)) + RUN, count - 2);
  const critical = 2 * Math.sqrt(Math.log10(count) / count);
  const { covariances, correlations } = autocorrelations(centred, lastLag);
  if (!(covariances[0]! > 0)) return 0;

  const cut = firstQuietLag(correlations, critical);
  const bandwidth = Math.min(cut === undefined ? lastLag : 2 * Math.max(cut, 1), lastLag);
  // A flat-top window: all of the first half of the lags, fading over the second.
  let slope = 0;
  let spectrum = covariances[0]!;
  for (let lag = 1; lag <= bandwidth; lag++) {
    const weight = 2 * lag <= bandwidth ? 1 : 2 * (1 - lag / bandwidth);
    slope += 2 * weight * lag * covariances[lag]!;
    spectrum += 2 * weight * covariances[lag]!;
  }
  const best = Math.cbrt((2 * slope ** 2) / (2 * spectrum ** 2)) * Math.cbrt(count);
  return Math.min(best, longest);
}

function autocorrelations(
  centred: Float64Array,
  lastLag: number,
): { readonly covariances: Float64Array; readonly correlations: Float64Array } {
  const count = centred.length;
  const covariances = new Float64Array(lastLag + 1);
  const correlations = new Float64Array(lastLag + 1);
  for (let lag = 0; lag <= lastLag; lag++) {
    let [product, later, earlier] = [0, 0, 0];
    for (let at = lag; at < count; at++) product += centred[at]! * centred[at - lag]!;
    for (let at = lag + 1; at < count; at++) later += centred[at]! ** 2;
    for (let at = 0; at < count - lag - 1; at++) earlier += centred[at]! ** 2;
    covariances[lag] = product / count;
    correlations[lag] = Math.abs(product) / Math.sqrt(later * earlier);
  }
  return { covariances, correlations };
}

/** The first of five lags in a row whose correlations are insignificant. */
function firstQuietLag(correlations: Float64Array, critical: number): number | undefined {
  for (let lag = 0; lag + RUN < correlations.length; lag++) {
    if (correlations.subarray(lag, lag + RUN).every((value) => value < critical)) return lag;
  }
  return undefined;
}
