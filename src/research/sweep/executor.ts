import type { Meter } from '../../agents/index.ts';
import type { RunOutcome } from '../../engine/index.ts';
import type { BlockSums, RunSummary, StoredAlarm, StudyCell } from '../../results/analysis/index.ts';
import type { Figures, Trial } from './figures.ts';

/**
 * Optional parts of a trial's result that a task requests. The result always contains the figures, which are
 * the scalar values of a run's summary such as the Sharpe ratio.
 */
export interface TrialWish {
  /**
   * Instants that divide the session returns into blocks. If given, the result contains the sums of the
   * returns and of their squares in each block.
   */
  readonly edges?: readonly number[];
  /** If true, the result contains the equity at each evaluated bar. */
  readonly curve?: boolean;
  /** If true, the result contains the complete summary. */
  readonly summary?: boolean;
  /** If true, the result contains the data that a study stores. */
  readonly study?: boolean;
  /** If given, the result contains the figures named in `figures` for each of several ranges of bars. */
  readonly parts?: {
    /** Ranges of bars: `from` is the first instant of a range, `to` the instant after its end. */
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
  /** Figures of the trial. `null` if the trial has no result. */
  readonly figures: Figures | null;
  /** Alarms of the trial. Omitted without alarms. */
  readonly alarms?: readonly StoredAlarm[];
  readonly blocks?: BlockSums;
  readonly curve?: {
    readonly times: readonly number[];
    readonly equity: readonly number[];
    readonly before: number;
  };
  readonly summary?: RunSummary;
  /**
   * Figures of each requested range of bars, in the order of the request. `null` for a range without bars.
   */
  readonly parts?: readonly (Figures | null)[];
  /** Session returns. Present if the summary was requested. */
  readonly returns?: readonly number[];
  readonly study?: StudyCell;
  readonly seconds: number;
}

/** Runs trials on the cores of this machine or on several machines. */
export interface TrialExecutor {
  /** Yields one result per task, in order of completion. */
  run(tasks: readonly TrialTask[], signal?: AbortSignal): AsyncIterable<TrialResult>;
  close(): Promise<void>;
  /** Meter of the budget that all trials share. `undefined` without a budget. */
  readonly meter?: Meter | undefined;
}

/** Error message of a trial that ended its thread or its process. */
export const THREAD_ENDED = 'the strategy ended its thread';

/**
 * Codes of errors that another attempt or another machine may avoid, for example a lost thread, an
 * unreachable model, or missing Python.
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
 * Returns true if the machine may have caused the failure of a trial, so that another attempt could succeed.
 * An error of the strategy would occur again.
 */
export function isDoubtful({ error }: Pick<TrialResult, 'error'>): boolean {
  return error !== undefined && DOUBTFUL.includes(error.code);
}
