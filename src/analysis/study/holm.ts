/**
 * p-values corrected for the number of comparisons: the chance of one false finding or more among all of them stays below
 * the level that they are compared with, whatever they owe to each other.
 *
 * Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6 (1979).
 *
 * @param values null for a comparison that has none: it is not counted
 * @returns in the order given
 */
export function holmCorrected(values: readonly (number | null)[]): (number | null)[] {
  const known = values.flatMap((value, place) => (value === null ? [] : [{ value, place }]));
  known.sort((one, other) => one.value - other.value || one.place - other.place);
  const corrected: (number | null)[] = values.map(() => null);
  let least = 0;
  for (const [rank, { value, place }] of known.entries()) {
    least = Math.max(least, Math.min(1, value * (known.length - rank)));
    corrected[place] = least;
  }
  return corrected;
}
