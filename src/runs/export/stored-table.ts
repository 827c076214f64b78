import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError, makeFolder } from '../../kernel/index.ts';
import { sqlPath, sqlText } from '../../market/index.ts';
import { openMemory } from './duckdb.ts';
import { type ExportFormat, refuseExisting } from './export-run.ts';
import { copyTo } from './parquet.ts';

/** Target of an exported table. */
export interface TableExport {
  readonly folder: string;
  readonly format: ExportFormat;
  /** If true, an existing file is replaced. */
  readonly overwrite?: boolean;
}

/**
 * Exports a Parquet table as one file to a folder. Returns its path.
 *
 * @param source file of the table
 * @param missing options of the error if the file does not exist
 * @throws AppError `missing`, `export_exists`, `run_folder_unwritable`
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
 * @param table.empty other columns, used if no file exists
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
