import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MetricsOptions } from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { AppError, fileProblem, makeFolder } from '../../kernel/index.ts';
import { sqlName } from '../../market/index.ts';
import { writeWhole } from '../files.ts';
import { tableCsv } from '../tables.ts';
import { exactTypes, fillTable, openMemory } from './duckdb.ts';
import { copyTo } from './parquet.ts';
import { RUN_TABLES, type RunTable, type RunTableName, runTable } from './run-tables.ts';

export const EXPORT_FORMATS = ['csv', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * Exports tables of a run, one file per table. Returns the paths.
 *
 * Nothing is rounded: CSV files contain the decimals as recorded; Parquet files have DECIMAL columns and
 * timestamps in UTC.
 *
 * @param options.overwrite replaces existing files; otherwise an existing file is an error before any file is
 *   written
 * @throws AppError `export_exists`, `run_folder_unwritable`, `journal_damaged`
 */
export async function exportRun(
  record: RunRecord,
  options: {
    readonly folder: string;
    readonly format: ExportFormat;
    readonly tables?: readonly RunTableName[];
    readonly overwrite?: boolean;
    /** Options for computing the figures of the table `metrics`. */
    readonly figures?: MetricsOptions;
  },
): Promise<string[]> {
  const { folder, format, tables = tablesOf(record), overwrite = false, figures = {} } = options;
  const files = tables.map((name) => ({
    table: runTable(record, name, figures),
    file: join(folder, `${name}.${format}`),
  }));
  if (!overwrite) refuseExisting(files.map(({ file }) => file));
  try {
    makeFolder(folder);
    if (format === 'csv') for (const { table, file } of files) writeWhole(file, tableCsv(table));
    else await writeTables(files);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError({
      code: 'run_folder_unwritable',
      message: `Cannot write to ${folder}: ${fileProblem(cause)}.`,
      hint: 'Check the folder, its permissions and the free space, or choose another with --out.',
      kind: 'run',
      cause,
    });
  }
  return files.map(({ file }) => file);
}

/**
 * @throws AppError `export_exists` if one of the files exists
 */
export function refuseExisting(files: readonly string[]): void {
  const there = files.filter((file) => existsSync(file));
  if (there.length === 0) return;
  throw new AppError({
    code: 'export_exists',
    message: `There is already ${there.join(', ')}.`,
    hint: 'Name another folder with --out, or add --force to write over it.',
  });
}

/** Returns all tables, without `features` if the run has no features. */
function tablesOf({ features }: RunRecord): readonly RunTableName[] {
  return RUN_TABLES.filter((name) => name !== 'features' || features.length > 0);
}

async function writeTables(
  files: readonly { readonly table: RunTable; readonly file: string }[],
): Promise<void> {
  const { connection, close } = await openMemory();
  try {
    for (const { table, file } of files) {
      await fillTable(connection, table, exactTypes(table));
      await copyTo(connection, sqlName(table.name), file);
    }
  } finally {
    close();
  }
}
