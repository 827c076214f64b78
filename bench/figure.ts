/** Measured value. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Target of the project. Omitted for values that are only for comparison. */
  readonly reach?: string;
  /** True for one of many values, which are printed only with --json. */
  readonly detail?: true;
}

export type Benchmark = () => Promise<Figure[]>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Returns the median duration of `runs` runs in milliseconds, after `warmUps` runs that are not measured. */
export async function medianTime(runs: number, work: () => unknown, warmUps = 1): Promise<number> {
  for (let run = 0; run < warmUps; run++) await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
