import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError, messageOf } from '../kernel/index.ts';
import { sqlPath, sqlText } from '../market/index.ts';
import { fillTable, openMemory, QUERY_TYPES } from './export/duckdb.ts';
import { columnsOf, type RunTableName, runTable } from './export/run-tables.ts';
import { type ListedRun, listRuns, readRun } from './read-run.ts';

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
const JOURNAL_TABLES = ['fills', 'orders', 'decisions', 'metrics'] as const satisfies readonly RunTableName[];
const TABLES = [...FILE_TABLES, ...JOURNAL_TABLES];

/** What a statement that only reads begins with; the database is closed to everything else anyway. */
const READS =
  /^[\s(]*(?:select|from|with|values|table|describe|desc|summarize|show|explain|pivot|unpivot)\b/i;

/**
 * Answers SQL over all runs in a folder: tables `runs`, `equity`, `trades`, `fills`, `orders`, `decisions` and `metrics`, each
 * with a `runId`.
 *
 * The files are read into memory first; the query itself can reach no file and no network, and changes nothing.
 *
 * @throws AppError `no_reports`, `no_run` when the folder holds no run, `bad_query` with DuckDB's words
 */
export async function queryRuns(folder: string, sql: string): Promise<QueryResult> {
  const runs = listRuns(folder);
  if (runs.length === 0) {
    throw new AppError({
      code: 'no_run',
      message: `There is no run in ${folder}.`,
      remedy: 'Make one with: npx sandtable run strategies/sma-cross.ts --data data/spx-daily.csv',
    });
  }
  if (!READS.test(withoutComments(sql))) {
    throw new AppError({
      code: 'bad_query',
      message: 'The query cannot be answered: it does not begin as a statement that only reads.',
      remedy: `Begin with select, from, with, describe or summarize. There are the tables ${TABLES.join(', ')}.`,
    });
  }
  const { connection, close } = await openMemory();
  try {
    const notes = await loadTables(connection, runs, sql);
    await connection.run('SET enable_external_access = false; SET lock_configuration = true');
    try {
      const reader = await connection.runAndReadAll(sql);
      const whole = reader.columnTypes().map((type) => WHOLE_NUMBERS.test(String(type)));
      const rows = reader.getRowsJson().map((row) => row.map((value, index) => plain(value, whole[index]!)));
      return { columns: reader.columnNames(), rows, notes };
    } catch (cause) {
      throw await badQuery(connection, sql, cause);
    }
  } finally {
    close();
  }
}

/** Fills the tables, those of journals only where the query may mean them; gives what is missing. */
async function loadTables(
  connection: DuckDBConnection,
  runs: readonly ListedRun[],
  sql: string,
): Promise<string[]> {
  const whole = runs.filter((run) => run.summary !== undefined);
  const notes: string[] = [];
  if (whole.length < runs.length) {
    const names = runs.filter((run) => run.summary === undefined).map(({ runId }) => runId);
    notes.push(`${names.join(', ')}: left out, for want of a summary.json: under way, killed or damaged`);
  }
  for (const table of FILE_TABLES) await connection.run(creation(table, whole));
  const named = JOURNAL_TABLES.filter((table) => new RegExp(`\\b${table}\\b`, 'i').test(sql));
  for (const table of JOURNAL_TABLES)
    await fillTable(connection, { name: table, columns: columnsOf(table), rows: [] }, QUERY_TYPES, '');
  if (named.length === 0) return notes;
  for (const { runId, folder } of whole) {
    try {
      const { record, options } = readRun(folder, { salvage: true });
      for (const table of named)
        await fillTable(connection, runTable(record, table, options), QUERY_TYPES, runId);
      notes.push(...record.damage.map((line) => `${runId}: ${line}`));
    } catch (error) {
      notes.push(`${runId}: left out of ${named.join(' and ')}: ${messageOf(error)}`);
    }
  }
  return notes;
}

/** Types that must not be guessed: names may look like numbers; money is float64 here, so that it can be summed. */
const TYPES = {
  equity: "{'cash': 'DOUBLE', 'equity': 'DOUBLE', 'drawdown': 'DOUBLE', 'exposure': 'DOUBLE'}",
  trades:
    "{'symbol': 'VARCHAR', 'quantity': 'DOUBLE', 'entryPrice': 'DOUBLE', 'exitPrice': 'DOUBLE', 'grossPnl': 'DOUBLE', 'commission': 'DOUBLE', 'netPnl': 'DOUBLE', 'exitReason': 'VARCHAR'}",
} as const;

/** The statement that reads one table from all runs' files. */
function creation(table: (typeof FILE_TABLES)[number], runs: readonly ListedRun[]): string {
  const name = table === 'runs' ? 'summary.json' : `${table}.csv`;
  const files = runs.map(({ folder }) => join(resolve(folder), name)).filter((file) => existsSync(file));
  if (files.length === 0) {
    if (table === 'runs') return 'CREATE TABLE runs (runId VARCHAR)';
    const columns = columnsOf(table).map(([column, type]) => `"${column}" ${QUERY_TYPES(column, type)}`);
    return `CREATE TABLE ${table} (runId VARCHAR, ${columns.join(', ')})`;
  }
  const list = `[${files.map(sqlPath).join(', ')}]`;
  if (table === 'runs') {
    return `CREATE TABLE runs AS SELECT * FROM read_json(${list}, format = 'unstructured', records = true, union_by_name = true, maximum_object_size = 67108864)`;
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
  const named = TABLES.filter((table) => new RegExp(`\\b${table}\\b`, 'i').test(sql));
  const lines = named.map((table) => `  Columns of ${table}: ${columns.get(table)?.join(', ')}.`);
  return new AppError({
    code: 'bad_query',
    message: `The query cannot be answered: ${messageOf(cause)}`,
    remedy: [
      `There are the tables ${TABLES.join(', ')}; "describe trades" tells a table's columns.`,
      ...lines,
    ].join('\n'),
    cause,
  });
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
}

/** DuckDB writes these as texts, for they may be larger than a float64 can tell apart. */
const WHOLE_NUMBERS = /^U?(?:BIGINT|HUGEINT)$/;

function plain(value: unknown, isWhole: boolean): string | number | boolean | null {
  if (isWhole && typeof value === 'string' && Number.isSafeInteger(Number(value))) return Number(value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string')
    return value;
  return JSON.stringify(value);
}
