import type { Meter } from '../agent/index.ts';
import type { BlockSums, RunSummary, StudyCell } from '../analysis/index.ts';
import type { RunOutcome } from '../engine/index.ts';
import type { Figures } from './figures.ts';
import type { Trial } from './trial.ts';

/** What of a trial is wanted beside its figures. */
export interface TrialWish {
  /** Where its session returns are cut into blocks: instants. */
  readonly edges?: readonly number[];
  /** Its equity bar by bar, of the bars that count. */
  readonly curve?: boolean;
  /** All of its summary. */
  readonly summary?: boolean;
  /** What a study keeps of a run. */
  readonly study?: boolean;
  /** Some of its figures over parts of its bars. */
  readonly parts?: {
    /** Instants: the first of a part, and the one after it. */
    readonly spans: readonly (readonly [from: number, to: number])[];
    readonly figures: readonly string[];
  };
}

export interface TrialTask extends TrialWish {
  readonly trial: Trial;
}

/** What a trial came to. Everything but `seconds` depends on the trial alone. */
export interface TrialResult {
  readonly id: string;
  readonly outcome: RunOutcome;
  /** Why it gave no result. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Null for a trial that gave no result. */
  readonly figures: Figures | null;
  readonly blocks?: BlockSums;
  readonly curve?: {
    readonly times: readonly number[];
    readonly equity: readonly number[];
    readonly before: number;
  };
  readonly summary?: RunSummary;
  /** By part that was asked for; null for one without a bar. */
  readonly parts?: readonly (Figures | null)[];
  /** Its session returns, where its summary was asked for. */
  readonly returns?: readonly number[];
  readonly study?: StudyCell;
  readonly seconds: number;
}

/** Runs trials: on this machine's cores, or on many machines. */
export interface TrialExecutor {
  /** Results as they come, in any order; one for each task. */
  run(tasks: readonly TrialTask[], signal?: AbortSignal): AsyncIterable<TrialResult>;
  close(): Promise<void>;
  /** Of a budget that all trials share. */
  readonly meter?: Meter | undefined;
}
