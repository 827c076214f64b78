import type { BlockSums } from '../analysis/index.ts';
import { DAY, parseInstant } from '../kernel/index.ts';
import { type CrossValidationTerms, type Cuts, cutsOf } from './cross-validate.ts';
import type { PreparedSweep } from './prepare-sweep.ts';

const MOST_BLOCKS = 16;
const SMALLEST_BLOCK = 10;

/** Where the returns of every trial are cut. */
export interface TimeBlocks {
  /** All edges, for the trials. */
  readonly edges: readonly number[];
  /** First bar of each block of equal length; none where the time is too short for blocks. */
  readonly starts: readonly number[];
  readonly cuts: Cuts | undefined;
  /** A trial's sums by blocks of equal length. */
  even(sums: BlockSums): BlockSums;
  /** By the blocks of the cross-validation. */
  validated(sums: BlockSums): BlockSums;
}

/** Blocks of equal numbers of bars, as many as CSCV takes, and those of a cross-validation. */
export function timeBlocks(
  { files, period }: PreparedSweep,
  crossValidation: CrossValidationTerms | undefined,
): TimeBlocks {
  const { clock } = files.market;
  const first = period.evaluateFrom === undefined ? clock[0]! : parseInstant(period.evaluateFrom)!;
  const times = clock.filter((time) => time >= first);
  const days = new Set(Array.from(times, (time) => Math.floor(time / DAY))).size;
  const count = Math.min(MOST_BLOCKS, 2 * Math.floor((days - 1) / (2 * SMALLEST_BLOCK)));
  const starts =
    count < 4
      ? []
      : Array.from({ length: count }, (_, block) => times[Math.round((block * times.length) / count)]!);
  const own = starts.slice(1);
  const cuts = crossValidation === undefined ? undefined : cutsOf(crossValidation, times);
  const edges = [...new Set([...own, ...(cuts?.edges ?? [])])].sort((one, other) => one - other);
  return {
    edges,
    starts,
    cuts,
    even: (sums) => joined(sums, edges, own),
    validated: (sums) => joined(sums, edges, cuts?.edges ?? []),
  };
}

/** Sums by fewer edges than they were made with. */
function joined(
  { count, sum, squares }: BlockSums,
  all: readonly number[],
  kept: readonly number[],
): BlockSums {
  const empty = (): number[] => Array.from({ length: kept.length + 1 }, () => 0);
  const result = { count: empty(), sum: empty(), squares: empty() };
  let block = 0;
  for (let place = 0; place < count.length; place++) {
    if (place > 0 && all[place - 1] === kept[block]) block += 1;
    result.count[block]! += count[place]!;
    result.sum[block]! += sum[place]!;
    result.squares[block]! += squares[place]!;
  }
  return result;
}

/** Sums of trials over the same time: one that ended early, insolvent, stands still from there on. */
export function equalCounts(all: readonly BlockSums[]): BlockSums[] {
  const count = (all[0]?.count ?? []).map((_, block) => Math.max(...all.map((one) => one.count[block]!)));
  return all.map((one) => ({ ...one, count }));
}
