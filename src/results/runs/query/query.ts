import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError, messageOf } from '../../../kernel/index.ts';
import { sqlPath, sqlText } from '../../../market/index.ts';
import { fillTable, openMemory, QUERY_TYPES } from '../export/duckdb.ts';
import { equityCsv, tradesCsv } from '../export/run-csv.ts';
import { columnsOf, type RunTableName, runTable } from '../export/run-tables.ts';
import { jsonText } from '../files.ts';
import type { Manifest } from '../manifest.ts';
import { type ListedRun, listRuns, readRun, type StoredRun } from '../read-run.ts';
import { isUnderWay, journalState } from '../run-state.ts';
import { hasStudies, loadStudyTables, STUDY_TABLES } from '../stores/study-store.ts';
import {
  listStressTests,
  listSweeps,
  loadStressTable,
  loadSweepTables,
  STRESS_TABLE,
  SWEEP_TABLES,
} from '../stores/sweep-store.ts';
import { limitedRead, QUERY_LIMITS, type QueryLimits } from './query-limits.ts';

/** Result of a query. Values are numbers, texts, booleans and nulls. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  /** Descriptions of missing data, for example of runs that could not be read. */
  readonly notes: readonly string[];
}

/** Tables read from the final files of a run: `summary.json`, `equity.csv` and `trades.csv`. */
const FILE_TABLES = ['runs', 'equity', 'trades'] as const;
/**
 * Tables read from journals. Loaded only if a query contains their names, because journals are slow to read.
 */
const JOURNAL_TABLES = [
  'fills',
  'orders',
  'decisions',
  'metrics',
  'spine',
] as const satisfies readonly RunTableName[];
const TABLES = [...FILE_TABLES, ...JOURNAL_TABLES, ...SWEEP_TABLES, STRESS_TABLE, ...STUDY_TABLES];

/**
 * Runs SQL over all runs in a folder.
 *
 * - Runs: `runs` (with its `parameters` as JSON), `equity`, `trades`, `fills`, `orders`, `decisions`,
 *   `metrics` and `spine`, each with a `runId`
 * - Sweeps: `sweeps` and `trials`, each with a `sweepId`
 * - Stress tests: `stress`, one row per world (artificial market) with a `stressId`
 * - Studies: `arms`, `comparisons` and `study_runs`, each with a `studyId`
 *
 * The files are read into memory first. The query itself has no access to files or the network and cannot
 * change anything.
 *
 * @param limits limits of the query. Reading the runs is not limited
 * @param onBegin called when all runs have been read, before the query starts
 * @throws AppError `no_reports`, `no_run` if the folder contains no run, `bad_query` with DuckDB's message,
 *   `query_timeout`, `query_memory`
 */
export async function queryRuns(
  folder: string,
  sql: string,
  limits: QueryLimits = QUERY_LIMITS,
  onBegin?: () => void,
): Promise<QueryResult> {
  const runs = listRuns(folder);
  const sweeps = listSweeps(folder);
  const tests = listStressTests(folder);
  if (runs.length === 0 && sweeps.length === 0 && tests.length === 0 && !hasStudies(folder)) {
    throw new AppError({
      code: 'no_run',
      message: `No run found in ${folder}.`,
      hint: 'Create one: npx sandtable run strategies/sma-cross.ts --data data/spx-daily.csv',
    });
  }
  const { connection, close } = await openMemory();
  try {
    const notes = await loadTables(connection, runs, sql);
    await loadSweepTables(connection, sweeps, (table) => names(sql, table));
    await loadStressTable(connection, tests, names(sql, STRESS_TABLE));
    await loadStudyTables(connection, folder, (table) => names(sql, table));
    await connection.run(
      `SET memory_limit = '${limits.megabytes}MiB'; SET enable_external_access = false; SET lock_configuration = true`,
    );
    onBegin?.();
    try {
      const { columns, types, rows } = await limitedRead(connection, sql, limits);
      const whole = types.map((type) => WHOLE_NUMBERS.test(type));
      for (const row of rows)
        for (const [index, value] of row.entries()) row[index] = plain(value, whole[index]!);
      return { columns, rows: rows as QueryResult['rows'], notes };
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw await badQuery(connection, sql, cause);
    }
  } finally {
    close();
  }
}

