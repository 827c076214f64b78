import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import {
  computeMetrics,
  type Metrics,
  type MetricsOptions,
  type RunSummary,
  runSummarySchema,
  summarise,
} from '../analysis/index.ts';
import { type RunRecord, readJournal } from '../journal/index.ts';
import { AppError, fileProblem, isObject, parseJsonInput } from '../kernel/index.ts';
import type { DataFrame } from '../market/index.ts';
import { type FrameName, runFrame } from './frames.ts';
import type { Manifest } from './manifest.ts';
import { checkRunVersion } from './other-version.ts';
import { reportOptionsOf } from './report-options.ts';
import { type Timing, timingSchema } from './timing.ts';

/** A run read from its folder. */
export interface StoredRun {
  readonly runId: string;
  readonly folder: string;
  readonly record: RunRecord;
  /** `undefined` if the run was killed before writing the file, or if the file is damaged. */
  readonly manifest: Manifest | undefined;
  /** Options for computing the figures, from the run's flags. */
  readonly options: MetricsOptions;
  readonly metrics: Metrics;
  readonly summary: RunSummary;
  /** Wall-clock times. `undefined` if the run has no such file. */
  readonly timing: Timing | undefined;
  /** Returns a table of the run as a danfo.js DataFrame. */
  toFrame(name: FrameName): Promise<DataFrame>;
}

/**
 * Reads a run from its folder. The figures are recomputed from the journal.
 *
 * @param folder folder of the run, or its `journal.jsonl`
 * @param reading.salvage if true, reads the part before a damaged line instead of throwing
 * @throws AppError `no_run` if the folder has no journal, `other_version`; errors of reading a journal
 */
export function readRun(folder: string, reading: { readonly salvage?: boolean } = {}): StoredRun {
  const found = basename(folder) === 'journal.jsonl' ? resolve(folder, '..') : resolve(folder);
  const journal = join(found, 'journal.jsonl');
  if (!existsSync(journal)) {
    throw new AppError({
      code: 'no_run',
      message: `There is no run in ${folder}: it holds no journal.jsonl.`,
      hint: 'Name the folder of a run, such as reports/20261121-215900-sma-cross-3fa9c1.',
    });
  }
  checkRunVersion(found);
  const record = readJournal(journal, reading);
  const runId = basename(found);
  const options = reportOptionsOf(found);
  const manifest = manifestIn(found);
  let metrics: Metrics | undefined;
  let summary: RunSummary | undefined;
  // Computed on request, because a million bars take a while.
  const metricsOf = (): Metrics => {
    metrics ??= computeMetrics(record, options);
    return metrics;
  };
  return {
    runId,
    folder: found,
    record,
    manifest,
    options,
    get metrics() {
      return metricsOf();
    },
    get summary() {
      summary ??= summarise(record, {
        ...options,
        metrics: metricsOf(),
        runId,
        // Read without a schema, because the manifest may have been edited.
        heldOut: manifest?.data?.holdout,
      });
      return summary;
    },
    timing: readTiming(join(found, 'timing.json')),
    toFrame: (name) => runFrame(record, name, options),
  };
}

/** Ignores a manifest without a strategy or data, because Sandtable did not write it. */
function manifestIn(folder: string): Manifest | undefined {
  const read = readJson(join(folder, 'manifest.json'));
  if (!isObject(read) || !isObject(read.strategy) || !isObject(read.data)) return undefined;
  return Array.isArray(read.data.sources) ? (read as unknown as Manifest) : undefined;
}

function readTiming(file: string): Timing | undefined {
  const read = timingSchema.safeParse(readJson(file));
  return read.success ? read.data : undefined;
}

/** One entry in a list of runs, from `summary.json`. */
export interface ListedRun {
  readonly runId: string;
  readonly folder: string;
  /** `undefined` without a readable summary: the run is in progress, was killed, or is damaged. */
  readonly summary: RunSummary | undefined;
}

/**
 * Lists the runs in a folder, newest first. Folders without a journal are ignored.
 *
 * @throws AppError `no_reports` if the folder cannot be read
 */
export function listRuns(folder: string): ListedRun[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    throw new AppError({
      code: 'no_reports',
      message: `Cannot read ${folder}: ${fileProblem(cause)}.`,
      hint: 'Name the folder that holds run folders, such as reports.',
      cause,
    });
  }
  return names
    .map((name) => join(folder, name))
    .filter((run) => existsSync(join(run, 'journal.jsonl')) && statSync(run).isDirectory())
    .map((run) => {
      const summary = runSummarySchema.safeParse(readJson(join(run, 'summary.json')));
      return { runId: basename(run), folder: run, summary: summary.success ? summary.data : undefined };
    })
    .sort((a, b) => (a.runId < b.runId ? 1 : -1));
}

function readJson(file: string): unknown {
  try {
    return parseJsonInput(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
