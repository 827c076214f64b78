import { renameSync, rmSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../../market/index.ts';
import { attempt } from '../files.ts';
import { fillTable, openMemory, QUERY_TYPES } from './duckdb.ts';
import type { RunTable } from './run-tables.ts';

const PARQUET = 'FORMAT parquet, COMPRESSION zstd';

/**
 * Writes rows as a Parquet file atomically. The same rows give the same bytes.
 *
 * @throws AppError `run_folder_unwritable`
 */
export async function writeParquet(file: string, { columns, rows }: Omit<RunTable, 'name'>): Promise<void> {
  const { connection, close } = await openMemory();
  try {
    // With several threads, the row groups of a file depend on thread timing.
    await connection.run('SET threads = 1');
    await fillTable(connection, { name: 'rows', columns, rows }, QUERY_TYPES);
    await copyTo(connection, '"rows"', file);
  } finally {
    close();
  }
}

/**
 * Writes a DuckDB table or the result of a query to a file atomically.
 *
 * @param source name of the table in SQL, or the query in brackets
 * @param form options of the `COPY` statement
 * @throws AppError `run_folder_unwritable`
 */
export async function copyTo(
  connection: DuckDBConnection,
  source: string,
  file: string,
  form = PARQUET,
): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await connection.run(`COPY ${source} TO ${sqlText(temporary)} (${form})`);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    attempt(file, () => {
      throw error;
    });
  }
}