/** True if the text of a query contains the name of a table. */
function names(sql: string, table: string): boolean {
  return new RegExp(`\\b${table}\\b`, 'i').test(sql);
}

/**
 * Run whose rows are queried. `folder` contains the files from which the rows are read. `parameters` is JSON
 * text, or `null` if unknown.
 */
type Source = Pick<ListedRun, 'runId' | 'folder'> & { readonly parameters: string | null };

/**
 * Fills the tables of runs. Tables that are read from journals are filled only if the query contains their
 * names. Returns notes about missing data.
 */
async function loadTables(
  connection: DuckDBConnection,
  runs: readonly ListedRun[],
  sql: string,
): Promise<string[]> {
  const notes: string[] = [];
  const sources: Source[] = [];
  const named = JOURNAL_TABLES.filter((table) => names(sql, table));
  for (const table of JOURNAL_TABLES)
    await fillTable(connection, { name: table, columns: columnsOf(table), rows: [] }, QUERY_TYPES, '');
  const scratch = mkdtempSync(join(tmpdir(), 'sandtable-query-'));
  try {
    for (const run of runs) {
      try {
        const { source, journal, missing } = sourceOf(
          run,
          named.length > 0,
          join(scratch, `${sources.length}`),
        );
        const tables = named.map((table) => runTable(journal!.record, table, journal!.options));
        for (const table of tables) await fillTable(connection, table, QUERY_TYPES, run.runId);
        sources.push(source);
        notes.push(...missing.map((line) => `${run.runId}: ${line}`));
      } catch (error) {
        notes.push(`${run.runId}: skipped: ${messageOf(error)}`);
      }
    }
    for (const table of FILE_TABLES) await connection.run(creation(table, sources));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return notes;
}

/**
 * Returns the source of a run's rows. Uses the final files if the journal has not changed since these files
 * were written. Otherwise recreates them from the journal, so that all tables cover the same bars.
 *
 * @param scratch folder for recreated files
 * @throws AppError if the run is in progress or its journal cannot be read
 */
function sourceOf(
  run: ListedRun,
  wantsJournal: boolean,
  scratch: string,
): { readonly source: Source; readonly journal: StoredRun | undefined; readonly missing: readonly string[] } {
  const state = journalState(run.folder);
  const isFiled = run.summary !== undefined && state === 'as written';
  if (isFiled && !wantsJournal)
    return { source: { ...run, parameters: writtenParameters(run.folder) }, journal: undefined, missing: [] };
  if (!isFiled && isUnderWay(run.folder)) {
    throw new AppError({
      code: 'run_under_way',
      message: 'it is still running.',
      hint: 'Wait until it ends.',
    });
  }
  const journal = readRun(run.folder, { salvage: true });
  const missing = [...journal.record.damage];
  const parameters = JSON.stringify(journal.record.started.strategy.parameters);
  if (isFiled && missing.length === 0) return { source: { ...run, parameters }, journal, missing };
  if (state === 'changed' && missing.length === 0)
    missing.push('Its journal differs from the one in its manifest.json. The rows show the current journal.');
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, 'summary.json'), jsonText(journal.summary));
  writeFileSync(join(scratch, 'equity.csv'), equityCsv(journal.record));
  writeFileSync(join(scratch, 'trades.csv'), tradesCsv(journal.record));
  return { source: { runId: run.runId, folder: scratch, parameters }, journal, missing };
}

/**
 * Returns the parameters in a run's manifest. The manifest is read without a schema because it may have been
 * edited.
 */
function writtenParameters(folder: string): string | null {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Partial<Manifest>;
    return JSON.stringify(manifest.strategy?.parameters) ?? null;
  } catch {
    return null;
  }
}

