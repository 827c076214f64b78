import { type Fault, messageOf } from '../kernel/index.ts';
import { openDatabase } from './database.ts';
import { inspectFile } from './file-bytes.ts';
import { openTable, UnreadableTable } from './table.ts';

/** A file of rows that are each about a date, as texts: actions, features, and whatever else is no bar. */
export interface DatedTable {
  readonly sha256: string;
  readonly header: readonly string[];
  readonly rows: readonly DatedRow[];
  /** What a row's number counts. */
  readonly unit: 'line' | 'row';
}

export interface DatedRow {
  readonly number: number;
  readonly cells: readonly (string | null)[];
}

/**
 * Reads such a file, in any format that bars may have.
 *
 * @returns the fault that makes it no table, where it is none
 */
export async function readDatedTable(
  file: string,
  unpackedLimit?: number,
): Promise<{ readonly table: DatedTable } | { readonly fault: Fault }> {
  const failed = (message: string) => ({ fault: { where: file, message } });
  const database = await openDatabase();
  try {
    const bytes = await inspectFile(file, unpackedLimit);
    if (bytes.fault !== undefined) return failed(bytes.fault);
    const { header, unit } = await openTable(database, file, bytes);
    const found = await database.rows('SELECT number, cell FROM cells ORDER BY number');
    const rows = found.map(([number, cells]) => ({
      number: number as number,
      cells: cells as readonly (string | null)[],
    }));
    return { table: { sha256: bytes.sha256, header, rows, unit } };
  } catch (error) {
    if (error instanceof UnreadableTable) return failed(error.message);
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return failed('there is no such file');
    if (code === 'EISDIR') return failed('it is a folder; name one file');
    if (code === 'EACCES' || code === 'EPERM') return failed(`cannot be read (${messageOf(error)})`);
    throw error;
  } finally {
    database.close();
  }
}

/** A header's cell as it is compared with the names of known columns: small letters, one space between words. */
function headerName(cell: string): string {
  return cell
    .replaceAll(/[\s_.-]+/g, ' ')
    .replace('\ufeff', '')
    .trim()
    .toLowerCase();
}

/** Where known columns stand in a header, by the first of their spellings; -1 where a header has none. */
export function columnPositions<Column extends string>(
  header: readonly string[],
  columns: Readonly<Record<Column, readonly string[]>>,
): Record<Column, number> {
  const names = header.map(headerName);
  return Object.fromEntries(
    Object.entries<readonly string[]>(columns).map(([column, spellings]) => [
      column,
      names.findIndex((name) => spellings.includes(name)),
    ]),
  ) as Record<Column, number>;
}
