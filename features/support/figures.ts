/** Independent calculations of figures with simple loops, compared with the results of Python. */

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns Pearson's correlation of two columns of equal length. */
export function correlation(left: readonly number[], right: readonly number[]): number {
  const [leftMean, rightMean] = [mean(left), mean(right)];
  let [product, leftSquare, rightSquare] = [0, 0, 0];
  for (const [index, value] of left.entries()) {
    const [x, y] = [value - leftMean, (right[index] ?? Number.NaN) - rightMean];
    product += x * y;
    leftSquare += x * x;
    rightSquare += y * y;
  }
  return product / Math.sqrt(leftSquare * rightSquare);
}

/**
 * Returns true if the mean of the last `fast` values has just risen above the mean of the last `slow` values.
 */
export function crossedOver(values: readonly number[], fast: number, slow: number): boolean {
  const before = values.slice(0, -1);
  return (
    mean(values.slice(-fast)) > mean(values.slice(-slow)) &&
    mean(before.slice(-fast)) <= mean(before.slice(-slow))
  );
}
