import type { Strategy } from '../../agents/index.ts';
import type { RunSettingsInput } from '../../engine/index.ts';
import type { Market } from '../../market/index.ts';
import type { RunContext, RunOptions } from '../../runner/index.ts';
import type { SweepBudget } from '../budget/meter.ts';
import type { ClusterOptions } from '../queue/plan.ts';
import type { SearchName } from '../search/search-over.ts';
import type { TrialExecutor } from './executor.ts';
import type { ParameterValue } from './space.ts';

export const KEEPS = ['best', 'all', 'none'] as const;
export type Keep = (typeof KEEPS)[number];

/** Request for a sweep: strategy, data, combinations to try and objective. */
export interface SweepRequest {
  /**
   * Path of a strategy file, or result of `defineStrategy`. A strategy from `defineStrategy` runs only in the
   * caller's thread.
   */
  readonly strategy: string | Strategy;
  /**
   * Values by parameter name: `start:end:step`, where `end` is included, `a,b,c`, one value, or an array of
   * values.
   */
  readonly parameters: Readonly<Record<string, string | readonly ParameterValue[]>>;
  readonly options: RunOptions;
  readonly settings: RunSettingsInput;
  /** Bars in memory, used instead of the files in `options`. */
  readonly market?: Market | undefined;
  readonly search?: SearchName | undefined;
  /** Maximum number of trials. Default: all combinations of a grid, 100 for other searches. */
  readonly trials?: number | undefined;
  /** Figure of `summary.json`, or an expression over figures. Default: `sharpe`. */
  readonly objective?: string | undefined;
  readonly minimise?: boolean | undefined;
  readonly constraints?: readonly string[] | undefined;
  /** Options of a walk-forward, for example `train=3y,test=1y,embargo=5d`. */
  readonly walkForward?: string | undefined;
  /** Options of a cross-validation, for example `cpcv:groups=6,test=2`. */
  readonly crossValidate?: string | undefined;
  /** Length of the period at the end of the data that the sweep must not use, for example `2y`. */
  readonly holdout?: string | undefined;
  /** Number of threads. Default: number of cores. */
  readonly jobs?: number | undefined;
  /**
   * Selects the trials whose run folders are written. Default: `best`, or `none` for a strategy that calls a
   * model.
   */
  readonly keep?: Keep | undefined;
  /** Limits of the total model usage of all trials on all machines. */
  readonly budget?: SweepBudget | undefined;
  /** Runs the trials on several machines instead of threads of this process. */
  readonly cluster?: ClusterOptions | undefined;
}

/** Context in which a sweep runs, in addition to its request. */
export interface SweepContext extends RunContext {
  /** Creates a custom executor, which runs the trials. Default: threads of this process. */
  readonly executor?: (ground: ExecutorGround) => TrialExecutor | Promise<TrialExecutor>;
}

/** Arguments of a custom executor. */
export interface ExecutorGround {
  readonly start: Omit<import('../workers/thread-pool.ts').WorkerStart, 'heartbeat'>;
  readonly jobs: number;
  /** Seconds without a decision after which a trial is aborted. */
  readonly seconds: number;
}
