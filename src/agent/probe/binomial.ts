/** Probability of at least `right` successes in `trials` independent ones of probability `chance` each. */
export function binomialTail(trials: number, right: number, chance: number): number {
  if (right <= 0) return 1;
  if (chance <= 0) return 0;
  if (chance >= 1) return 1;
  let total = 0;
  // In logarithms: the coefficients of a few hundred trials are larger than any float64.
  let coefficient = 0;
  for (let count = 0; count <= trials; count++) {
    if (count > 0) coefficient += Math.log((trials - count + 1) / count);
    if (count < right) continue;
    total += Math.exp(coefficient + count * Math.log(chance) + (trials - count) * Math.log(1 - chance));
  }
  return Math.min(total, 1);
}
