import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { AppError } from '../../../kernel/index.ts';
import { sqlText } from '../../../market/index.ts';
import type { Cell } from '../export/run-tables.ts';
import { exportTable, loadTable, type TableExport, writeParquet } from '../export/stored-table.ts';
import { isSweepFolder, readSweepResult, SWEEP_TRIALS, type SweepResult } from './sweep-result.ts';

/** A sweep in a results folder. */
export interface StoredSweep {
  readonly sweepId: string;
  readonly folder: string;
  /** `undefined` if the sweep is unfinished or its file cannot be read. */
  readonly result: SweepResult | undefined;
}

/** Lists the sweeps of a results folder, newest first. */
export function listSweeps(folder: string): StoredSweep[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((one) => isSweepFolder(one))
    .map((one) => ({ sweepId: basename(one), folder: one, result: resultIn(one) }))
    .sort((one, other) => (one.sweepId < other.sweepId ? 1 : -1));
}

function resultIn(folder: string): SweepResult | undefined {
  try {
    return readSweepResult(folder);
  } catch {
    return undefined;
  }
}

/**
 * File with the options of a run that was repeated several times with the same inputs (samples). The folder
 * with this file contains all samples.
 */
const SAMPLES = 'samples.json';

/**
 * Returns the run folders that a path stands for: the stored runs of a sweep, all samples of one run or of a
 * window of a study, or the folder itself.
 *
 * @throws AppError `no_run` for a sweep without stored runs
 */
export function runFoldersOf(folder: string): string[] {
  if (existsSync(join(folder, SAMPLES))) return samplesIn(folder);
  if (!isSweepFolder(folder)) {
    const samples = existsSync(join(folder, 'journal.jsonl')) ? [] : begunIn(folder);
    return samples.length > 0 ? samples : [folder];
  }
  const kept = join(folder, 'runs');
  const runs = existsSync(kept) ? foldersIn(kept).sort() : [];
  if (runs.length > 0) return runs;
  throw new AppError({
    code: 'no_run',
    message: `The sweep ${folder} has no stored runs.`,
    hint: 'Sweep again with --keep best or --keep all, or run the combinations to compare.',
  });
}

/** Returns the folders of all samples whose run was started, ordered by sample number. */
function begunIn(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const numbered = foldersIn(folder).flatMap((sample) => {
    const number = /^sample-(\d+)$/.exec(basename(sample))?.[1];
    return number === undefined || !existsSync(join(sample, 'journal.jsonl'))
      ? []
      : [{ sample, number: Number(number) }];
  });
  return numbered.sort((one, other) => one.number - other.number).map(({ sample }) => sample);
}

function samplesIn(folder: string): string[] {
  const begun = begunIn(folder);
  if (begun.length > 0) return begun;
  throw new AppError({
    code: 'no_run',
    message: `No sample in ${folder} has started.`,
    hint: `Run them first: npx sandtable resume ${folder}`,
  });
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((one) => statSync(one).isDirectory());
}

/** Names of the tables of sweeps in SQL queries. */
export const SWEEP_TABLES = ['sweeps', 'trials'] as const;

/**
 * Fills the tables `sweeps` (one row per sweep) and `trials` (one row per trial with the `sweepId`).
 *
 * @param isNamed returns true if the query may use a table. Other tables stay empty
 */
export async function loadSweepTables(
  connection: DuckDBConnection,
  sweeps: readonly StoredSweep[],
  isNamed: (table: (typeof SWEEP_TABLES)[number]) => boolean,
): Promise<void> {
  const columns = [
    'sweepId VARCHAR, strategy VARCHAR, search VARCHAR, objective VARCHAR, firstBar VARCHAR, lastBar VARCHAR',
    'trials BIGINT, refused BIGINT, failed BIGINT, bestObjective DOUBLE, bestParameters VARCHAR, deflatedSharpe DOUBLE, pbo DOUBLE, holds BOOLEAN',
  ];
  await connection.run(`CREATE TABLE sweeps (${columns.join(', ')})`);
  const value = (given: string | number | boolean | null): string =>
    given === null ? 'NULL' : typeof given === 'string' ? sqlText(given) : String(given);
  for (const { sweepId, result } of isNamed('sweeps') ? sweeps : []) {
    if (result === undefined) continue;
    const { strategy, search, objective, period, counts, best, deflatedSharpe, pbo, answer } = result;
    const row = [
      ...[
        sweepId,
        strategy.name,
        search.name,
        objective.text,
        period.evaluatedFrom ?? period.firstBar,
        period.lastBar,
      ],
      ...[counts.trials, counts.refused, counts.failed, best?.objective ?? null],
      ...[
        best === null ? null : JSON.stringify(best.parameters),
        deflatedSharpe.value,
        pbo.value,
        answer.holds,
      ],
    ];
    await connection.run(`INSERT INTO sweeps VALUES (${row.map(value).join(', ')})`);
  }
  await loadTable(
    connection,
    { name: 'trials', ids: ['sweepId'], empty: 'trial VARCHAR, objective DOUBLE' },
    (isNamed('trials') ? sweeps : []).map(({ folder, sweepId }) => ({
      file: join(folder, SWEEP_TRIALS),
      ids: [sweepId],
    })),
  );
}

