import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError, messageOf } from '../kernel/index.ts';
import { sqlText } from '../market/index.ts';
import { listRuns } from './read-run.ts';

/** A query's answer; values are numbers, texts, booleans and nulls. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}

const TABLES = ['runs', 'equity', 'trades'] as const;

/**
 * Answers SQL over all runs in a folder: tables `runs`, `equity` and `trades`, each with a `runId`.
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
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  try {
    const whole = runs.filter((run) => run.summary !== undefined).map((run) => run.folder);
    for (const table of TABLES) await connection.run(creation(table, whole));
    await connection.run(
      "SET TimeZone = 'UTC'; SET enable_external_access = false; SET lock_configuration = true",
    );
    try {
      const reader = await connection.runAndReadAll(sql);
      return {
        columns: reader.columnNames(),
        rows: reader.getRowsJson().map((row) => row.map(plain)),
      };
    } catch (cause) {
      throw new AppError({
        code: 'bad_query',
        message: `The query cannot be answered: ${messageOf(cause)}`,
        remedy: `There are the tables ${TABLES.join(', ')}; "describe trades" tells a table's columns.`,
        cause,
      });
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Types that must not be guessed: names may look like numbers; money is float64 here, so that it can be summed. */
const TYPES = {
  equity: "{'cash': 'DOUBLE', 'equity': 'DOUBLE', 'drawdown': 'DOUBLE', 'exposure': 'DOUBLE'}",
  trades:
    "{'symbol': 'VARCHAR', 'quantity': 'DOUBLE', 'entryPrice': 'DOUBLE', 'exitPrice': 'DOUBLE', 'grossPnl': 'DOUBLE', 'commission': 'DOUBLE', 'netPnl': 'DOUBLE', 'exitReason': 'VARCHAR'}",
} as const;

/** The statement that reads one table from all runs' files. */
function creation(table: (typeof TABLES)[number], folders: readonly string[]): string {
  const name = table === 'runs' ? 'summary.json' : `${table}.csv`;
  const files = folders.map((folder) => join(resolve(folder), name)).filter((file) => existsSync(file));
  const list = `[${files.map(sqlText).join(', ')}]`;
  if (table === 'runs') {
    return `CREATE TABLE runs AS SELECT * FROM read_json(${list}, format = 'unstructured', records = true, union_by_name = true, maximum_object_size = 67108864)`;
  }
  return `CREATE TABLE ${table} AS SELECT parse_path(filename)[-2] AS runId, * EXCLUDE (filename) FROM read_csv(${list}, header = true, filename = true, types = ${TYPES[table]}, union_by_name = true, nullstr = '', sample_size = -1)`;
}

function plain(value: unknown): string | number | boolean | null {
  if (value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string')
    return value;
  return JSON.stringify(value);
}
