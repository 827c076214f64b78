import { join } from 'node:path';
import { type BacktestResult, type Decider, type RunEvent, runBacktest } from '../../engine/index.ts';
import { openJournal, readJournal } from '../../journal/index.ts';
import {
  createRunFolder,
  manifestOf,
  type RunFolder,
  type RunSummary,
  runIdFor,
  sha256OfFile,
  writeRunFiles,
} from '../../reports/index.ts';
import type { Vfs } from '../../vfs/index.ts';
import type { WorldFiles } from '../load-world.ts';
import { eventsOfGiven, exportFiles } from '../tool-extras.ts';
import type { ToolTimings } from '../tool-timings.ts';
import { version } from '../version.ts';

export interface RecordedRunOptions {
  readonly started: Extract<RunEvent, { type: 'run_started' }>;
  readonly decider: Decider;
  readonly loaded: WorldFiles;
  readonly settings: Parameters<typeof runBacktest>[0]['settings'];
  /** The in-memory files, as the run begins with them. */
  readonly files: Vfs;
  readonly outFolder: string;
  readonly signal: AbortSignal;
  readonly timings: ToolTimings;
  /** Asked at the end: what results depended on besides this program. */
  versions(): Readonly<Record<string, string>>;
  /** Told of every event after it is in the journal. */
  readonly onEvent: (event: RunEvent) => void;
}

export interface RecordedRun extends RunFolder {
  /** Resolves when the run folder is whole. */
  readonly done: Promise<{ readonly result: BacktestResult; readonly summary: RunSummary }>;
}

/** A backtest that leaves a run folder, however it ends. */
export function recordRun(options: RecordedRunOptions): RecordedRun {
  const startedAt = new Date();
  const run = createRunFolder(
    options.outFolder,
    runIdFor(options.started.strategy.name, startedAt, JSON.stringify(options.started)),
  );
  return { ...run, done: walk(options, run, startedAt) };
}

async function walk(
  options: RecordedRunOptions,
  { runId, folder }: RunFolder,
  startedAt: Date,
): Promise<{ result: BacktestResult; summary: RunSummary }> {
  const { decider, loaded, settings, signal } = options;
  const file = join(folder, 'journal.jsonl');
  const journal = openJournal(file);
  const clockStart = performance.now();
  try {
    journal.append(options.started);
    for (const event of eventsOfGiven(options.files)) journal.append(event);
    const result = await runBacktest({
      market: loaded.market,
      actions: loaded.actions,
      rates: loaded.rates,
      decider,
      ...(settings === undefined ? {} : { settings }),
      signal,
      onEvent(event) {
        journal.append(event);
        options.onEvent(event);
      },
    });
    journal.close();
    const seconds = (performance.now() - clockStart) / 1000;
    const record = readJournal(file);
    exportFiles(record.fileChanges, folder);
    const manifest = manifestOf(record, {
      runId,
      versions: { sandtable: version(), node: process.versions.node, ...options.versions() },
      strategyFile: null,
      strategySha256: null,
      sources: loaded.sources,
      actions: loaded.actionsSource,
      adjustments: loaded.adjustments,
      journalSha256: sha256OfFile(file),
    });
    const timing = {
      startedAt: startedAt.toISOString(),
      finishedAt: new Date().toISOString(),
      seconds,
      barsPerSecond: result.bars / Math.max(seconds, 1e-9),
      tools: options.timings.summary(),
    };
    return { result, summary: writeRunFiles(folder, { record, manifest, timing }) };
  } finally {
    journal.close();
  }
}
