import type { Budget } from '../../agent/index.ts';
import type { TrialWorldRequest } from '../../runner/index.ts';
import type { WorldTerms } from '../worlds/make-worlds.ts';

/** Request for a stress test. */
export interface StressRequest
  extends Pick<TrialWorldRequest, 'strategy' | 'options' | 'settings' | 'market'> {
  /** Parameters of the strategy. Texts if a command supplied them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Terms of the worlds. The seed is the seed of the run. */
  readonly terms: Omit<WorldTerms, 'seed'>;
  readonly worlds: number;
  /** Number of parallel worlds. Default: number of cores. */
  readonly jobs?: number | undefined;
  /** Number of random orders and random draws of the actual run's trades. */
  readonly shuffleTrades?: number | undefined;
  /** Budget of all worlds together, for a strategy that calls a model. */
  readonly budget?: Budget | undefined;
}
