import { type BarSeries, mapColumns, PRICE_COLUMNS } from './bar-series.ts';

export interface MergedBars {
  readonly series: BarSeries;
  /** Instants that both have with other values. */
  readonly differing: readonly number[];
  /** How many those are. */
  readonly changed: number;
}

/**
 * The bars of two series of one symbol in order of time; where both have a bar, the later one's stands.
 *
 * @param later has the further columns of the earlier one
 */
export function mergeBars(earlier: BarSeries, later: BarSeries): MergedBars {
  const [a, b] = [earlier.time, later.time];
  /** From which series, and where there; an index of the later one is counted from the earlier one's length on. */
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
