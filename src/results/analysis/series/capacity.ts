import { quantileOf } from './ratios.ts';

/** Account sizes at which fills reach a share of their bars' volume. */
interface Capacity {
  /** Share of the bar's volume. */
  readonly participation: number;
  /** Account size at which 95 % of the fills stay within the share, and size at which all fills do. */
  readonly usual: number;
  readonly all: number;
}

export interface CapacityFound {
  readonly steps: readonly Capacity[];
  /** Participation of the actual run: median fill, 95th percentile, and largest fill. */
  readonly median: number;
  readonly high: number;
  readonly largest: number;
  /** Number of fills on bars with a volume. */
  readonly fills: number;
}

const PARTICIPATIONS = [0.01, 0.05, 0.1, 0.25];

/**
 * Computes how large the account could be.
 *
 * @param shares each fill's share of its bar's volume, at least one
 * @param account account size of the run
 */
export function capacityOfShares(shares: readonly number[], account: number): CapacityFound {
  const sorted = Float64Array.from(shares).sort();
  const [high, largest] = [quantileOf(sorted, 0.95), sorted.at(-1)!];
  return {
    steps: PARTICIPATIONS.map((participation) => ({
      participation,
      usual: (account * participation) / high,
      all: (account * participation) / largest,
    })),
    median: quantileOf(sorted, 0.5),
    high,
    largest,
    fills: shares.length,
  };
}

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
