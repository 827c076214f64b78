import type { Strategy, StrategyBundle } from '../agent/index.ts';
import type { RunSettingsInput } from '../engine/index.ts';
import type { CorporateAction, Market } from '../market/index.ts';
import type { WorldFiles } from './load-world.ts';
import type { RunRequest } from './run-request.ts';

/** What all trials of a world have in common. */
export interface TrialWorldRequest extends Pick<RunRequest, 'options' | 'settings' | 'market' | 'budget'> {
  /** A file, or one made by `defineStrategy`; of no matter where the options name an agent. */
  readonly strategy: string | Strategy;
  /** Of the strategy, under those of each trial. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The strategy's file as one script, where that has been made already. */
  readonly bundle?: StrategyBundle;
  /** All that the options name, where it has been read already. */
  readonly files?: WorldFiles;
}

/** What one trial is made of, over what its world has. */
export interface TrialInput {
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Over those of the world. */
  readonly settings?: RunSettingsInput;
  /** Other bars in place of the world's, such as a null world's; the benchmark is then bought from them. */
  readonly market?: Market;
  /** The corporate actions that belong to those bars; the world's own where left out. */
  readonly actions?: readonly CorporateAction[];
  readonly seed?: number;
  /** Closes all positions at the open of the last bar, with the costs of any order, and asks for no more decisions. */
  readonly closeAtEnd?: boolean;
  /** Parameters that take over the account as it is, each for the bars from a date on. */
  readonly later?: readonly {
    readonly from: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  }[];
  /** Called before every decision: whoever watches knows that it goes on. */
  readonly deciding?: () => void;
  /** Stops it at the end of a bar. */
  readonly signal?: AbortSignal;
}
