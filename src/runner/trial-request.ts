import type { Strategy, StrategyBundle } from '../agent/index.ts';
import type { RunSettingsInput } from '../engine/index.ts';
import type { CorporateAction, Market } from '../market/index.ts';
import type { WorldFiles } from './load-world.ts';
import type { RunRequest } from './run-request.ts';

/** Common inputs of all trials of a world. */
export interface TrialWorldRequest extends Pick<RunRequest, 'options' | 'settings' | 'market' | 'budget'> {
  /** File, or result of `defineStrategy`. Ignored if the options name an agent. */
  readonly strategy: string | Strategy;
  /** Parameters of the strategy. Those of a trial override them. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Bundled script of the strategy's file, if it already exists. */
  readonly bundle?: StrategyBundle;
  /** Files that the options name, if already read. */
  readonly files?: WorldFiles;
}

/** Inputs of one trial, in addition to its world. */
export interface TrialInput {
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Settings that override those of the world. */
  readonly settings?: RunSettingsInput;
  /**
   * Bars used instead of the world's, for example those of a null world. The benchmark is then bought from
   * them.
   */
  readonly market?: Market;
  /** Corporate actions of these bars. Default: those of the world. */
  readonly actions?: readonly CorporateAction[];
  readonly seed?: number;
  /** If true, closes all positions at the open of the last bar with normal costs. No decisions follow. */
  readonly closeAtEnd?: boolean;
  /** Parameters that take over the account at a later date. */
  readonly later?: readonly {
    readonly from: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  }[];
  /** Called before every decision, to show progress to a watching process. */
  readonly deciding?: () => void;
  /** Stops the trial at the end of a bar. */
  readonly signal?: AbortSignal;
}
