import { quantileOf } from './quantiles.ts';

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