/**
 * Exports the trials of a sweep as one file. Returns the path of the file.
 *
 * @throws AppError `not_a_sweep` if the table is missing, `export_exists`, `run_folder_unwritable`
 */
export function exportSweep(folder: string, where: TableExport): Promise<string> {
  return exportTable(join(folder, SWEEP_TRIALS), where, {
    code: 'not_a_sweep',
    message: `Missing ${SWEEP_TRIALS} in ${folder}: the sweep is unfinished.`,
    hint: `Finish it: npx sandtable sweep --resume ${folder}`,
  });
}

/** A column of `trials.parquet`. */
export interface TrialColumn {
  readonly name: string;
  readonly type: 'number' | 'text' | 'boolean';
}

/**
 * Writes one row per trial as Parquet, atomically. The same rows always result in the same bytes.
 *
 * @throws AppError `run_folder_unwritable`
 */
export function writeTrialRows(
  file: string,
  columns: readonly TrialColumn[],
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  return writeParquet(file, { columns: columns.map(({ name, type }) => [name, type] as const), rows });
}

export const STRESS_FILE = 'stress.json';
export const STRESS_PAGE = 'stress.html';
export const STRESS_WORLDS = 'worlds.parquet';
/** Name of the table of stress tests in SQL queries. */
export const STRESS_TABLE = 'stress';

const reportSchema = z.object({
  strategy: z.string(),
  kind: z.string(),
  worlds: z.number(),
  verdict: z.object({ state: z.string(), because: z.array(z.string()) }),
  firstBar: z.string().nullable().default(null),
  lastBar: z.string().nullable().default(null),
  /**
   * Figures of the run on the actual data. `p` is the p-value of the figure: the probability that a strategy
   * without skill has a figure at least as good.
   */
  figures: z
    .record(z.string(), z.object({ actual: z.number().nullable(), p: z.number().nullish() }))
    .default({}),
});

/** Stress test with a report in a results folder. */
export interface StoredStress {
  readonly stressId: string;
  readonly folder: string;
  /** Fields of the report that lists of stress tests show. */
  readonly report: z.infer<typeof reportSchema>;
}

/** True if a folder contains a stress test with a report. */
export function isStressFolder(folder: string): boolean {
  return reportIn(folder) !== undefined;
}

/** Lists the stress tests of a results folder that have a readable report, newest first. */
export function listStressTests(folder: string): StoredStress[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const own = join(folder, name);
      const report = reportIn(own);
      return report === undefined ? [] : [{ stressId: basename(own), folder: own, report }];
    })
    .sort((one, other) => (one.stressId < other.stressId ? 1 : -1));
}

function reportIn(folder: string): StoredStress['report'] | undefined {
  try {
    return reportSchema.safeParse(JSON.parse(readFileSync(join(folder, STRESS_FILE), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/**
 * Fills the table `stress`: one row per world (artificial market) with the `stressId`, the strategy and the
 * kind of its test.
 *
 * @param isNamed true if the query may use the table. Otherwise the table stays empty
 */
export function loadStressTable(
  connection: DuckDBConnection,
  tests: readonly StoredStress[],
  isNamed: boolean,
): Promise<void> {
  return loadTable(
    connection,
    { name: STRESS_TABLE, ids: ['stressId', 'strategy', 'kind'], empty: 'world BIGINT, outcome VARCHAR' },
    (isNamed ? tests : []).map(({ stressId, folder, report }) => ({
      file: join(folder, STRESS_WORLDS),
      ids: [stressId, report.strategy, report.kind],
    })),
  );
}

/**
 * Exports the results of a stress test as one file with one row per world (artificial market). Returns the
 * path of the file.
 *
 * @throws AppError `not_a_stress_test` if the table is missing, `export_exists`, `run_folder_unwritable`
 */
export function exportStress(folder: string, where: TableExport): Promise<string> {
  return exportTable(join(folder, STRESS_WORLDS), where, {
    code: 'not_a_stress_test',
    message: `Missing ${STRESS_WORLDS} in ${folder}.`,
    hint: `Create it: npx sandtable stress --resume ${folder}`,
  });
}
