import { type Fault, messageOf, missingFile } from '../../kernel/index.ts';
import { findTables, referenceOf } from '../catalog/manifest.ts';
import { openDatabase } from './database.ts';
import { inspectFile } from './file-bytes.ts';
import { type FoundFiles, findFiles } from './find-files.ts';
import { brokenRow, openTable, UnreadableTable } from './table.ts';

/**
 * Rows of a table with dates, as texts. Used for all tables other than bars, for example actions or features.
 */
export interface DatedTable {
  readonly sha256: string;
  readonly header: readonly string[];
  readonly rows: readonly DatedRow[];
  /** `line`: row numbers are the line numbers of a text file. `row`: rows are counted from 1. */
  readonly unit: 'line' | 'row';
}

/** Table with its file name for messages. */
interface NamedTable extends DatedTable {
  readonly file: string;
  readonly whereOf: (number: number) => string;
  /** Time zone of times without a zone. UTC for tables of a catalogue. */
  readonly timezone: string | undefined;
}

export interface DatedRow {
  readonly number: number;
  readonly cells: readonly (string | null)[];
}

/**
 * Reads a table in any format supported for bars.
 *
 * @returns the table, or a fault if the file cannot be read as a table
 */
export async function readDatedTable(
  file: string,
  unpackedLimit?: number,
): Promise<{ readonly table: DatedTable } | { readonly fault: Fault }> {
  const failed = (message: string) => ({ fault: { where: file, message } });
  const database = await openDatabase();
  try {
    const bytes = await inspectFile(file, unpackedLimit);
    if (bytes.fault !== undefined) return { fault: bytes.fault };
    const opened = await openTable(database, file, bytes);
    const { header, unit } = opened;
    const fault = brokenRow(file, opened);
    if (fault !== undefined) return { fault };
    const found = await database.rows(`SELECT number, ${opened.sql.all} FROM cells ORDER BY number`);
    const rows = found.map(([number, cells]) => ({
      number: number as number,
      cells: cells as readonly (string | null)[],
    }));
    return { table: { sha256: bytes.sha256, header, rows, unit } };
  } catch (error) {
    if (error instanceof UnreadableTable) return failed(error.message);
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return failed(missingFile(file));
    if (code === 'EISDIR') return failed('it is a folder; name one file');
    if (code === 'EACCES' || code === 'EPERM') return failed(`cannot be read (${messageOf(error)})`);
    throw error;
  } finally {
    database.close();
  }
}

/**
 * Reads tables from paths, folders, globs, and references such as `@GDP` to tables of a catalogue.
 *
 * @param timezone time zone of times without a zone. Tables of a catalogue always use UTC
 * @returns the tables that can be read, and the faults of other files and of missing paths
 */
export async function readDatedTables(
  paths: readonly string[],
  unpackedLimit?: number,
  timezone?: string,
): Promise<{ readonly tables: readonly NamedTable[]; readonly faults: Fault[] }> {
  const { files, faults } = await findDatedFiles(paths);
  const tables: NamedTable[] = [];
  for (const file of files) {
    const reading = await readDatedTable(file, unpackedLimit);
    if ('fault' in reading) faults.push(reading.fault);
    else {
      const whereOf = (number: number): string => `${file} ${reading.table.unit} ${number}`;
      tables.push({
        ...reading.table,
        file,
        whereOf,
        timezone: IN_CATALOG.test(file) ? undefined : timezone,
      });
    }
  }
  return { tables, faults };
}

const IN_CATALOG = /(?:^|[/\\])source=[^/\\]+[/\\][^/\\]+$/;

async function findDatedFiles(paths: readonly string[]): Promise<Pick<FoundFiles, 'files' | 'faults'>> {
  const named: string[] = [];
  const faults: Fault[] = [];
  for (const one of paths) {
    const reference = referenceOf(one);
    const found = reference === undefined ? [one] : await findTables(reference);
    if (Array.isArray(found)) named.push(...found);
    else faults.push(found as Fault);
  }
  const database = await openDatabase();
  try {
    const found = await findFiles(database, named);
    return { files: found.files, faults: [...faults, ...found.faults, ...found.unreadable] };
  } finally {
    database.close();
  }
}
