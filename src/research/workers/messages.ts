import type { StrategyBundle } from '../../agent/index.ts';
import type { RunSettingsInput } from '../../engine/index.ts';
import type { RunOptions, WorldFiles } from '../../runner/index.ts';

/** What every thread is started with, beside what its tasks need. */
export interface ThreadStart {
  /** One number, which grows with each decision. */
  readonly heartbeat: SharedArrayBuffer;
}

/** What a worker of a sweep is started with. */
export interface WorkerStart extends ThreadStart {
  readonly strategy: string;
  readonly bundle: StrategyBundle | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly options: RunOptions;
  readonly settings: RunSettingsInput;
  /** Columns of bars lie in memory that all workers share. */
  readonly files: WorldFiles;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The channel by which threads count what they spend on models; undefined without a budget. */
  readonly meter?: string | undefined;
  readonly pythonLimits: { readonly timeoutMs?: number; readonly graceMs?: number } | undefined;
}

export type ToThread<Task> = { readonly type: 'task'; readonly task: Task } | { readonly type: 'close' };

export type FromThread<Result> =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: Result }
  | { readonly type: 'broken'; readonly code: string; readonly message: string; readonly hint: string };
