import { roundedPrice } from '../bars/column.ts';
import type { Database } from './database.ts';
import type { ColumnPlan } from './headers.ts';
import { type Table, UnreadableTable } from './table.ts';

/** Rows of a table of bars, read into columns of equal length. */
export interface BarRows {
  readonly number: Float64Array;
  /**
   * Number of cells in each row. If it differs from the number of headers, the other columns have no valid
   * values for the row.
   */
  readonly cells: Float64Array;
  /** Trimmed texts of the time column. */
  readonly time: readonly string[];
  /** Symbols in capitals. Empty if the table has no symbol column. */
  readonly symbol: readonly string[];
  /** Open, high, low, close, volume, then the additional columns. NaN if the cell is not a finite number. */
  readonly values: readonly Float64Array[];
  /** All cells of each row that has a NaN value or a wrong number of cells, by row number. */
  readonly odd: ReadonlyMap<number, readonly (string | null)[]>;
}

/** Reads the columns at the positions of `plan` from the table `cells`, which `openTable` created. */
export async function readRows(
  database: Database,
  { header, sql }: Table,
  plan: ColumnPlan,
): Promise<BarRows> {
  const time =
    plan.clock === undefined
      ? sql.text(plan.time)
      : `trim(${sql.text(plan.time)} || ' ' || ${sql.text(plan.clock)})`;
  const finite = (value: string): string => `coalesce(CASE WHEN isfinite(${value}) THEN ${value} END, 'nan')`;
  const bars = [...plan.prices, ...(plan.volume === undefined ? [] : [plan.volume])].map(sql.number);
  const extra = plan.extra.map(({ position }) => sql.number(position));
  const expressions = [
    ...bars.map(finite),
    ...(plan.volume === undefined ? ['1::DOUBLE'] : []),
    ...extra.map(finite),
  ];
  const [counted] = await database.rows('SELECT count(*)::INTEGER FROM cells');
  const columnsOf = async (wanted: readonly string[]): Promise<Float64Array[]> => {
    const columns = wanted.map(() => new Float64Array(counted![0] as number));
    await database.visit(`SELECT ${wanted.join(', ')} FROM cells ORDER BY number`, (value, column, row) => {
      columns[column]![row] = value as number;
    });
    return columns;
  };
  const [number, cells, ...numbers] = (await columnsOf(['number', sql.count, ...expressions])) as [
    Float64Array,
    Float64Array,
    ...Float64Array[],
  ];
  if (plan.unadjusted !== undefined) {
    const [raw] = await columnsOf([`coalesce(${sql.number(plan.unadjusted)}, 'nan')`]);
    scaleToClose(numbers, raw!, number);
  }
  const allWell =
    cells.every((count) => count === header.length) && !numbers.some((column) => column.some(Number.isNaN));
  const isOdd = [...bars, ...extra].map((value) => `NOT coalesce(isfinite(${value}), false)`);
  const odd = allWell
    ? []
    : await database.rows(
        `SELECT number, ${sql.all} FROM cells WHERE ${[`${sql.count} <> ${header.length}`, ...isOdd].join(' OR ')}`,
      );
  return {
    number,
    cells,
    time: await readTexts(database, time),
    symbol: plan.symbol === undefined ? [] : await readTexts(database, `upper(${sql.text(plan.symbol)})`),
    values: numbers,
    odd: new Map(odd.map(([row, cell]) => [row as number, cell as (string | null)[]])),
  };
}

/** Multiplies open, high and low by the adjusted close divided by the unadjusted close, to twelve digits. */
function scaleToClose(
  [open, high, low, close]: readonly Float64Array[],
  raw: Float64Array,
  number: Float64Array,
): void {
  for (const [row, unadjusted] of raw.entries()) {
    // Rows without valid prices are skipped, because they are reported later with their cells.
    if ([open!, high!, low!, close!].some((column) => Number.isNaN(column[row]))) continue;
    if (!(unadjusted > 0 && Number.isFinite(unadjusted)))
      throw new UnreadableTable(`line ${number[row]}: the close before adjustment is not a number above 0`);
    for (const column of [open!, high!, low!])
      column[row] = roundedPrice((column[row]! * close![row]!) / unadjusted);
    close![row] = roundedPrice(close![row]!);
  }
}

/**
 * Reads a column of texts. If most texts repeat, such as symbols or dates of several symbols, DuckDB
 * transfers each distinct text once, and then one text number per row.
 */
async function readTexts(database: Database, expression: string): Promise<string[]> {
  const line = `replace(${expression}, chr(10), ' ')`;
  const [counts] = await database.rows(
    `SELECT count(*)::INTEGER, approx_count_distinct(${line})::INTEGER FROM cells`,
  );
  const [rows, different] = counts as [number, number];
  if (different * 4 > rows) return joinedTexts(database, `${line} AS text, number FROM cells`);
  await database.run(`CREATE OR REPLACE TEMP TABLE texts AS
    SELECT text, (row_number() OVER () - 1)::INTEGER AS number FROM (SELECT DISTINCT ${line} AS text FROM cells)`);
  const texts = await joinedTexts(database, 'text, number FROM texts');
  const column = new Array<string>(rows);
  await database.visit(
    `SELECT texts.number FROM cells JOIN texts ON ${line} = text ORDER BY cells.number`,
    (id, _, row) => {
      column[row] = texts[id as number]!;
    },
  );
  return column;
}

// DuckDB transfers one long string three times faster than one string per row.
async function joinedTexts(database: Database, selection: string): Promise<string[]> {
  const [row] = await database.rows(
    `SELECT string_agg(text, chr(10) ORDER BY number) FROM (SELECT ${selection})`,
  );
  const joined = row?.[0] as string | null | undefined;
  return joined == null ? [] : joined.split('\n');
}
