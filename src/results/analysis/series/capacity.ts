import { quantileOf } from './ratios.ts';

/** Account sizes at which the fills of a run reach a given share of the volume of their bars. */
interface Capacity {
  /** Share of a bar's volume, as a fraction. */
  readonly participation: number;
  /**
   * Largest account size at which 95 % of the fills stay within the share. `all` is the largest size at which
   * all fills stay within the share.
   */
  readonly usual: number;
  readonly all: number;
}

export interface CapacityFound {
  readonly steps: readonly Capacity[];
  /**
   * Median of the fills' participation, which is the fill quantity divided by the bar's volume. `high` is the
   * 95th percentile, `largest` the maximum.
   */
  readonly median: number;
  readonly high: number;
  readonly largest: number;
  /** Number of fills on bars with a volume. */
  readonly fills: number;
}

const PARTICIPATIONS = [0.01, 0.05, 0.1, 0.25];

/**
 * Computes the largest account sizes at which fills stay within the shares `PARTICIPATIONS` of the volume of
 * their bars. Quantities are assumed to be proportional to the account size.
 *
 * @param shares quantity of each fill divided by its bar's volume. Must not be empty
 * @param account initial cash of the run
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

/** Deduction of one kind of cost from the gross return. */
interface PaidStep {
  readonly name: string;
  readonly returnBefore: number | null;
  readonly returnAfter: number | null;
}

/** Total return of a run with its commission and slippage multiplied by `multiple`. */
interface CostMultiple {
  readonly multiple: number;
  readonly totalReturn: number;
}

export interface CostMultiples {
  readonly steps: readonly CostMultiple[];
  /**
   * Multiple of the costs at which the profit is zero. `null` if no costs were paid, or if the run made a
   * loss before costs.
   */
  readonly breakEven: number | null;
}

const MULTIPLES = [0, 1, 2, 5];

/**
 * Computes the total returns of a run with multiplied commission and slippage. Fills and quantities do not
 * change. `undefined` if the run processed no bar.
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
