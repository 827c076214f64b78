import type { Exact, Instant } from '../kernel/index.ts';

/** Where in a bar an order fills, and what is known of it there. */
export interface FillPlace {
  readonly maker: boolean;
  /** After the open of its bar, or of a finer one. */
  readonly inside?: boolean;
  /** A stop-limit that its stop made marketable: it slips, though never beyond its limit. */
  readonly slipsToLimit?: boolean;
  /** The finer bar that shows it. */
  readonly detailTime?: Instant;
  /** Another outcome of the bar does not have this fill. */
  readonly ambiguous?: boolean;
  /** What the better outcome of the bar would have gained by its close, in account currency. */
  readonly gainIfOther?: Exact;
}
