import type { Exact, Instant } from '../kernel/index.ts';

/** Circumstances of a fill within a bar. */
export interface FillPlace {
  readonly maker: boolean;
  /** True if the fill is after the open of its bar or finer bar. */
  readonly inside?: boolean;
  /**
   * True for a stop-limit that became marketable at its stop. It has slippage, but never beyond its limit.
   */
  readonly slipsToLimit?: boolean;
  /** Time of the finer bar with the fill. */
  readonly detailTime?: Instant;
  /** True if the fill does not happen under another possible price path within the bar. */
  readonly ambiguous?: boolean;
  /** Additional gain of the better outcome by the bar's close, in account currency. */
  readonly gainIfOther?: Exact;
}
