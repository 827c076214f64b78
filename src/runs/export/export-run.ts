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
 * Writes tables of a run as files, one a table; gives their paths.
 *
 * Nothing is rounded: CSV has decimals as they are, Parquet has DECIMAL columns and timestamps in UTC.
 *
 * @param options.overwrite takes the place of files that are there; otherwise they are refused, before any is written
 * @throws AppError `export_exists`, `run_folder_unwritable`, `journal_damaged`
 */
export async function exportRun(
  record: RunRecord,
  options: {
    readonly folder: string;
    readonly format: ExportFormat;
    readonly tables?: readonly RunTableName[];
    readonly overwrite?: boolean;
    /** How figures are worked out, for the table `metrics`. */
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

/** @throws AppError `export_exists` where one of the files is there already */
export function refuseExisting(files: readonly string[]): void {
  const there = files.filter((file) => existsSync(file));
  if (there.length === 0) return;
  throw new AppError({
    code: 'export_exists',
    message: `There is already ${there.join(', ')}.`,
    hint: 'Name another folder with --out, or add --force to write over it.',
  });
}

/** All that a run can have, without those that only a run of another kind has. */
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
