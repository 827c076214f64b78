import type { Strategy } from '../agent/index.ts';
import type { RunSettingsInput } from '../engine/index.ts';
import type { Market } from '../market/index.ts';
import type { RunContext, RunOptions } from '../runner/index.ts';
import type { SweepBudget } from './budget/reached.ts';
import type { ClusterOptions } from './cluster/options.ts';
import type { TrialExecutor } from './executor.ts';
import type { SearchName } from './search/index.ts';
import type { ParameterValue } from './space.ts';

export const KEEPS = ['best', 'all', 'none'] as const;
export type Keep = (typeof KEEPS)[number];

/** What a sweep tries, on what, and what it looks for. */
export interface SweepRequest {
  /** A file, or what `defineStrategy` made: the latter is run in this thread alone. */
  readonly strategy: string | Strategy;
  /** By parameter: `start:end:step` with its end, `a,b,c`, one value, or an array of values. */
  readonly parameters: Readonly<Record<string, string | readonly ParameterValue[]>>;
  readonly options: RunOptions;
  readonly settings: RunSettingsInput;
  /** Bars in memory, in place of the files that the options name. */
  readonly market?: Market | undefined;
  readonly search?: SearchName | undefined;
  /** To try at most; of a grid all, of other searches 100. */
  readonly trials?: number | undefined;
  /** A figure of `summary.json`, or an expression over some; `sharpe` when left out. */
  readonly objective?: string | undefined;
  readonly minimise?: boolean | undefined;
  readonly constraints?: readonly string[] | undefined;
  /** Such as `train=3y,test=1y,embargo=5d`. */
  readonly walkForward?: string | undefined;
  /** Such as `cpcv:groups=6,test=2`. */
  readonly crossValidate?: string | undefined;
  /** How much of the data's end is kept from it, such as `2y`. */
  readonly holdout?: string | undefined;
  /** Threads; as many as the machine has cores when left out. */
  readonly jobs?: number | undefined;
  /** Whose run folders are kept; `best` when left out. */
  readonly keep?: Keep | undefined;
  /** What all trials together may take of models, wherever they are run. */
  readonly budget?: SweepBudget | undefined;
  /** Runs the trials on many machines, in place of threads of this one. */
  readonly cluster?: ClusterOptions | undefined;
}

/** What a sweep is made in. */
export interface SweepContext extends RunContext {
  /** Runs the trials, in place of threads of this process. */
  readonly executor?: (ground: ExecutorGround) => TrialExecutor | Promise<TrialExecutor>;
}

/** What an executor elsewhere is given. */
export interface ExecutorGround {
  readonly start: Omit<import('./workers/messages.ts').WorkerStart, 'heartbeat'>;
  readonly jobs: number;
  /** Without a decision after which a trial is given up. */
  readonly seconds: number;
}
