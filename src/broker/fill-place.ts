import type { Instant } from '../kernel/index.ts';

/** Where in a bar an order fills, and what is known of it there. */
export interface FillPlace {
  /** Whether it lies between a bar's open and close. */
  readonly inside: boolean;
  readonly maker: boolean;
  /** What the other answer would have gained by the close, a unit, where the bar left two open. */
  readonly alternative?: number;
  /** The finer bar that told it. */
  readonly detailTime?: Instant;
}
