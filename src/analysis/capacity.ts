import type { RunRecord } from '../journal/index.ts';
import { reportSettings } from './equity.ts';
import { type Undefined, undefinedBecause } from './figures.ts';
import { quantileOf } from './series/quantiles.ts';

/** How large the account could be before its fills take more than a share of their bars' volume. */
interface Capacity {
  /** Of the bar's volume. */
  readonly participation: number;
  /** Initial cash at which 95 of 100 fills stay within it, and at which all do. */
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

export const CAPACITY_CONVENTION =
  'each fill’s quantity over its bar’s volume, in the same units; the account that has 95 of 100 fills within a share of the volume is the initial cash × that share ÷ the fills’ 95% quantile, as if quantities grew with the account';

/** How much money a run's trades leave room for, by the volume of the bars that they filled on. */
export function capacityOf(record: RunRecord): CapacityFound | Undefined {
  const { fills, bars, started } = record;
  if (fills.length === 0) return undefinedBecause('nothing was traded');
  const first = bars[0]?.bar ?? 0;
  const places = new Map(started.symbols.map((symbol, place) => [symbol, place]));
  const shares: number[] = [];
  for (const { bar, symbol, quantity } of fills) {
    const volume = bars[bar - first]?.prices?.[places.get(symbol) ?? -1]?.[4] ?? 0;
    if (volume > 0) shares.push(Number(quantity) / volume);
  }
  if (shares.length === 0) return undefinedBecause('the data have no volume');
  const sorted = Float64Array.from(shares).sort();
  const cash = reportSettings(record).cash.toNumber();
  const [high, largest] = [quantileOf(sorted, 0.95), sorted.at(-1)!];
  return {
    steps: PARTICIPATIONS.map((participation) => ({
      participation,
      usual: (cash * participation) / high,
      all: (cash * participation) / largest,
    })),
    median: quantileOf(sorted, 0.5),
    high,
    largest,
    fills: shares.length,
  };
}
