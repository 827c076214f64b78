import { type BarSeries, mapColumns, PRICE_COLUMNS } from './bar-series.ts';

export interface MergedBars {
  readonly series: BarSeries;
  /** Instants at which both series have a bar with different values. */
  readonly differing: readonly number[];
  /** Number of these instants. */
  readonly changed: number;
}

/**
 * Merges the bars of two series of one symbol by time. If both have a bar, the bar of `later` is used.
 *
 * @param later has the additional columns of the earlier one
 */
export function mergeBars(earlier: BarSeries, later: BarSeries): MergedBars {
  const [a, b] = [earlier.time, later.time];
  /** Source of each bar as an index. Indices of the later series start at the earlier one's length. */
  const picks = new Float64Array(a.length + b.length);
  const differing: number[] = [];
  let [left, right, count] = [0, 0, 0];
  while (left < a.length || right < b.length) {
    const isBoth = left < a.length && right < b.length && a[left] === b[right];
    if (isBoth && !isSameBar(earlier, left, later, right)) differing.push(a[left]!);
    if (isBoth) left++;
    const takesLeft = !isBoth && (right >= b.length || (left < a.length && a[left]! < b[right]!));
    picks[count++] = takesLeft ? left++ : a.length + right++;
  }
  const series = mapColumns(earlier, (column, take) => {
    const other = take(later);
    const merged = new Float64Array(count);
    for (let index = 0; index < count; index++) {
      const pick = picks[index]!;
      merged[index] = pick < a.length ? column[pick]! : other[pick - a.length]!;
    }
    return merged;
  });
  return { series, differing, changed: differing.length };
}

function isSameBar(one: BarSeries, at: number, other: BarSeries, otherAt: number): boolean {
  const extra = Object.keys(one.extra ?? {});
  return (
    PRICE_COLUMNS.every((name) => one[name][at] === other[name][otherAt]) &&
    extra.every((name) => one.extra![name]![at] === other.extra?.[name]?.[otherAt])
  );
}
