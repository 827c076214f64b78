import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { type RunRecord, readJournal } from '../../journal/index.ts';
import { AppError, fileProblem, isObject, parseJsonInput, textOf, version } from '../../kernel/index.ts';
import { type DataFrame, dataFrame, type FrameColumn } from '../../market/index.ts';
import {
  computeMetrics,
  type Metrics,
  type MetricsOptions,
  type RunSummary,
  runSummarySchema,
  summarise,
} from '../analysis/index.ts';
import { type Cell, type ColumnType, runTable } from './export/run-tables.ts';
import { jsonText, readJson, type Timing, timingSchema, writeWhole } from './files.ts';
import { INPUTS_SCHEMA, type Manifest } from './manifest.ts';
import { reportOptionsOf } from './report-options.ts';

/** Tables of a run that are available as DataFrames. */
export const FRAMES = ['trades', 'equity', 'decisions', 'metrics', 'features'] as const;
/** Name of a table that `toFrame` returns. */
export type FrameName = (typeof FRAMES)[number];

/**
 * Returns a table of a run as a danfo.js DataFrame. Money is float64.
 *
 * - `trades`: one row per closed trade, then one row per open trade, without an exit
 * - `equity`: one row per bar
 * - `decisions`: one row per bar: numbers of accepted and rejected orders and of tool calls, and outcome and
 *   token usage of the model's decision
 * - `features`: one row per feature value, with its symbol and the time at which the value became visible
 * - `metrics`: one row per figure, with its convention and, if it is undefined, the reason
 */
export function runFrame(
  record: RunRecord,
  name: FrameName,
  options: MetricsOptions = {},
): Promise<DataFrame> {
  const { columns, rows } = runTable(record, name, options);
  return dataFrame(
    Object.fromEntries(
      columns.map(([column, type], index) => [
        column,
        frameColumn(
          rows.map((row) => row[index] ?? null),
          type,
        ),
      ]),
    ),
  );
}

function frameColumn(cells: readonly Cell[], type: ColumnType): FrameColumn {
  if (type === 'text' || type === 'instant') return cells.map((cell) => cell ?? '');
  if (type === 'boolean') return cells;
  return cells.map((cell) => (cell === null ? Number.NaN : Number(cell)));
}

/** Run that was read from its folder. */
export interface StoredRun {
  readonly runId: string;
  readonly folder: string;
  readonly record: RunRecord;
  /** Content of `manifest.json`. `undefined` if the file is missing or damaged. */
  readonly manifest: Manifest | undefined;
  /** Options for computing the figures, from the run's flags. */
  readonly options: MetricsOptions;
  readonly metrics: Metrics;
  readonly summary: RunSummary;
  /** Content of `timing.json`. `undefined` if the file is missing. */
  readonly timing: Timing | undefined;
  /** Returns a table of the run as a danfo.js DataFrame. */
  toFrame(name: FrameName): Promise<DataFrame>;
}

/**
 * Reads a run from its folder. The figures are recomputed from the journal.
 *
 * @param folder folder of the run, or its `journal.jsonl`
 * @param reading.salvage if true, reads the lines before a damaged line instead of throwing
 * @param reading.lightBars if true, the values of a bar are computed at each access instead of being stored.
 *   Faster for long runs, and needs less memory
 * @throws AppError `no_run` if the folder has no journal, `other_version`; errors of reading a journal
 */
export function readRun(
  folder: string,
  reading: { readonly salvage?: boolean; readonly lightBars?: boolean } = {},
): StoredRun {
  const found = basename(folder) === 'journal.jsonl' ? resolve(folder, '..') : resolve(folder);
  const journal = join(found, 'journal.jsonl');
  if (!existsSync(journal)) {
    throw new AppError({
      code: 'no_run',
      message: `No run found in ${folder}: journal.jsonl is missing.`,
      hint: 'Pass the path of a run folder, for example reports/20261121-215900-sma-cross-3fa9c1.',
    });
  }
  checkRunVersion(found);
  const record = readJournal(journal, reading);
  const runId = basename(found);
  const options = reportOptionsOf(found);
  const manifest = manifestIn(found);
  let metrics: Metrics | undefined;
  let summary: RunSummary | undefined;
  // The figures are computed on first access, because the computation takes long for a million bars.
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
        // The manifest was read without a schema and may have been edited, so `data` may be missing.
        heldOut: manifest?.data?.holdout,
      });
      return summary;
    },
    timing: readTiming(join(found, 'timing.json')),
    toFrame: (name) => runFrame(record, name, options),
  };
}