/**
 * Column types of `equity.csv` and `trades.csv`. The types are explicit, because DuckDB would guess wrong
 * types, for example a number for a symbol of digits. Money is float64, so that SQL can sum it.
 */
const TYPES = {
  equity: "{'cash': 'DOUBLE', 'equity': 'DOUBLE', 'drawdown': 'DOUBLE', 'exposure': 'DOUBLE'}",
  trades:
    "{'symbol': 'VARCHAR', 'quantity': 'DOUBLE', 'entryPrice': 'DOUBLE', 'exitPrice': 'DOUBLE', 'grossPnl': 'DOUBLE', 'commission': 'DOUBLE', 'netPnl': 'DOUBLE', 'exitReason': 'VARCHAR'}",
} as const;

/** Returns the statement that reads one table from the files of all runs. */
function creation(table: (typeof FILE_TABLES)[number], runs: readonly Source[]): string {
  const name = table === 'runs' ? 'summary.json' : `${table}.csv`;
  const files = runs.map(({ folder }) => join(resolve(folder), name)).filter((file) => existsSync(file));
  if (files.length === 0) {
    if (table === 'runs') return 'CREATE TABLE runs (runId VARCHAR, parameters JSON)';
    const columns = columnsOf(table).map(([column, type]) => `"${column}" ${QUERY_TYPES(column, type)}`);
    return `CREATE TABLE ${table} (runId VARCHAR, ${columns.join(', ')})`;
  }
  const list = `[${files.map(sqlPath).join(', ')}]`;
  if (table === 'runs') {
    const parameters = runs.map(
      ({ runId, parameters: text }) =>
        `(${sqlText(runId)}, CAST(${text === null ? 'NULL' : sqlText(text)} AS JSON))`,
    );
    return `CREATE TABLE runs AS SELECT summaries.*, given.parameters FROM read_json(${list}, format = 'unstructured', records = true, union_by_name = true, maximum_object_size = 67108864) AS summaries LEFT JOIN (VALUES ${parameters.join(', ')}) AS given (runId, parameters) ON given.runId = CAST(summaries.runId AS VARCHAR)`;
  }
  const ids = `CASE filename ${runs.map(({ folder, runId }) => `WHEN ${sqlText(join(resolve(folder), name))} THEN ${sqlText(runId)}`).join(' ')} ELSE parse_path(filename)[-2] END`;
  return `CREATE TABLE ${table} AS SELECT ${ids} AS runId, * EXCLUDE (filename) FROM read_csv(${list}, header = true, filename = true, types = ${TYPES[table]}, union_by_name = true, nullstr = '', sample_size = -1)`;
}

/** Returns an error with DuckDB's message and the columns of the tables in the query. */
async function badQuery(connection: DuckDBConnection, sql: string, cause: unknown): Promise<AppError> {
  const reader = await connection.runAndReadAll(
    'SELECT table_name, column_name FROM information_schema.columns ORDER BY table_name, ordinal_position',
  );
  const columns = new Map<string, string[]>();
  for (const [table, column] of reader.getRowsJson())
    columns.set(String(table), [...(columns.get(String(table)) ?? []), String(column)]);
  const named = TABLES.filter((table) => names(sql, table));
  const lines = named.map((table) => `  Columns of ${table}: ${columns.get(table)?.join(', ')}.`);
  return new AppError({
    code: 'bad_query',
    message: `The query failed: ${messageOf(cause)}`,
    hint: [`Tables: ${TABLES.join(', ')}. "describe trades" lists the columns of a table.`, ...lines].join(
      '\n',
    ),
    cause,
  });
}

/**
 * Integer types that DuckDB returns as texts, because their values may be outside the range in which a
 * float64 is exact.
 */
const WHOLE_NUMBERS = /^U?(?:BIGINT|HUGEINT)$/;

function plain(value: unknown, isWhole: boolean): string | number | boolean | null {
  if (isWhole && typeof value === 'string' && Number.isSafeInteger(Number(value))) return Number(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string')
    return value;
  return JSON.stringify(value);
}
