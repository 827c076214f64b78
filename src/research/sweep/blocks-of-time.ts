import { DAY } from '../../kernel/index.ts';
import type { BlockSums } from '../../results/analysis/index.ts';
import { judgedTimes, type PreparedSweep } from './prepare-sweep.ts';

const MOST_BLOCKS = 16;
const SMALLEST_BLOCK = 10;

/** Blocks of equal length. The returns of every trial are summed per block. */
export interface TimeBlocks {
  /** First bar of each block except the first. */
  readonly edges: readonly number[];
  /** First bar of each block. Empty if there are too few sessions. */
  readonly starts: readonly number[];
}

/** Returns blocks of equal numbers of bars, as many as CSCV uses. */
export function timeBlocks(prepared: Pick<PreparedSweep, 'files' | 'period'>): TimeBlocks {
  const times = judgedTimes(prepared);
  const days = new Set(Array.from(times, (time) => Math.floor(time / DAY))).size;
  const count = Math.min(MOST_BLOCKS, 2 * Math.floor((days - 1) / (2 * SMALLEST_BLOCK)));
  const starts =
    count < 4
      ? []
      : Array.from({ length: count }, (_, block) => times[Math.round((block * times.length) / count)]!);
  return { edges: starts.slice(1), starts };
}

/**
 * Gives the sums of all trials over the same time equal counts. A trial that became insolvent early has
 * returns of 0 from then on.
 */
export function equalCounts(all: readonly BlockSums[]): BlockSums[] {
  const count = (all[0]?.count ?? []).map((_, block) => Math.max(...all.map((one) => one.count[block]!)));
  return all.map((one) => ({ ...one, count }));
}