/**
 * Reads the manifest of a folder. Returns `undefined` for a manifest without a strategy or data, because
 * Sandtable did not write such a file.
 */
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
      hint: 'Pass a folder that contains run folders, for example reports.',
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

/**
 * Throws if another version of Sandtable wrote the run folder in a different format. Does not change the
 * folder.
 *
 * @throws AppError `other_version`, `damaged_manifest` if the manifest is not a JSON object
 */
export function checkRunVersion(folder: string): void {
  const file = join(folder, 'manifest.json');
  const manifest = jsonIn(file);
  if (!isObject(manifest) && existsSync(file))
    throw new AppError({
      code: 'damaged_manifest',
      message: `${file} is ${manifest === undefined ? 'not JSON' : 'not a JSON object'}: the file was changed or truncated after the run.`,
      hint: 'Restore the file. If you move it away, the run is read from journal.jsonl alone, and changes of the journal cannot be detected.',
    });
  for (const [name, value] of [
    ['manifest.json', manifest],
    ['inputs.json', jsonIn(join(folder, 'inputs.json'))],
  ] as const) {
    if (!isObject(value) || value.schema === INPUTS_SCHEMA || typeof value.schema !== 'number') continue;
    const versions = isObject(manifest) && isObject(manifest.versions) ? manifest.versions : {};
    const writer = textOf(versions.sandtable);
    const kind = value.schema > INPUTS_SCHEMA ? 'a newer' : 'an older';
    throw new AppError({
      code: 'other_version',
      message: `${join(folder, name)} has schema ${value.schema}, written by ${kind} Sandtable. This version, ${version()}, reads schema ${INPUTS_SCHEMA}.`,
      hint: `Use ${writer === '' ? 'the version that wrote it' : `npx sandtable@${writer}`} for this run, or run the backtest again with this version. The folder is unchanged.`,
    });
  }
}

function jsonIn(file: string): unknown {
  try {
    return parseJsonInput(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const FILE = 'other-answer.json';

const otherAnswerSchema = z.object({
  schema: z.literal(1),
  /**
   * Assumption of the other run (this run, repeated with the opposite assumption) about ambiguous bars. The
   * price path within an ambiguous bar is unknown, so the path with the worst or the best outcome for the
   * strategy is assumed.
   */
  resolve: z.enum(['worst', 'best']),
  runId: z.string(),
  /** Folder of the other run, relative to the folder of this run. */
  folder: z.string(),
  finalEquity: z.string(),
  totalReturn: z.number().nullable(),
  sharpe: z.number().nullable(),
  maxDrawdown: z.number().nullable(),
  tradeCount: z.number(),
  ambiguousBars: z.number(),
  ambiguityDifference: z.string(),
});

/**
 * Result of the same run under the opposite assumption for ambiguous bars: best instead of worst, or worst
 * instead of best.
 */
export type OtherAnswer = z.infer<typeof otherAnswerSchema>;

/** Writes the result of a run under the opposite assumption into the folder of the original run. */
export function writeOtherAnswer(
  folder: string,
  other: { readonly resolve: 'worst' | 'best'; readonly folder: string; readonly summary: RunSummary },
): void {
  const { runId, finalEquity, totalReturn, sharpe, maxDrawdown, tradeCount } = other.summary;
  const { ambiguousBars, ambiguityDifference } = other.summary;
  const figures = { finalEquity, totalReturn, sharpe, maxDrawdown, tradeCount };
  const answer: OtherAnswer = {
    schema: 1,
    resolve: other.resolve,
    runId,
    folder: other.folder,
    ...figures,
    ambiguousBars,
    ambiguityDifference,
  };
  writeWhole(join(folder, FILE), jsonText(answer));
}

/**
 * Reads the result of a run under the opposite assumption from the folder of the original run. Returns
 * `undefined` if the file is missing or unreadable.
 */
export function readOtherAnswer(folder: string): OtherAnswer | undefined {
  try {
    return otherAnswerSchema.safeParse(JSON.parse(readFileSync(join(folder, FILE), 'utf8'))).data;
  } catch {
    return undefined;
  }
}
