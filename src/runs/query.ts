import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError, messageOf } from '../kernel/index.ts';
import { sqlPath, sqlText } from '../market/index.ts';
import { fillTable, openMemory, QUERY_TYPES } from './export/duckdb.ts';
import { columnsOf, type RunTableName, runTable } from './export/run-tables.ts';
import { jsonText } from './files.ts';
import type { Manifest } from './manifest.ts';
import { limitedRead, QUERY_LIMITS, type QueryLimits } from './query-limits.ts';
import { type ListedRun, listRuns, readRun, type StoredRun } from './read-run.ts';
import { isUnderWay, journalState } from './run-state.ts';
import { listStressTests, loadStressTable, STRESS_TABLE } from './stress-store.ts';
import { hasStudies, loadStudyTables, STUDY_TABLES } from './study-store.ts';
import { listSweeps, loadSweepTables, SWEEP_TABLES } from './sweep-store.ts';
import { equityCsv, tradesCsv } from './tables.ts';

/** A query's answer; values are numbers, texts, booleans and nulls. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  /** What is missing from the answer, in words: runs that could not be read. */
  readonly notes: readonly string[];
}

/** Read from the files that a run leaves at its end. */
const FILE_TABLES = ['runs', 'equity', 'trades'] as const;
/** Read from journals, which takes longer: only where a query names them. */
const JOURNAL_TABLES = [
  'fills',
  'orders',
  'decisions',
  'metrics',
  'spine',
] as const satisfies readonly RunTableName[];
const TABLES = [...FILE_TABLES, ...JOURNAL_TABLES, ...SWEEP_TABLES, STRESS_TABLE, ...STUDY_TABLES];

/**
 * Answers SQL over all runs in a folder: tables `runs`, `equity`, `trades`, `fills`, `orders`, `decisions`, `metrics` and `spine`,
 * each with a `runId`, and `runs` with its `parameters` as JSON; of its sweeps `sweeps` and `trials`, each with a `sweepId`; of its stress tests `stress`, a row a world with
 * a `stressId`; of its studies `arms`, `comparisons` and `study_runs`, each with a `studyId`.
 *
 * The files are read into memory first; the query itself can reach no file and no network, and changes nothing.
 *
 * @param limits bind the query itself, not the reading of the runs
 * @param onBegin called when that is done
 * @throws AppError `no_reports`, `no_run` when the folder holds no run, `bad_query` with DuckDB's words, `query_timeout`,
 *   `query_memory`
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
      message: `There is no run in ${folder}.`,
      hint: 'Make one with: npx sandtable run strategies/sma-cross.ts --data data/spx-daily.csv',
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

/** Whether a query may mean a table. */
function names(sql: string, table: string): boolean {
  return new RegExp(`\\b${table}\\b`, 'i').test(sql);
}

/** Run, the folder whose files its rows are read from, and its parameters as JSON text. `null` if unknown. */
type Source = Pick<ListedRun, 'runId' | 'folder'> & { readonly parameters: string | null };

/** Fills the tables, those of journals only where the query may mean them; gives what is missing. */
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
        notes.push(`${run.runId}: left out: ${messageOf(error)}`);
      }
    }
    for (const table of FILE_TABLES) await connection.run(creation(table, sources));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return notes;
}

/**
 * Where a run's rows come from: the files of its end while its journal still is the one they were made from, and
 * otherwise such files made anew of what the journal holds, so that all its tables cover the same bars.
 *
 * @param scratch folder to make them in
 * @throws AppError where the run is under way, or its journal cannot be read
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
      message: 'it is under way.',
      hint: 'Wait for its end.',
    });
  }
  const journal = readRun(run.folder, { salvage: true });
  const missing = [...journal.record.damage];
  const parameters = JSON.stringify(journal.record.started.strategy.parameters);
  if (isFiled && missing.length === 0) return { source: { ...run, parameters }, journal, missing };
  if (state === 'changed' && missing.length === 0)
    missing.push('Its journal is not the one that its manifest.json names; its rows are what it holds now.');
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, 'summary.json'), jsonText(journal.summary));
  writeFileSync(join(scratch, 'equity.csv'), equityCsv(journal.record));
  writeFileSync(join(scratch, 'trades.csv'), tradesCsv(journal.record));
  return { source: { runId: run.runId, folder: scratch, parameters }, journal, missing };
}

/** Parameters as the manifest of a run states them. A manifest is read without a schema: somebody may have changed it. */
function writtenParameters(folder: string): string | null {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Partial<Manifest>;
    return JSON.stringify(manifest.strategy?.parameters) ?? null;
  } catch {
    return null;
  }
}

/** Types that must not be guessed: names may look like numbers; money is float64 here, so that it can be summed. */
const TYPES = {
  equity: "{'cash': 'DOUBLE', 'equity': 'DOUBLE', 'drawdown': 'DOUBLE', 'exposure': 'DOUBLE'}",
  trades:
    "{'symbol': 'VARCHAR', 'quantity': 'DOUBLE', 'entryPrice': 'DOUBLE', 'exitPrice': 'DOUBLE', 'grossPnl': 'DOUBLE', 'commission': 'DOUBLE', 'netPnl': 'DOUBLE', 'exitReason': 'VARCHAR'}",
} as const;

/** The statement that reads one table from all runs' files. */
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

/** DuckDB's words, and the columns that the tables of the query have. */
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
    message: `The query cannot be answered: ${messageOf(cause)}`,
    hint: [
      `There are the tables ${TABLES.join(', ')}; "describe trades" lists a table's columns.`,
      ...lines,
    ].join('\n'),
    cause,
  });
}

/** DuckDB writes these as texts, for they may be larger than a float64 can hold exactly. */
const WHOLE_NUMBERS = /^U?(?:BIGINT|HUGEINT)$/;

function plain(value: unknown, isWhole: boolean): string | number | boolean | null {
  if (isWhole && typeof value === 'string' && Number.isSafeInteger(Number(value))) return Number(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string')
    return value;
  return JSON.stringify(value);
}
