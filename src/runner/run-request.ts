import { join } from 'node:path';
import {
  type AgentBudget,
  type Environment,
  type LoadedStrategy,
  type Meter,
  otherRecording,
  type Recording,
  type ResolvedModel,
  recordingOf,
  type Strategy,
} from '../agents/index.ts';
import type { Json, MaskTerms, RunOutcome, RunSettings, RunSettingsInput } from '../engine/index.ts';
import { type FollowingJournal, readEarlier } from '../journal/index.ts';
import type { BarSeries, IndicatorMemo, LoadedFeatures, LoadedPointInTime, Market } from '../market/index.ts';
import type { Registered } from '../results/analysis/index.ts';
import { type RunInputs, readRunInputs, sha256OfFile } from '../results/runs/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { Watch } from './context.ts';
import type { CostEstimate, DecisionUsage } from './estimate/amounts.ts';
import type { ForwardFeed } from './forward/forward-feed.ts';
import type { FittedDetail } from './inputs/detail.ts';
import type { WorldFiles } from './inputs/load-world.ts';
import type { RunOptions } from './inputs/options.ts';
import type { NamedBenchmark } from './run-benchmark.ts';
import type { ToolExtras } from './tool-extras.ts';

/** Request for a run, from a command, from code, or from the record of an earlier run. */
export interface RunRequest {
  /** Path of the strategy's file, or result of `defineStrategy`. Absent if the options name an agent. */
  readonly strategy?: string | Strategy | undefined;
  /** Path of the strategy that the user gave. Set only if a copy of this file is read instead. */
  readonly namedAs?: string | undefined;
  /** Parameters of the strategy. The values are texts if a command gave them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly options: RunOptions;
  /** Settings that override those of the strategy. */
  readonly settings: RunSettingsInput;
  /** Bars in memory that replace files. */
  readonly market?: Market | undefined;
  /** Features in memory that replace files. */
  readonly features?: LoadedFeatures | undefined;
  /** Series in memory that replace files. They are shown but not traded. */
  readonly context?: readonly BarSeries[] | undefined;
  /** Documents, fundamentals and a universe in memory, used in addition to files. */
  readonly pointInTime?: LoadedPointInTime | undefined;
  /** Budget of model usage that replaces the run's own budget, for example when the run is resumed. */
  readonly budget?: AgentBudget | undefined;
  /**
   * If the run is one of several samples (repeated runs): its number, the folder of all samples, and the
   * run's id.
   */
  readonly sample?: { readonly number: number; readonly folder: string; readonly runId: string };
  /** Record of another run. Its answers are used for requests of this run to models, agents and tools. */
  readonly record?: OtherRecord;
  /** If set, the costs of the run are estimated, and the run is not made. */
  readonly estimate?: {
    /**
     * Usage of recorded decisions. If omitted, one decision is made with the real model, which costs money.
     */
    readonly known: readonly DecisionUsage[] | undefined;
    readonly onEstimate: (estimate: CostEstimate) => void;
  };
  /** If set, called with the plan of the run (see `planOf`), and the run is not made. */
  readonly onPlan?: (plan: Json) => void;
  /**
   * If true, an agent makes one trial decision before the run's folder is created. `only` makes only the
   * trial decision.
   */
  readonly preflight?: boolean | 'only';
}

/** Run of an earlier process, which is resumed or replayed. */
export interface EarlierRun {
  readonly folder: string;
  readonly inputs: RunInputs;
  readonly journal: FollowingJournal;
  readonly recording: Recording;
  /** If true, no request is sent to a model, and an unrecorded request is an error. */
  readonly replayOnly: boolean;
  /** Signal that is aborted at the end of the record, so that a replay stops there. */
  readonly signal?: AbortSignal;
  /** If set, the run is only compared with its record. Called with the outcome; no files are written. */
  readonly compared?: (outcome: RunOutcome, error: unknown) => void;
}

/** Registration that a run or a study follows: a plan that was fixed and hashed in advance. */
export interface CheckedRegistration {
  readonly registered: Registered;
  /** Text of the registration's file. */
  readonly text: string;
  /** Time at which the registration's file was last written, as an ISO text. */
  readonly writtenAt: string;
}

/** Run whose files have been read and checked. */
export interface PreparedRun {
  readonly request: RunRequest;
  readonly strategy: LoadedStrategy;
  readonly loaded: WorldFiles;
  /**
   * Settings of the run with original symbols and dates. If the run has a mask, masked settings are derived
   * from them.
   */
  readonly settings: RunSettings;
  readonly detail: FittedDetail | undefined;
  readonly benchmark: NamedBenchmark | undefined;
  readonly extras: ToolExtras;
  readonly mask: MaskTerms | undefined;
  readonly sandbox: Sandbox | undefined;
  readonly environment: Environment;
  /** Counter of a model budget that several runs share. */
  readonly meter?: Meter | undefined;
  readonly earlier: EarlierRun | undefined;
  /** Cache of indicators that several trials on the same data share. */
  readonly indicators?: IndicatorMemo;
  /** Registration that the run follows. */
  readonly registration?: CheckedRegistration | undefined;
  /** Bars that are received during the run. */
  readonly feed?: ForwardFeed | undefined;
  /**
   * Watch for endless loops, for a strategy whose code runs in the engine's process. `undefined` for other
   * strategies.
   */
  readonly watch: Watch | undefined;
}

/** Record of another run, which answers the model requests of a new run. */
export interface OtherRecord {
  readonly recording: Recording;
  /** If true, no request is sent, and an unrecorded request ends the run. */
  readonly replayOnly: boolean;
  /** Model of the recorded run, if no request may be sent. `undefined` if requests may be sent. */
  readonly model: ResolvedModel | undefined;
  readonly source: NonNullable<RunInputs['recording']>;
}

/**
 * Opens the record of a run, so that it can answer requests of another run.
 *
 * @param replayOnly if true, no request is sent, and an unrecorded request ends the run
 * @throws AppError `not_a_run`
 */
export function openRecord(folder: string, replayOnly: boolean): OtherRecord {
  const inputs = readRunInputs(folder);
  const file = join(folder, 'journal.jsonl');
  const recording = otherRecording(recordingOf(readEarlier(file).events), inputs.sample ?? 1);
  const source = { folder, journalSha256: sha256OfFile(file) };
  // The recorded price is removed, because the cost of the new run is computed with the prices of the new
  // strategy.
  const model = inputs.model === undefined ? undefined : { ...inputs.model, price: undefined };
  return { recording, replayOnly, model: replayOnly ? model : undefined, source };
}
