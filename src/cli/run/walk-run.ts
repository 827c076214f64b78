import { join } from 'node:path';
import type { RunSummary } from '../../analysis/index.ts';
import { type BacktestOptions, type BacktestResult, type RunEvent, runBacktest } from '../../engine/index.ts';
import { type Journal, type RunRecord, readJournal } from '../../journal/index.ts';
import { reportPage } from '../../pages/index.ts';
import {
  manifestOf,
  type RunFolder,
  type RunInputs,
  sha256OfFile,
  type Timing,
  writeRunFiles,
} from '../../runs/index.ts';
import type { Vfs } from '../../vfs/index.ts';
import type { FittedDetail } from '../detail.ts';
import type { WorldFiles } from '../load-world.ts';
import { eventsOfGiven, exportFiles } from '../tool-extras.ts';
import { version } from '../version.ts';

interface Walk {
  readonly startedAt: Date;
  readonly journal: Journal;
  readonly started: Extract<RunEvent, { type: 'run_started' }>;
  /** The in-memory files, as the run begins with them. */
  readonly files: Vfs;
  readonly backtest: Omit<BacktestOptions, 'onEvent' | 'onStart'>;
  /** Given what ends the walk in the middle of a decision that does not come back; the process must end then. */
  readonly onStart?: (giveUp: (error: unknown, outcome: 'failed' | 'interrupted') => WalkedRun) => void;
  /** Told of every event of the walk after it is in the journal. */
  readonly onEvent?: (event: RunEvent) => void;
}

export interface WalkedRun {
  readonly result: BacktestResult;
  readonly startedAt: Date;
  /** Of the walk, by the clock on the wall. */
  readonly seconds: number;
}

/** Walks a run into its journal, and closes that. */
export async function walkRun({
  startedAt,
  journal,
  started,
  files,
  backtest,
  onEvent,
  onStart,
}: Walk): Promise<WalkedRun> {
  const clockStart = performance.now();
  const walked = (result: BacktestResult): WalkedRun => ({
    result,
    startedAt,
    seconds: (performance.now() - clockStart) / 1000,
  });
  try {
    journal.append(started);
    for (const event of eventsOfGiven(files)) journal.append(event);
    const result = await runBacktest({
      ...backtest,
      onStart: (giveUp) =>
        onStart?.((error, outcome) => {
          const ended = walked(giveUp(error, outcome));
          journal.close();
          return ended;
        }),
      onEvent:
        onEvent === undefined
          ? (event) => journal.append(event)
          : (event) => {
              journal.append(event);
              onEvent(event);
            },
    });
    return walked(result);
  } finally {
    journal.close();
  }
}

/** What a run's starter knows of it and its journal does not say. */
interface KnownOfRun {
  readonly loaded: WorldFiles;
  readonly detail?: FittedDetail | undefined;
  readonly strategy?: {
    readonly file: string;
    readonly sha256: string;
    readonly files?: readonly { readonly file: string; readonly sha256: string }[] | undefined;
  };
  readonly inputs?: RunInputs;
  /** What results depended on besides this program and Node. */
  readonly versions: Readonly<Record<string, string>>;
  /** How many of the exchanges with a model came from a record. */
  readonly replayedExchanges?: (record: RunRecord) => number;
  readonly modelCutoff?: string | undefined;
  readonly timings: Pick<Timing, 'tools' | 'model'>;
}

/** Writes a walked run's files from its journal. */
export function settleRun(
  { runId, folder }: RunFolder,
  { result, startedAt, seconds }: WalkedRun,
  known: KnownOfRun,
): RunSummary {
  const { loaded, detail, strategy } = known;
  const file = join(folder, 'journal.jsonl');
  const record = readJournal(file);
  exportFiles(record.fileChanges, folder);
  return writeRunFiles(folder, {
    record,
    replayedExchanges: known.replayedExchanges?.(record) ?? 0,
    modelCutoff: known.modelCutoff,
    page: reportPage,
    manifest: manifestOf(record, {
      runId,
      versions: { sandtable: version(), node: process.versions.node, ...known.versions },
      strategyFile: strategy?.file ?? null,
      strategySha256: strategy?.sha256 ?? null,
      ...(strategy?.files === undefined ? {} : { strategyFiles: strategy.files }),
      sources: loaded.sources,
      actions: loaded.actionsSource,
      adjustments: [...loaded.adjustments, ...(detail?.adjustments ?? [])],
      detail: detail?.sources ?? [],
      journalSha256: sha256OfFile(file),
      ...(known.inputs === undefined ? {} : { inputs: known.inputs }),
    }),
    timing: {
      startedAt: startedAt.toISOString(),
      finishedAt: new Date().toISOString(),
      seconds,
      barsPerSecond: result.bars / Math.max(seconds, 1e-9),
      ...known.timings,
    },
  });
}
