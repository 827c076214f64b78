import type { Meter } from '../../agents/index.ts';
import type { RunOutcome } from '../../engine/index.ts';
import type { BlockSums, RunSummary, StoredAlarm, StudyCell } from '../../results/analysis/index.ts';
import type { Figures, Trial } from './figures.ts';

/** Parts of a trial's result that are needed in addition to its figures. */
export interface TrialWish {
  /** Instants that divide the session returns into blocks. */
  readonly edges?: readonly number[];
  /** If true, the equity at each evaluated bar. */
  readonly curve?: boolean;
  /** If true, the complete summary. */
  readonly summary?: boolean;
  /** If true, the cell of a study. */
  readonly study?: boolean;
  /** Some figures over parts of the bars. */
  readonly parts?: {
    /** Instants: first instant of a part, and the instant after its end. */
    readonly spans: readonly (readonly [from: number, to: number])[];
    readonly figures: readonly string[];
  };
}

export interface TrialTask extends TrialWish {
  readonly trial: Trial;
}

/** Result of a trial. Every field except `seconds` depends only on the trial. */
export interface TrialResult {
  readonly id: string;
  readonly outcome: RunOutcome;
  /** Error of a trial without a result. */
  readonly error?: { readonly code: string; readonly message: string };
  /** `null` if the trial has no result. */
  readonly figures: Figures | null;
  /** Missing in trials without an alarm. */
  readonly alarms?: readonly StoredAlarm[];
  readonly blocks?: BlockSums;
  readonly curve?: {
    readonly times: readonly number[];
    readonly equity: readonly number[];
    readonly before: number;
  };
  readonly summary?: RunSummary;
  /** Figures of each requested part. `null` for a part without bars. */
  readonly parts?: readonly (Figures | null)[];
  /** Session returns. Present if the summary was requested. */
  readonly returns?: readonly number[];
  readonly study?: StudyCell;
  readonly seconds: number;
}

/** Runs trials: on the cores of this machine or on several machines. */
export interface TrialExecutor {
  /** Results as they come, in any order; one for each task. */
  run(tasks: readonly TrialTask[], signal?: AbortSignal): AsyncIterable<TrialResult>;
  close(): Promise<void>;
  /** Meter of a budget that all trials share. */
  readonly meter?: Meter | undefined;
}

/** Error message of a trial that ended its thread or the process of its thread. */
export const THREAD_ENDED = 'the strategy ended its thread';

/**
 * Errors that another attempt or another machine may not have: a lost thread, a model out of reach, missing
 * Python.
 */
const DOUBTFUL: readonly string[] = [
  'worker_lost',
  'model_unavailable',
  'budget_unknown',
  'sandbox_failed',
  'sandbox_closed',
  'cache_unwritable',
  'no_python_wheels',
  'not_built',
  'pyodide_lock_unreadable',
  'python_image_failed',
  'python_source_failed',
];

/**
 * Returns true if the machine may have caused the failure of a trial. An error of the strategy itself would
 * occur again.
 */
export function isDoubtful({ error }: Pick<TrialResult, 'error'>): boolean {
  return error !== undefined && DOUBTFUL.includes(error.code);
}
