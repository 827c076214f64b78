import type { StrategyBundle } from '../../agents/index.ts';
import type { RunSettingsInput } from '../../engine/index.ts';
import type { RunOptions, WorldFiles } from '../../runner/index.ts';

/** Start data of every thread, in addition to the data for its tasks. */
export interface ThreadStart {
  /** Counter that grows with each decision. */
  readonly heartbeat: SharedArrayBuffer;
}

/** Start data of a sweep's worker thread. */
export interface WorkerStart extends ThreadStart {
  readonly strategy: string;
  readonly bundle: StrategyBundle | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly options: RunOptions;
  readonly settings: RunSettingsInput;
  /** Input files. The columns of bars are in memory shared by all workers. */
  readonly files: WorldFiles;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Channel on which threads report model usage. Undefined without a budget. */
  readonly meter?: string | undefined;
  readonly pythonLimits: { readonly timeoutMs?: number; readonly graceMs?: number } | undefined;
}

export type ToThread<Task> = { readonly type: 'task'; readonly task: Task } | { readonly type: 'close' };

export type FromThread<Result> =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: Result }
  | { readonly type: 'broken'; readonly code: string; readonly message: string; readonly hint: string };
