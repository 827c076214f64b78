import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { platformDoors } from '../../engine/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { AppError, fileProblem, makeFolder } from '../../kernel/index.ts';
import {
  computeMetrics,
  countTrials,
  type Metrics,
  type MetricsOptions,
  type RunSummary,
  summarise,
  type TrialCount,
} from '../analysis/index.ts';
import { equityCsvPieces, tradesCsv } from './export/run-csv.ts';
import { attempt, jsonText, type Timing, writeWhole } from './files.ts';
import { trialsOfLedger } from './ledger/ledger-records.ts';
import { searchesIn, searchOf, storeOf, trialOf } from './ledger/search.ts';
import type { Manifest } from './manifest.ts';
import { reportOptionsOf } from './report-options.ts';
import { type TestsOfRun, testsOfRun } from './stores/tests-of-run.ts';
import { withHashes } from './verify/archive.ts';

export interface RunFolder {
  readonly runId: string;
  readonly folder: string;
}

const COLLISIONS = 10_000;
const NAME_LENGTH = 40;

/**
 * Returns the name of a run: date and time (UTC), name of the strategy, and six hex digits of the hash of
 * `key`. Example: `20261121-215900-sma-cross-3fa9c1`.
 *
 * @param key any text that distinguishes this run from others, such as its settings and data hashes
 */
export function runIdFor(strategyName: string, now: Date, key: string): string {
  const [day, time] = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T');
  const name = strategyName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return `${day}-${time}-${name === '' ? 'run' : name}-${createHash('sha256').update(key).digest('hex').slice(0, 6)}`;
}

/**
 * Creates a new folder for a run. If the name exists, appends `-2`, `-3` … to the run's id.
 *
 * @throws AppError `bad_run_id` if the id is not a plain folder name, `run_folder_unwritable`
 */
export function createRunFolder(outFolder: string, runId: string): RunFolder {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(runId)) {
    throw new AppError({
      code: 'bad_run_id',
      message: `${JSON.stringify(runId)} is not a valid name for a run folder.`,
      hint: 'Use letters, digits, dots, hyphens and underscores. Begin with a letter or digit.',
    });
  }
  makeOutFolder(outFolder);
  for (let attemptNumber = 1; attemptNumber <= COLLISIONS; attemptNumber++) {
    const name = attemptNumber === 1 ? runId : `${runId}-${attemptNumber}`;
    const folder = join(outFolder, name);
    if (attempt(folder, () => madeFolder(folder))) return { runId: name, folder };
  }
  throw new AppError({
    code: 'run_folder_unwritable',
    message: `${outFolder} already contains ${COLLISIONS} runs named ${runId}.`,
    hint: 'Remove old runs, or choose another folder with --out.',
    kind: 'run',
  });
}

/** Creates the results folder. */
function makeOutFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (cause) {
    const full =
      cause instanceof Error && 'code' in cause && ['ENOSPC', 'EDQUOT'].includes(String(cause.code));
    throw new AppError({
      code: 'run_folder_unwritable',
      message: `Cannot create the folder ${folder}: ${fileProblem(cause)}.`,
      hint: 'Check the path, its permissions and the free space, or choose another with --out.',
      kind: full ? 'run' : 'input',
      cause,
    });
  }
}

// `mkdir` without `recursive` fails if the folder exists. Two processes therefore never use the same folder.
function madeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Inputs for the page of a run, `report.html`. */
export interface PageSource {
  readonly runId: string;
  readonly record: RunRecord;
  readonly manifest: Manifest;
  readonly options: MetricsOptions;
  readonly metrics: Metrics;
  readonly timing: Timing;
  readonly trials: TrialCount | undefined;
  readonly tests: TestsOfRun;
}

/** Results of a run whose files were written. A caller can report on the run without reading these files. */
export interface WrittenRun {
  readonly summary: RunSummary;
  /** Equity of the benchmark on each evaluated bar. `undefined` without a benchmark. */
  readonly benchmarkEquity: Float64Array | undefined;
}

/**
 * Number of steps of `writeRunFiles`: computing the figures, the summary and the page, and writing six files.
 */
const STEPS = 9;

/**
 * Writes all files of a run except the journal. Each file is written atomically, `manifest.json` last.
 *
 * @throws AppError `run_folder_unwritable`
 */
export function writeRunFiles(
  folder: string,
  run: {
    readonly manifest: Manifest;
    readonly record: RunRecord;
    readonly timing: Timing;
    readonly replayedExchanges?: number;
    readonly modelCutoff?: string | undefined;
    /** Returns the text of `report.html`. */
    readonly page: (source: PageSource) => string;
    /** Called before each step, with the number of finished steps and of all steps. */
    readonly onStep?: ((done: number, total: number) => void) | undefined;
  },
): WrittenRun {
  const { record, manifest, timing } = run;
  let steps = 0;
  const step = (): void => run.onStep?.(steps++, STEPS);
  step();
  const { runId } = manifest;
  const options = reportOptionsOf(folder);
  const metrics = computeMetrics(record, options);
  step();
  const summary = summarise(record, {
    ...options,
    metrics,
    spine: metrics.benchmarkTable(),
    runId,
    replayedExchanges: run.replayedExchanges ?? 0,
    modelCutoff: run.modelCutoff,
    heldOut: manifest.data.holdout,
    platformDoors: platformDoors(manifest.versions),
  });
  const trials = trialsOfRun(folder, manifest, summary);
  const tests = testsOfRun(folder, manifest, summary);
  step();
  const page = run.page({ runId, record, manifest, options, metrics, timing, trials, tests });
  // Each text is created when it is written, because these texts need much memory: with a million bars, more
  // than the rest of the run.
  const files: readonly (readonly [string, () => string | Iterable<string>])[] = [
    ['equity.csv', () => equityCsvPieces(record)],
    ['trades.csv', () => tradesCsv(record)],
    ['summary.json', () => jsonText(summary)],
    ['timing.json', () => jsonText(timing)],
    ['report.html', () => page],
    ['manifest.json', () => jsonText(withHashes(manifest, folder))],
  ];
  for (const [name, text] of files) {
    step();
    writeWhole(join(folder, name), text());
  }
  return { summary, benchmarkEquity: metrics.benchmarkEquity };
}

/**
 * Counts the trials of the search that a run belongs to: runs of the same strategy with different parameters
 * on the same data. Includes the run itself, and trials that only the ledger contains.
 *
 * @returns `undefined` for a run that did not process all of its bars
 */
export function trialsOfRun(
  folder: string,
  manifest: Manifest | undefined,
  summary: RunSummary,
): TrialCount | undefined {
  const key = manifest && searchOf(manifest, summary);
  if (key === undefined) return undefined;
  const own = resolve(folder);
  const others = (searchesIn(storeOf(own), new Set([summary.strategy])).get(key) ?? []).filter(
    (trial) => trial.folder !== own,
  );
  const runs = [...others, trialOf(summary.runId, own, summary)];
  const looks = trialsOfLedger(own, { project: manifest?.project, strategy: summary.strategy }).of(key, runs);
  return countTrials([...runs, ...looks], summary.periodsPerYear);
}
