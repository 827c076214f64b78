import { quantileOf } from './quantiles.ts';

/** How large the account could be before its fills take more than a share of their bars' volume. */
interface Capacity {
  /** Of the bar's volume. */
  readonly participation: number;
  /** Account at which 95 of 100 fills stay within it, and at which all do. */
  readonly usual: number;
  readonly all: number;
}

export interface CapacityFound {
  readonly steps: readonly Capacity[];
  /** Of the run as it is: participation of the median fill, of the 95th of 100, and the largest. */
  readonly median: number;
  readonly high: number;
  readonly largest: number;
  /** Fills on bars with a volume. */
  readonly fills: number;
}

const PARTICIPATIONS = [0.01, 0.05, 0.1, 0.25];

/**
 * How much money fills leave room for.
 *
 * @param shares of its bar's volume that each fill took; at least one
 * @param account that they were made with
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
