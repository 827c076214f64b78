/** Step from gross to net return. */
interface PaidStep {
  readonly name: string;
  readonly returnBefore: number | null;
  readonly returnAfter: number | null;
}

/** Return of a run if its commission and slippage were multiplied. */
interface CostMultiple {
  readonly multiple: number;
  readonly totalReturn: number;
}

export interface CostMultiples {
  readonly steps: readonly CostMultiple[];
  /** Multiple at which the profit is zero. `null` if no costs were paid, or if the run lost before costs. */
  readonly breakEven: number | null;
}

const MULTIPLES = [0, 1, 2, 5];

/**
 * Returns at multiplied commission and slippage, with the same fills and quantities. `undefined` without a
 * bar.
 */
export function costMultiples(steps: readonly PaidStep[]): CostMultiples | undefined {
  const paid = steps.filter(({ name }) => name === 'Commission' || name === 'Slippage');
  const [first] = paid;
  const last = steps.findLast(({ name, returnAfter }) => name !== 'Model tokens' && returnAfter !== null);
  if (first === undefined || last === undefined) return undefined;
  const cost = paid.reduce((sum, step) => sum + (step.returnBefore ?? 0) - (step.returnAfter ?? 0), 0);
  const before = (last.returnAfter ?? 0) + cost;
  return {
    steps: MULTIPLES.map((multiple) => ({ multiple, totalReturn: before - multiple * cost })),
    breakEven: cost > 0 && before > 0 ? before / cost : null,
  };
}
