import type { RunSummary } from '../analysis/index.ts';
import type { RunOutcome } from '../engine/index.ts';

/** How a run came out. */
export interface RunEnd {
  readonly outcome: RunOutcome;
  /** Why it gave no result; undefined where it did. */
  readonly error: unknown;
  readonly folder: string;
  /** What `summary.json` holds. */
  readonly summary: RunSummary;
  /** Bars that were processed. */
  readonly bars: number;
  /** Equity at each of them, in the account's currency and in real money. */
  readonly equity: Float64Array;
  /** Equity of its benchmark at the last of them, those that count; undefined where there is none. */
  readonly benchmarkEquity: Float64Array | undefined;
  /** The files its bars are from. */
  readonly dataFiles: readonly string[];
  /** As it was named; null for one given in code. */
  readonly strategyFile: string | null;
}
