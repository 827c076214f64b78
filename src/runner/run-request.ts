import type { AgentBudget, Environment, LoadedStrategy, Meter, Recording, Strategy } from '../agent/index.ts';
import type { MaskTerms, RunOutcome, RunSettings, RunSettingsInput } from '../engine/index.ts';
import type { FollowingJournal } from '../journal/index.ts';
import type { BarSeries, LoadedFeatures, LoadedPointInTime, Market } from '../market/index.ts';
import type { RunInputs } from '../runs/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { Watch } from './context.ts';
import type { FittedDetail } from './detail.ts';
import type { NamedBenchmark } from './find-benchmark.ts';
import type { WorldFiles } from './load-world.ts';
import type { RunOptions } from './options.ts';
import type { OtherRecord } from './other-record.ts';
import type { ToolExtras } from './tool-extras.ts';

/** What was asked for, by a command, by code, or by the record of an earlier run. */
export interface RunRequest {
  /** A file, or one made by `defineStrategy`; left out where the options name an agent. */
  readonly strategy?: string | Strategy | undefined;
  /** The strategy's file as the run's starter named it, where a copy is read in its place. */
  readonly namedAs?: string | undefined;
  /** Texts, where a command gave them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly options: RunOptions;
  /** Over those that the strategy brings. */
  readonly settings: RunSettingsInput;
  /** Bars in memory, in place of the files that the options name. */
  readonly market?: Market | undefined;
  /** Features in memory, in place of files. */
  readonly features?: LoadedFeatures | undefined;
  /** Series that are not traded in memory, in place of files. */
  readonly context?: readonly BarSeries[] | undefined;
  /** Documents, fundamentals and a universe in memory, beside files. */
  readonly pointInTime?: LoadedPointInTime | undefined;
  /** In place of the run's own budget. */
  readonly budget?: AgentBudget | undefined;
  /** Among the samples of one run, and the folder that holds them. */
  readonly sample?: { readonly number: number; readonly folder: string; readonly runId: string };
  /** Another run's record, to answer from. */
  readonly record?: OtherRecord;
}

/** A run that an earlier process began, and how this one goes over it. */
export interface EarlierRun {
  readonly folder: string;
  readonly inputs: RunInputs;
  readonly journal: FollowingJournal;
  readonly recording: Recording;
  /** Models are not asked: what is not recorded is an error. */
  readonly replayOnly: boolean;
  /** Stops the run where the record does. */
  readonly signal?: AbortSignal;
  /** Takes the place of writing files, where the run is only compared with its record. */
  readonly compared?: (outcome: RunOutcome, error: unknown) => void;
}

/** A run whose files are read and found good. */
export interface PreparedRun {
  readonly request: RunRequest;
  readonly strategy: LoadedStrategy;
  readonly loaded: WorldFiles;
  /** As they are without a mask. */
  readonly settings: RunSettings;
  readonly detail: FittedDetail | undefined;
  readonly benchmark: NamedBenchmark | undefined;
  readonly extras: ToolExtras;
  readonly mask: MaskTerms | undefined;
  readonly sandbox: Sandbox | undefined;
  readonly environment: Environment;
  /** Of a budget for models that other runs share. */
  readonly meter?: Meter | undefined;
  readonly earlier: EarlierRun | undefined;
  /** Of a strategy whose code runs in this process. */
  readonly watch: Watch | undefined;
}
