import type { Exact, Instant } from '../kernel/index.ts';

/** Where in a bar an order fills, and what is known of it there. */
export interface FillPlace {
  /** Whether it lies between a bar's open and close. */
  readonly inside: boolean;
  readonly maker: boolean;
  /** What the other answer would have gained by the close, in the symbol's money, where the bar left two open. */
  readonly gainIfOther?: Exact;
  /** The finer bar that told it. */
  readonly detailTime?: Instant;
}
