/**
 * Corrects p-values for the number of comparisons. The probability of at least one false finding stays below
 * the chosen level, for any dependence between the comparisons.
 *
 * Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of
 * Statistics 6 (1979).
 *
 * @param values null for a comparison without a p-value, which is not counted
 * @returns in the given order
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
