import type { z } from 'zod';
import type { Budget, Environment, LoadedStrategy, Recording } from '../../agent/index.ts';
import type { RunSummary } from '../../analysis/index.ts';
import type { MaskTerms, RunOutcome, RunSettings } from '../../engine/index.ts';
import type { FollowingJournal } from '../../journal/index.ts';
import type { RunInputs } from '../../runs/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import type { OtherRecord } from '../commands/recording.ts';
import type { FittedDetail } from '../detail.ts';
import type { runFlagsSchema } from '../flags.ts';
import type { Watch } from '../guard/process-guard.ts';
import type { WorldFiles } from '../load-world.ts';
import type { NamedBenchmark } from '../find-benchmark.ts';
import type { ToolExtras } from '../tool-extras.ts';

/** What was asked for, by a command or by the record of an earlier one. */
export interface AskedRun {
  readonly file: string;
  /** As texts. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly flags: z.infer<typeof runFlagsSchema>;
  /** Over the strategy's own budget of a run. */
  readonly budget?: Budget | undefined;
  /** Among the samples of one run, and the folder that holds them. */
  readonly sample?: { readonly number: number; readonly folder: string; readonly runId: string };
  /** Another run's record, to answer from. */
  readonly record?: OtherRecord;
  /** Loads the strategy's file anew, under this name, although this process has run it before. */
  readonly again?: string;
  /** Told once the run's files are written. */
  readonly onSettled?: (run: { readonly folder: string; readonly summary: RunSummary }) => void;
}

/** A run that an earlier process began, and how this one goes over it. */
export interface EarlierRun {
  readonly folder: string;
  readonly inputs: RunInputs;
  readonly journal: FollowingJournal;
  readonly recording: Recording;
  /** Models are not asked: what is not recorded is an error. */
  readonly replayOnly: boolean;
  /** Stops the walk where the record does. */
  readonly signal?: AbortSignal;
  /** Takes the place of writing and printing a summary; gives the exit code. */
  readonly report?: (outcome: RunOutcome, error: unknown) => number;
}

/** A run whose files are read and found good. */
export interface PreparedRun {
  readonly asked: AskedRun;
  readonly silent: boolean;
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
  readonly earlier: EarlierRun | undefined;
  /** Of a strategy whose code runs in this process. */
  readonly watch: Watch | undefined;
}
