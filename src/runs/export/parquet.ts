import { renameSync, rmSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../../market/index.ts';
import { attempt } from '../files.ts';
import { fillTable, openMemory, QUERY_TYPES } from './duckdb.ts';
import type { RunTable } from './run-tables.ts';

const PARQUET = 'FORMAT parquet, COMPRESSION zstd';

/** Writes rows as a Parquet file, whole or not at all; the same rows give the same bytes. @throws AppError `run_folder_unwritable` */
export async function writeParquet(file: string, { columns, rows }: Omit<RunTable, 'name'>): Promise<void> {
  const { connection, close } = await openMemory();
  try {
    // With several threads the rows of a file are in groups that depend on who was quicker.
    await connection.run('SET threads = 1');
    await fillTable(connection, { name: 'rows', columns, rows }, QUERY_TYPES);
    await copyTo(connection, '"rows"', file);
  } finally {
    close();
  }
}

/**
 * Writes a table of DuckDB, or what a query gives, as a file, whole or not at all.
 *
 * @param source its name in SQL, or the query in brackets
 * @param form what follows a `COPY`
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
