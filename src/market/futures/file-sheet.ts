import type { Fault } from '../../kernel/index.ts';
import { readDatedTable } from '../dated-table.ts';
import { Sheet } from '../point-in-time/sheet.ts';

/**
 * Reads a file of rolls, funding rates or expiries as a sheet that has the needed columns.
 *
 * @param columns the names each column goes by
 * @param failed makes the error of faults: a file that cannot be read, a column that is missing
 * @throws what `failed` makes
 */
export async function fileSheet<Column extends string>(
  file: string,
  columns: Readonly<Record<Column, readonly string[]>>,
  needed: readonly NoInfer<Column>[],
  failed: (faults: readonly Fault[]) => Error,
  { unpackedLimit, timezone }: { unpackedLimit?: number | undefined; timezone?: string | undefined },
): Promise<{ readonly sheet: Sheet<Column>; readonly sha256: string }> {
  const reading = await readDatedTable(file, unpackedLimit);
  if ('fault' in reading) throw failed([reading.fault]);
  const { header, rows, unit, sha256 } = reading.table;
  const whereOf = (number: number): string => `${file} ${unit} ${number}`;
  const sheet = new Sheet(file, { header, rows, whereOf, timezone }, columns, needed);
  if (needed.some((column) => !sheet.has(column))) throw failed(sheet.sorted());
  return { sheet, sha256 };
}
