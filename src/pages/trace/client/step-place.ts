/** Returns the index of the first step at or after a bar. The steps must be sorted by bar. */
export function placeOf(steps: readonly { readonly bar: number }[], bar: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]!.bar < bar) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the step of a bar. Undefined if the bar has no step. */
export function stepOf<Step extends { readonly bar: number }>(
  steps: readonly Step[],
  bar: number,
): Step | undefined {
  const step = steps[placeOf(steps, bar)];
  return step?.bar === bar ? step : undefined;
}
