import type { StressFigure } from './distribution.ts';
import type { StressFigureName } from './figures.ts';
import type { StressVerdict } from './stress-verdict.ts';
import type { TradeCones } from './trade-cones.ts';

/** Result of a stress test: `stress.json`. The same test gives the same bytes. */
export interface StressReport {
  readonly schema: 1;
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly firstBar: string | null;
  readonly lastBar: string | null;
  /** Requested and completed worlds. Fewer are completed if a budget or Ctrl-C ended the test. */
  readonly worlds: number;
  readonly asked: number;
  readonly kind: string;
  readonly seed: number;
  /** Parameters for generating the worlds. */
  readonly made: {
    readonly bars: number;
    readonly made: number;
    readonly blockLength?: number;
    readonly regimes?: readonly {
      readonly share: number;
      readonly bars: number;
      readonly mean: number;
      readonly deviation: number;
    }[];
    readonly noise?: { readonly unit: string; readonly size: number };
  };
  readonly failed: number;
  readonly insolvent: number;
  /** Errors of failed worlds with their counts, most frequent first. */
  readonly failures: readonly { readonly error: string; readonly worlds: number }[];
  readonly verdict: StressVerdict;
  readonly figures: Readonly<Record<StressFigureName, StressFigure>>;
  /** Present only if requested. `null` if the run closed fewer than two trades or lost everything. */
  readonly shuffledTrades?: TradeCones | null;
  readonly notes: readonly string[];
}
