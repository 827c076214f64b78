import { renameSync, rmSync } from 'node:fs';
import { sqlText } from '../market/index.ts';
import { fillTable, openMemory, QUERY_TYPES } from './export/duckdb.ts';
import type { Cell } from './export/run-tables.ts';
import { attempt } from './files.ts';

/** A column of `trials.parquet`. */
export interface TrialColumn {
  readonly name: string;
  readonly type: 'number' | 'text' | 'boolean';
}

/**
 * Writes a row a trial as Parquet, whole or not at all. The same rows give the same bytes.
 *
 * @throws AppError `run_folder_unwritable`
 */
export async function writeTrialRows(
  file: string,
  columns: readonly TrialColumn[],
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  const { connection, close } = await openMemory();
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    // With several threads the rows of a file are in groups that depend on who was quicker.
    await connection.run('SET threads = 1');
    await fillTable(
      connection,
      { name: 'trials', columns: columns.map(({ name, type }) => [name, type] as const), rows },
      QUERY_TYPES,
    );
    try {
      await connection.run(`COPY trials TO ${sqlText(temporary)} (FORMAT parquet, COMPRESSION zstd)`);
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      attempt(file, () => {
        throw error;
      });
    }
  } finally {
    close();
  }
}
