import type { RunSummary } from '../analysis/index.ts';
import type { RunOutcome } from '../engine/index.ts';

/** Outcome of a run. */
export interface RunEnd {
  readonly outcome: RunOutcome;
  /** Error of a run without a result. `undefined` if it has a result. */
  readonly error: unknown;
  readonly folder: string;
  /** Content of `summary.json`. */
  readonly summary: RunSummary;
  /** Number of processed bars. */
  readonly bars: number;
  /** Equity at each bar, unmasked, in the account's currency. */
  readonly equity: Float64Array;
  /**
   * Equity of its benchmark at the evaluated bars, which are the last ones. `undefined` without a benchmark.
   */
  readonly benchmarkEquity: Float64Array | undefined;
  /** Data files of its bars. */
  readonly dataFiles: readonly string[];
  /** Path that the user gave. `null` for a strategy given in code. */
  readonly strategyFile: string | null;
}
