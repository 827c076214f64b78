import type { StrategyBundle } from '../../agent/index.ts';
import type { RunSettingsInput } from '../../engine/index.ts';
import type { RunOptions, WorldFiles } from '../../runner/index.ts';
import type { TrialResult, TrialTask } from '../executor.ts';

/** What a worker is started with. */
export interface WorkerStart {
  readonly strategy: string;
  readonly bundle: StrategyBundle | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly options: RunOptions;
  readonly settings: RunSettingsInput;
  /** Columns of bars lie in memory that all workers share. */
  readonly files: WorldFiles;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** One number, which grows with each decision. */
  readonly heartbeat: SharedArrayBuffer;
  /** The channel by which threads count what they spend on models; undefined without a budget. */
  readonly meter?: string | undefined;
  readonly pythonLimits: { readonly timeoutMs?: number; readonly graceMs?: number } | undefined;
}

export type ToWorker = { readonly type: 'task'; readonly task: TrialTask } | { readonly type: 'close' };

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: TrialResult }
  | { readonly type: 'broken'; readonly code: string; readonly message: string; readonly hint: string };
