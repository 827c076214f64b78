import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError, makeFolder } from '../../kernel/index.ts';
import { sqlPath, sqlText } from '../../market/index.ts';
import { openMemory } from './duckdb.ts';
import { type ExportFormat, refuseExisting } from './export-run.ts';
import { copyTo } from './parquet.ts';

/** Where a table goes. */
export interface TableExport {
  readonly folder: string;
  readonly format: ExportFormat;
  /** Whether a file that is there already may be written over. */
  readonly overwrite?: boolean;
}

/**
 * Writes a table of Parquet as one file of its name in a folder; gives its path.
 *
 * @param source the table's file
 * @param missing what is wrong where it is not there
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
 * Creates a table of DuckDB from the Parquet tables of several folders, each row with what tells its folder from others.
 *
 * @param table.ids its first columns
 * @param table.empty the columns that it has beside them where no file is there
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
