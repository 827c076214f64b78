import { type Fault, faultsError } from '../kernel/index.ts';

/** Row of a text table: cells by column. */
export type TableRow = Readonly<Record<string, string>>;

/** Text table. */
export interface DrawnTable {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

/**
 * Parses a table written as `| date | open |` lines, with the header first. Empty lines and lines of dashes
 * are ignored.
 *
 * @param known allowed columns
 * @param needed required columns
 * @throws AppError `bad_table` with every fault
 */
export function readTable(text: string, known: readonly string[], needed: readonly string[]): DrawnTable {
  const [header, ...lines] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[|\s:-]+$/.test(line))
    .map(cellsOf);
  const columns = header ?? [];
  const faults: Fault[] = [
    ...columns
      .filter((column, index) => !known.includes(column) || columns.indexOf(column) !== index)
      .map((column) => ({
        where: 'the header',
        message: known.includes(column) ? `has ${column} twice` : `has no use for "${column}"`,
        hint: `columns are ${known.join(', ')}`,
      })),
    ...needed
      .filter((column) => !columns.includes(column))
      .map((column) => ({ where: 'the header', message: `has no ${column}` })),
    ...lines.flatMap((cells, index) =>
      cells.length === columns.length
        ? []
        : [{ where: `row ${index + 1}`, message: `has ${cells.length} cells, the header ${columns.length}` }],
    ),
  ];
  if (faults.length > 0) throw tableError(faults);
  const rows = lines.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])));
  return { columns, rows };
}

/**
 * @param faults faults of a table, at least one
 */
export function tableError(faults: readonly Fault[]): Error {
  return faultsError('bad_table', 'The table', faults, 'Draw it as | date | open | high | low | close |.');
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim());
}

/** Formats rows below their header in aligned columns, for comparing two tables. */
export function drawTable(columns: readonly string[], rows: readonly TableRow[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  const widths = columns.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
  return lines
    .map((cells) => `  | ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`)
    .join('\n');
}
