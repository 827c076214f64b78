import { writeParquet } from './export/parquet.ts';
import type { Cell } from './export/run-tables.ts';

/** A column of `trials.parquet`. */
export interface TrialColumn {
  readonly name: string;
  readonly type: 'number' | 'text' | 'boolean';
}

/**
 * Writes one row per trial as Parquet, atomically. The same rows give the same bytes.
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
