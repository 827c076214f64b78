import { lowerMean, quantileOf, TAIL } from './ratios.ts';

/** Both tails of a distribution, as from the sorted values. */
export interface Tails {
  /** 5 % quantile. */
  readonly low: number;
  /** Mean of the values at or below the 5 % quantile. */
  readonly lowerMean: number;
  /** 95 % quantile. */
  readonly high: number;
}

/**
 * Computes both tails without sorting all values. The results equal those from sorted values to the last bit.
 *
 * @param values at least one
 */
export function tailsOf(values: Float64Array): Tails {
  const scratch = values.slice();
  const last = scratch.length - 1;
  const place = placeAbove(TAIL, last);
  const bound = orderStatistic(scratch, place);
  // NaN has no order here. Sorting puts NaN at the end.
  if (values.some(Number.isNaN)) {
    const sorted = values.slice().sort();
    return {
      low: quantileOf(sorted, TAIL),
      lowerMean: lowerMean(sorted),
      high: quantileOf(sorted, 1 - TAIL),
    };
  }
  // All values that can be at or below the quantile, in order. Equal values may be anywhere in the scratch.
  let size = place;
  for (let at = size; at < scratch.length; at++) {
    // Values before `place` are at most the bound.
    if (scratch[at] !== bound) continue;
    scratch[at] = scratch[size]!;
    scratch[size++] = bound;
  }
  const lower = scratch.subarray(0, size).slice().sort();
  const below = TAIL * last - Math.floor(TAIL * last);
  const [first, second] = [lower[Math.floor(TAIL * last)]!, lower[place]!];
  const low = first + (second - first) * below;
  let [count, sum] = [0, 0];
  for (; count < lower.length && lower[count]! <= low; count++) sum += lower[count]!;
  const share = (1 - TAIL) * last;
  const under = orderStatistic(scratch, Math.floor(share));
  const over = orderStatistic(scratch, placeAbove(1 - TAIL, last));
  return { low, lowerMean: sum / count, high: under + (over - under) * (share - Math.floor(share)) };
}

function placeAbove(share: number, last: number): number {
  return Math.min(Math.floor(share * last) + 1, last);
}

/**
 * Returns the value at `place` of the sorted values. Reorders the values.
 *
 * C. A. R. Hoare, "Algorithm 65: Find" (1961).
 */
function orderStatistic(values: Float64Array, place: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = values[place]!;
    let [up, down] = [from, to];
    while (up <= down) {
      while (values[up]! < pivot) up += 1;
      while (pivot < values[down]!) down -= 1;
      if (up > down) break;
      const swapped = values[up]!;
      values[up] = values[down]!;
      values[down] = swapped;
      up += 1;
      down -= 1;
    }
    if (down < place) from = up;
    if (place < up) to = down;
  }
  return values[place]!;
}
