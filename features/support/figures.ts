/** Figures worked out here a second time, in plain loops, to hold Python's answers against. */

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Pearson's, of two columns of one length. */
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

/** Whether the mean of the last `fast` values has just risen above that of the last `slow`. */
export function crossedOver(values: readonly number[], fast: number, slow: number): boolean {
  const before = values.slice(0, -1);
  return (
    mean(values.slice(-fast)) > mean(values.slice(-slow)) &&
    mean(before.slice(-fast)) <= mean(before.slice(-slow))
  );
}
