import { join } from 'node:path';
import type { RunSummary } from '../../analysis/index.ts';
import type { Arrivals, BacktestOptions, BacktestResult, RunEvent } from '../../engine/index.ts';
import { openJournal } from '../../journal/index.ts';
import type { GivenWorld } from '../../masking/index.ts';
import { createRunFolder, type RunFolder, runIdFor } from '../../runs/index.ts';
import type { Vfs } from '../../vfs/index.ts';
import { executeRun } from '../execute-run.ts';
import type { WorldFiles } from '../load-world.ts';
import type { ToolTimings } from '../tool-timings.ts';
import { writeArtifacts } from '../write-artifacts.ts';

export interface RecordedRunOptions {
  readonly started: Extract<RunEvent, { type: 'run_started' }>;
  readonly backtest: Pick<BacktestOptions, 'decider' | 'settings' | 'signal'>;
  readonly loaded: WorldFiles;
  /** Loaded data as the client sees them. */
  readonly seen: GivenWorld;
  /** In-memory files at the beginning of the run. */
  readonly files: Vfs;
  readonly arrivals: Arrivals;
  readonly outFolder: string;
  /** Named research project. Undefined for the default project. */
  readonly project: string | undefined;
  readonly timings: ToolTimings;
  /** Returns the versions of other software that influenced the results. Called at the end. */
  versions(): Readonly<Record<string, string>>;
  /** Called with problems of the ledger of the results folder. */
  readonly warn: (text: string) => void;
}

export interface RecordedRun extends RunFolder {
  /** Resolves when the run folder is complete. */
  readonly done: Promise<{ readonly result: BacktestResult; readonly summary: RunSummary }>;
}

/** Runs a backtest and always writes a run folder, whatever the outcome. */
export function recordRun(options: RecordedRunOptions): RecordedRun {
  const { started, outFolder } = options;
  const startedAt = new Date();
  const run = createRunFolder(outFolder, runIdFor(started.strategy.name, startedAt, JSON.stringify(started)));
  return { ...run, done: record(options, run, startedAt) };
}

async function record(
  { started, backtest, loaded, seen, files, arrivals, timings, versions, warn, project }: RecordedRunOptions,
  run: RunFolder,
  startedAt: Date,
): Promise<{ result: BacktestResult; summary: RunSummary }> {
  const { market, actions, rates, features = [], context = [], pointInTime, interestClock } = seen;
  const executed = await executeRun({
    startedAt,
    journal: openJournal(join(run.folder, 'journal.jsonl')),
    started,
    files,
    backtest: {
      market,
      actions,
      rates,
      features,
      context,
      pointInTime,
      interestClock,
      arrivals,
      ...backtest,
    },
  });
  const { summary } = writeArtifacts(run, executed, {
    loaded,
    versions: versions(),
    project,
    timings: { tools: timings.summary(), ...timings.decisions() },
    warn,
  });
  return { result: executed.result, summary };
}
