import type { Budget } from '../../agent/index.ts';
import type { TrialWorldRequest } from '../../runner/index.ts';
import type { WorldTerms } from '../worlds/make-worlds.ts';

/** What a stress test is asked for. */
export interface StressRequest
  extends Pick<TrialWorldRequest, 'strategy' | 'options' | 'settings' | 'market'> {
  /** Texts, where a command gave them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** How worlds are made; the seed is the run's own. */
  readonly terms: Omit<WorldTerms, 'seed'>;
  readonly worlds: number;
  /** Worlds at work at once; as many as there are cores where left out. */
  readonly jobs?: number | undefined;
  /** Orders and draws of the actual run's trades. */
  readonly shuffleTrades?: number | undefined;
  /** Of all worlds together, for a strategy that asks a model. */
  readonly budget?: Budget | undefined;
}
