import type { StressFigure } from './distribution.ts';
import type { StressFigureName } from './figures.ts';
import type { StressVerdict } from './stress-verdict.ts';
import type { TradeCones } from './trade-cones.ts';

/** `stress.json`: what a stress test came to. The same test gives the same bytes. */
export interface StressReport {
  readonly schema: 1;
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly firstBar: string | null;
  readonly lastBar: string | null;
  /** Worlds that were asked for and run; fewer than asked where a budget or Ctrl-C ended the test. */
  readonly worlds: number;
  readonly asked: number;
  readonly kind: string;
  readonly seed: number;
  /** What the worlds were made with. */
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
  /** Why worlds failed, the most frequent first, with how often. */
  readonly failures: readonly { readonly error: string; readonly worlds: number }[];
  readonly verdict: StressVerdict;
  readonly figures: Readonly<Record<StressFigureName, StressFigure>>;
  /** Only where it was asked for; null where the run closed fewer than two trades or lost all. */
  readonly shuffledTrades?: TradeCones | null;
  readonly notes: readonly string[];
}
