import { existsSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { RunRecord } from '../../../journal/index.ts';
import { AppError, fileProblem, makeFolder } from '../../../kernel/index.ts';
import { sqlName, sqlPath, sqlText } from '../../../market/index.ts';
import type { MetricsOptions } from '../../analysis/index.ts';
import { attempt, writeWhole } from '../files.ts';
import { exactTypes, fillTable, openMemory, QUERY_TYPES } from './duckdb.ts';
import { tableCsv } from './run-csv.ts';
import { RUN_TABLES, type RunTable, type RunTableName, runTable } from './run-tables.ts';

const PARQUET = 'FORMAT parquet, COMPRESSION zstd';

/**
 * Writes rows as a Parquet file atomically. The same rows always result in the same bytes.
 *
 * @throws AppError `run_folder_unwritable`
 */
export async function writeParquet(file: string, { columns, rows }: Omit<RunTable, 'name'>): Promise<void> {
  const { connection, close } = await openMemory();
  try {
    // One thread is used, because the order of row groups would otherwise vary and change the bytes of the
    // file.
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
async function copyTo(
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

export const EXPORT_FORMATS = ['csv', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * Exports tables of a run, one file per table. Returns the paths.
 *
 * Values are not rounded. CSV files contain the decimals as recorded in the journal. Parquet files have
 * DECIMAL columns and timestamps in UTC.
 *
 * @param options.overwrite if true, existing files are replaced. If false, an existing file is an error, and
 *   no file is written
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
 * Checks that no file would be overwritten.
 *
 * @throws AppError `export_exists` if one of the files exists
 */
function refuseExisting(files: readonly string[]): void {
  const there = files.filter((file) => existsSync(file));
  if (there.length === 0) return;
  throw new AppError({
    code: 'export_exists',
    message: `Already present: ${there.join(', ')}.`,
    hint: 'Choose another folder with --out, or overwrite with --force.',
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

/** Target of an exported table. */
export interface TableExport {
  readonly folder: string;
  readonly format: ExportFormat;
  /** If true, an existing file is replaced. */
  readonly overwrite?: boolean;
}

/**
 * Exports a stored Parquet file as one table file to a folder. Returns the path of the new file.
 *
 * @param source path of the Parquet file
 * @param missing code and texts of the error that is thrown if `source` does not exist
 * @throws AppError with the options `missing`, `export_exists`, `run_folder_unwritable`
 */
export async function exportTable(
  source: string,
  { folder, format, overwrite }: TableExport,
  missing: ConstructorParameters<typeof AppError>[0],
): Promise<string> {
  if (!existsSync(source)) throw new AppError(missing);
  const file = join(folder, `${basename(source, '.parquet')}.${format}`);
  if (overwrite !== true) refuseExisting([file]);
  makeFolder(folder);
  const { connection, close } = await openMemory();
  try {
    await connection.run('SET threads = 1');
    const rows = `(SELECT * FROM read_parquet(${sqlPath(resolve(source))}))`;
    await copyTo(connection, rows, file, ...(format === 'csv' ? ['FORMAT csv, HEADER'] : []));
  } finally {
    close();
  }
  return file;
}

/**
 * Creates a DuckDB table from the Parquet files of several folders. The id columns identify the folder of
 * each row.
 *
 * @param table.ids names of the id columns
 * @param table.empty definition in SQL of the other columns, used if no file exists
 */
export async function loadTable(
  connection: DuckDBConnection,
  table: { readonly name: string; readonly ids: readonly string[]; readonly empty: string },
  sources: readonly { readonly file: string; readonly ids: readonly string[] }[],
): Promise<void> {
  const { name, ids, empty } = table;
  const files = sources
    .map((source) => ({ ...source, file: resolve(source.file) }))
    .filter(({ file }) => existsSync(file));
  if (files.length === 0) {
    await connection.run(`CREATE TABLE ${name} (${ids.map((id) => `${id} VARCHAR`).join(', ')}, ${empty})`);
    return;
  }
  const columns = ids.map((id, index) => {
    const cases = files.map((source) => `WHEN ${sqlText(source.file)} THEN ${sqlText(source.ids[index]!)}`);
    return `CASE filename ${cases.join(' ')} END AS ${id}`;
  });
  const paths = files.map(({ file }) => sqlPath(file)).join(', ');
  await connection.run(
    `CREATE TABLE ${name} AS SELECT ${columns.join(', ')}, * EXCLUDE (filename) FROM read_parquet([${paths}], filename = true, union_by_name = true)`,
  );
}
