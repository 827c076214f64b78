import type { Fault } from '../../kernel/index.ts';
import { columnPositions, type DatedRow } from '../dated-table.ts';
import { type Stamp, stampsOf } from '../stamps.ts';

/** The rows of a file, or of code, before they are read. */
export interface Rows {
  readonly header: readonly string[];
  readonly rows: readonly DatedRow[];
  /** Of times that name none, by its IANA name; UTC when left out. */
  readonly timezone?: string | undefined;
  whereOf(number: number): string;
}

/** A table whose columns are known by their names; what is wrong with it gathers in `faults`. */
export class Sheet<Column extends string> {
  readonly faults: Fault[] = [];
  readonly #given: Rows;
  readonly #position: Readonly<Record<Column, number>>;
  readonly #rows: readonly DatedRow[];

  /**
   * @param file for faults of the whole table
   * @param columns their spellings by name
   * @param needed those that it must have
   */
  constructor(
    file: string,
    given: Rows,
    columns: Readonly<Record<Column, readonly string[]>>,
    needed: readonly NoInfer<Column>[],
  ) {
    const { header, rows } = given;
    this.#given = given;
    this.#position = columnPositions(header, columns);
    const missing = needed.filter((column) => this.#position[column] < 0);
    if (missing.length > 0)
      this.faults.push({
        where: file,
        message: `no column "${missing.join('", "')}" among "${header.join('", "')}"`,
      });
    else if (rows.length === 0) this.faults.push({ where: file, message: 'there is no row in it' });
    this.#rows = rows.filter(({ number, cells }) => {
      if (cells.length === header.length) return true;
      const message = `has ${cells.length} cells where the header has ${header.length}`;
      this.faults.push({ where: given.whereOf(number), message });
      return false;
    });
  }

  /** Rows that have all their cells. */
  get length(): number {
    return this.#rows.length;
  }

  has(column: Column): boolean {
    return this.#position[column] >= 0;
  }

  where(row: number): string {
    return this.#given.whereOf(this.#rows[row]!.number);
  }

  /** A cell as it stands; empty where the table has no such column. */
  cell(row: number, column: Column): string {
    return this.#rows[row]!.cells[this.#position[column]] ?? '';
  }

  text(row: number, column: Column): string {
    return this.cell(row, column).trim();
  }

  report(row: number, message: string, hint?: string): void {
    this.faults.push({ where: this.where(row), message, ...(hint === undefined ? {} : { hint }) });
  }

  /** A column as stamps; undefined where a cell is empty or no date, which is reported. */
  stamps(column: Column, isNeeded: boolean): (Stamp | undefined)[] {
    if (!this.has(column)) return this.#rows.map(() => undefined);
    const cells = this.#rows.map((_, row) => this.cell(row, column));
    const report = (row: number, message: string): void => this.report(row, message);
    return stampsOf(cells, column.replaceAll(' ', '_'), isNeeded, report, this.#given.timezone);
  }

  /** The faults in the order of their rows. */
  sorted(): Fault[] {
    const row = ({ where }: Fault): number => Number(/ (\d+)$/.exec(where)?.[1] ?? 0);
    return [...this.faults].sort((a, b) => row(a) - row(b));
  }
}
