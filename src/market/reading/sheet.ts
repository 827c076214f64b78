import { type Fault, nearest } from '../../kernel/index.ts';
import { type DatedRow, readDatedTable } from './dated-table.ts';
import { type Stamp, stampsOf } from './stamps.ts';

/** Text rows of a table that does not contain bars. */
export interface Rows {
  readonly header: readonly string[];
  readonly rows: readonly DatedRow[];
  /** Time zone of times that have none, as an IANA name. UTC if omitted. */
  readonly timezone?: string | undefined;
  whereOf(number: number): string;
}

/** Alternative names of each column. Case, spaces, underscores, dots and hyphens do not matter. */
export type Spellings<Column extends string> = Readonly<Record<Column, readonly string[]>>;

interface SheetRules<Column extends string> {
  readonly columns: Spellings<Column>;
  /** Columns that the table must have. */
  readonly needed: readonly NoInfer<Column>[];
  /** If true, a row may omit its last cells. */
  readonly shortRows?: boolean;
}

/**
 * Strict reader of tables that do not contain bars. Every column must be known and occur once, and every row
 * must have a cell for each column. Faults are collected in `faults`.
 */
export class Sheet<Column extends string> {
  readonly faults: Fault[] = [];
  /** True if the header has no fault and the table has at least one row. */
  readonly isReadable: boolean;
  readonly #given: Rows;
  readonly #position: Readonly<Record<Column, number>>;
  readonly #rows: readonly DatedRow[];

  /** @param file file name for faults that concern the whole table */
  constructor(file: string, given: Rows, { columns, needed, shortRows = false }: SheetRules<Column>) {
    const { header, rows } = given;
    this.#given = given;
    this.#position = columnPositions(header, columns);
    for (const fault of headerFaults(header, columns, needed)) this.faults.push({ where: file, ...fault });
    if (this.faults.length === 0 && rows.length === 0)
      this.faults.push({ where: file, message: 'the file has no row' });
    this.isReadable = this.faults.length === 0;
    this.#rows = rows.filter(({ number, cells }) => {
      if (cells.length === header.length || (shortRows && cells.length < header.length)) return true;
      const message = `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} where the header has ${header.length}`;
      this.faults.push({ where: given.whereOf(number), message });
      return false;
    });
  }

  /** Number of rows with the right number of cells. */
  get length(): number {
    return this.#rows.length;
  }

  has(column: Column): boolean {
    return this.#position[column] >= 0;
  }

  where(row: number): string {
    return this.#given.whereOf(this.#rows[row]!.number);
  }

  /** Returns a cell as written. Empty if the table does not have the column. */
  cell(row: number, column: Column): string {
    return this.#rows[row]!.cells[this.#position[column]] ?? '';
  }

  text(row: number, column: Column): string {
    return this.cell(row, column).trim();
  }

  report(row: number, message: string, hint?: string): void {
    this.faults.push({ where: this.where(row), message, ...(hint === undefined ? {} : { hint }) });
  }

  /**
   * Reads a column as stamps (instants or whole days). `undefined` for empty cells and for invalid dates.
   * Invalid dates are added to `faults`, and also empty cells if `isNeeded` is true.
   */
  stamps(column: Column, isNeeded: boolean): (Stamp | undefined)[] {
    if (!this.has(column)) return this.#rows.map(() => undefined);
    const cells = this.#rows.map((_, row) => this.cell(row, column));
    const report = (row: number, message: string): void => this.report(row, message);
    return stampsOf(cells, column.replaceAll(' ', '_'), isNeeded, report, this.#given.timezone);
  }

  /** Returns the faults in the order of their rows. */
  sorted(): Fault[] {
    const row = ({ where }: Fault): number => Number(/ (\d+)$/.exec(where)?.[1] ?? 0);
    return [...this.faults].sort((a, b) => row(a) - row(b));
  }
}

/**
 * Reads a file as a sheet.
 *
 * @param failed creates the error to throw if the file cannot be read or its columns are wrong
 * @throws the error that `failed` creates
 */
export async function fileSheet<Column extends string>(
  file: string,
  rules: SheetRules<Column>,
  failed: (faults: readonly Fault[]) => Error,
  { unpackedLimit, timezone }: { unpackedLimit?: number | undefined; timezone?: string | undefined } = {},
): Promise<{ readonly sheet: Sheet<Column>; readonly sha256: string }> {
  const reading = await readDatedTable(file, unpackedLimit);
  if ('fault' in reading) throw failed([reading.fault]);
  const { header, rows, unit, sha256 } = reading.table;
  const whereOf = (number: number): string => `${file} ${unit} ${number}`;
  const sheet = new Sheet(file, { header, rows, whereOf, timezone }, rules);
  if (!sheet.isReadable) throw failed(sheet.sorted());
  return { sheet, sha256 };
}

/** Returns the positions of known columns in a header. -1 for a missing column. */
export function columnPositions<Column extends string>(
  header: readonly string[],
  columns: Spellings<Column>,
): Record<Column, number> {
  const names = header.map(plainName);
  return Object.fromEntries(
    Object.entries<readonly string[]>(columns).map(([column, spellings]) => {
      const known = [column, ...spellings].map(plainName);
      return [column, names.findIndex((name) => known.includes(name))];
    }),
  ) as Record<Column, number>;
}

/** Returns the faults of a header: columns that are missing, unknown, unnamed or duplicated. */
function headerFaults<Column extends string>(
  header: readonly string[],
  columns: Spellings<Column>,
  needed: readonly Column[],
): Omit<Fault, 'where'>[] {
  const position = columnPositions(header, columns);
  const names = Object.keys(columns) as Column[];
  const known = names.flatMap((name) =>
    [name, ...columns[name]].map((spelling) => [plainName(spelling), name] as const),
  );
  const columnOf = new Map(known);
  const faults: Omit<Fault, 'where'>[] = [];
  const missing = needed.filter((column) => position[column] < 0);
  if (missing.length > 0)
    faults.push({ message: `no column "${missing.join('", "')}" among "${header.join('", "')}"` });
  for (const [at, cell] of header.entries()) {
    const column = columnOf.get(plainName(cell));
    if (plainName(cell) === '') faults.push({ message: `column ${at + 1} has no name`, hint: 'remove it' });
    else if (column === undefined) {
      const meant = nearestColumn(cell, missing) ?? nearestColumn(cell, names);
      const question = meant === undefined ? '' : `did you mean "${meant}"? `;
      faults.push({
        message: `unknown column "${cell.trim()}"`,
        hint: `${question}Known columns: ${names.join(', ')}`,
      });
    } else if (position[column] !== at)
      faults.push({
        message: `columns "${header[position[column]]!.trim()}" and "${cell.trim()}" are both ${column}`,
      });
  }
  return faults;
}

/** Returns the known column that a header most likely means: a similar spelling, or one of its words. */
export function nearestColumn<Column extends string>(
  cell: string,
  names: readonly Column[],
): Column | undefined {
  const words = cell.toLowerCase().split(/[^a-z0-9]+/);
  const near = nearest(plainName(cell), names) as Column | undefined;
  return near ?? names.find((name) => words.includes(name));
}

/** Normalises a header for comparisons. */
function plainName(cell: string): string {
  return cell.replaceAll(/[\s_.\-\ufeff]+/g, '').toLowerCase();
}
