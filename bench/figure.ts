/** One measured number. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the project set out to reach; absent for what is only there to compare with. */
  readonly reach?: string;
  /** One of many: printed with --json alone. */
  readonly detail?: true;
}

export type Benchmark = () => Promise<Figure[]>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Median milliseconds of `runs` runs, after `warmUps` that do not count. */
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
