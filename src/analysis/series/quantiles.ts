/**
 * Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan, 1996, the default of
 * numpy and R).
 *
 * @param sorted rising, at least one value
 * @param share from 0 to 1
 */
export function quantileOf(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (place - below);
}

/** Median. For an even number of values, the mean of the two middle ones. */
export function medianOf(values: ArrayLike<number>): number {
  return quantileOf(Float64Array.from(values).sort(), 0.5);
}
