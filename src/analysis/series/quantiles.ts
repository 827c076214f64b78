/**
 * A quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan, 1996: what numpy and R take).
 *
 * @param sorted rising; at least one value
 * @param share from 0 to 1
 */
export function quantileOf(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (place - below);
}

/** The middle value; the mean of the two middle ones of an even number. */
export function medianOf(values: ArrayLike<number>): number {
  return quantileOf(Float64Array.from(values).sort(), 0.5);
}
