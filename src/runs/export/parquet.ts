import { renameSync, rmSync } from 'node:fs';
import { sqlText } from '../../market/index.ts';
import { attempt } from '../files.ts';
import { fillTable, openMemory, QUERY_TYPES } from './duckdb.ts';
import type { RunTable } from './run-tables.ts';

/** Writes rows as a Parquet file, whole or not at all; the same rows give the same bytes. @throws AppError `run_folder_unwritable` */
export async function writeParquet(file: string, { columns, rows }: Omit<RunTable, 'name'>): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  const database = await openMemory();
  try {
    await database.connection.run('SET threads = 1');
    await fillTable(database.connection, { name: 'rows', columns, rows }, QUERY_TYPES);
    await database.connection.run(`COPY "rows" TO ${sqlText(temporary)} (FORMAT parquet, COMPRESSION zstd)`);
  } finally {
    database.close();
  }
  attempt(file, () => {
    try {
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}
