/**
 * Reads any data file as a table of text with DuckDB.
 *
 * A text file is split into lines, and each line is split into cells in SQL. DuckDB's CSV reader is not used,
 * because it does not report line numbers and can skip rows after a stray quote. One row is therefore one
 * line, and a cell cannot contain a line break.
 */
import { type Fault, messageOf } from '../../kernel/index.ts';
import { roundedPrice } from '../bars/column.ts';
import { bareNames, type Columns } from '../columns/mapping.ts';
import { type Database, sqlName, sqlPath, sqlText } from './database.ts';
import { delimiterOf, splitLine } from './delimiter.ts';
import { type FileBytes, mostColumns, parquetFault, tooWide } from './file-bytes.ts';
import { type ColumnPlan, isBareLine } from './headers.ts';

export interface Table {
  readonly header: readonly string[];
  /** Unit of row numbers: lines of a text file (the header is usually line 1), otherwise rows from 1. */
  readonly unit: 'line' | 'row';
  /** First line with a quote that is not closed. */
  readonly openQuote?: number | undefined;
  /** First JSON row with a duplicate key. The first value of this key would be lost. */
  readonly doubledKey?: number | undefined;
}

/** Rows of a table in columns of equal length. */
export interface Rows {
  readonly number: Float64Array;
  /**
   * Number of cells in the row. If this number differs from the header, the row has no values in the other
   * columns.
   */
  readonly cells: Float64Array;
  /** Trimmed texts of the time column. */
  readonly time: readonly string[];
  /** Symbols in capitals. Empty if the table has no symbol column. */
  readonly symbol: readonly string[];
  /** Open, high, low, close, volume, then the additional columns. NaN if the cell is not a finite number. */
  readonly values: readonly Float64Array[];
  /** All cells of the rows that contain a NaN value, by row number. */
  readonly odd: ReadonlyMap<number, readonly (string | null)[]>;
}

/** Error for a file that cannot be read as a table. Its message is shown to the user. */
export class UnreadableTable extends Error {}

/**
 * Loads a file's rows into the table `cells(number, cell)` of the database.
 *
 * @param columns mapping that may declare no header line, or several header lines
 */
export async function openTable(
  database: Database,
  file: string,
  bytes: FileBytes,
  columns?: Columns,
): Promise<Table> {
  try {
    if (bytes.kind === 'text') return await openText(database, file, bytes, columns);
    const fault =
      bytes.kind === 'parquet' ? await parquetFault(database, file, bytes.unpackedLimit) : undefined;
    if (fault !== undefined) throw new UnreadableTable(fault);
    return await openRecords(database, file, bytes.kind, bytes.unpackedLimit);
  } catch (error) {
    if (error instanceof UnreadableTable) throw error;
    throw new UnreadableTable(explain(messageOf(error), bytes.kind), { cause: error });
  }
}

/**
 * Throws if a table has too many columns.
 *
 * @throws UnreadableTable if a table has more columns than `mostColumns`
 */
function refuseWide(columns: number, limit: number): void {
  if (columns > mostColumns(limit)) throw new UnreadableTable(tooWide(columns, limit));
}

/** Returns the fault of a row with an unclosed quote or a duplicate key. */
export function brokenRow(file: string, { openQuote, doubledKey }: Table): Fault | undefined {
  if (openQuote !== undefined)
    return {
      where: `${file} line ${openQuote}`,
      message: 'a cell begins with a quote and does not end with one',
      hint: 'close it on the same line; a cell cannot contain a line break, and a quote within a cell is written twice',
    };
  if (doubledKey !== undefined)
    return { where: `${file} row ${doubledKey}`, message: 'has a key twice', hint: 'remove one of them' };
  return undefined;
}

async function openText(
  database: Database,
  file: string,
  { gzip, endsWithReturns, unpackedLimit }: FileBytes,
  columns: Columns | undefined,
): Promise<Table> {
  // Options for reading each line as a row: no quotes and an unused delimiter. Blank lines are also rows, so
  // that row numbers are line numbers. DuckDB's parallel reader refuses large files with these options. With
  // '\r\n' DuckDB reads LF and CRLF, but drops the character after a lone carriage return. `inspectFile`
  // therefore refuses files with mixed line ends.
  const newLine = endsWithReturns ? '\\r' : '\\r\\n';
  const numbered = `(SELECT (row_number() OVER ())::INTEGER AS number, line FROM read_csv(${sqlPath(file)},
    auto_detect = false, header = false, strict_mode = false, parallel = false, new_line = '${newLine}', delim = '\x1f', quote = '', escape = '',
    compression = '${gzip ? 'gzip' : 'none'}', columns = {'line': 'VARCHAR'}))`;
  const written = "trim(line, e' \\t') <> ''";
  const [first] = await database.rows(`SELECT number, line FROM ${numbered} WHERE ${written} LIMIT 1`);
  if (first === undefined) throw new UnreadableTable('the file is empty');
  const delimiter = delimiterOf(first[1] as string);
  refuseWide((first[1] as string).split(delimiter).length, unpackedLimit);
  const { split, isOpen } = splitLine(delimiter);
  await database.run(`CREATE OR REPLACE TEMP TABLE cells AS
    SELECT number, ${split} AS cell, ${isOpen} AS is_open FROM ${numbered} WHERE ${written}`);
  const [open] = await database.rows('SELECT min(number) FROM cells WHERE is_open');
  const openQuote = (open?.[0] ?? undefined) as number | undefined;
  const [line] = await database.rows(`SELECT cell FROM cells WHERE number = ${first[0]}`);
  const cells = line![0] as string[];
  const bare = namesOfBare(cells, columns);
  if (bare !== undefined) return { header: bare, unit: 'line', openQuote };
  const { furtherHeaders = [] } = columns?.preset ?? {};
  const further = furtherHeaders.map((cell) => ` OR lower(trim(cell[1])) = ${sqlText(cell)}`).join('');
  await database.run(
    `DELETE FROM cells WHERE number = ${first[0]}${further === '' ? '' : ` OR number <= ${Number(first[0]) + 2} AND (false${further})`}`,
  );
  return { header: cells, unit: 'line', openQuote };
}

/** Returns column names if the first line is a bar. `undefined` if the first line is a header. */
function namesOfBare(cells: readonly string[], columns: Columns | undefined): readonly string[] | undefined {
  if (columns?.isBare === true) return cells.map((_, index) => String(index + 1));
  return columns?.preset !== undefined && isBareLine(cells) ? bareNames(columns.preset, cells) : undefined;
}

async function openRecords(
  database: Database,
  file: string,
  kind: 'json' | 'parquet',
  unpackedLimit: number,
): Promise<Table> {
  const path = sqlPath(file);
  const json = kind === 'json';
  const source = json ? `read_json_objects(${path})` : `read_parquet(${path})`;
  const found = json
    ? `SELECT key FROM (SELECT unnest(json_keys(json)) AS key FROM ${source}) GROUP BY key ORDER BY key`
    : `SELECT column_name FROM (DESCRIBE SELECT * FROM ${source})`;
  const header = (await database.rows(found)).map(([name]) => String(name));
  if (header.length === 0) throw new UnreadableTable('the file contains no records');
  refuseWide(header.length, unpackedLimit);
  // Values of all types are read as text. No precision is lost, because the text of a double converts back to
  // the same double.
  const cells = header.map((name) =>
    json ? `json ->> ${sqlText(jsonPath(name))}` : `${sqlName(name)}::VARCHAR`,
  );
  const twice = json ? 'len(json_keys(json)) > len(list_distinct(json_keys(json)))' : 'false';
  await database.run(`CREATE OR REPLACE TEMP TABLE cells AS
    SELECT (row_number() OVER ())::INTEGER AS number, [${cells.join(', ')}] AS cell, ${twice} AS is_twice FROM ${source}`);
  const [doubled] = await database.rows('SELECT min(number) FROM cells WHERE is_twice');
  return { header, unit: 'row', doubledKey: (doubled?.[0] ?? undefined) as number | undefined };
}

function jsonPath(name: string): string {
  return `$."${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Reads the planned columns of the last opened table. */
export async function readRows(
  database: Database,
  header: readonly string[],
  plan: ColumnPlan,
): Promise<Rows> {
  const text = (position: number): string => `coalesce(trim(cell[${position + 1}], e' \\t'), '')`;
  const time =
    plan.clock === undefined ? text(plan.time) : `trim(${text(plan.time)} || ' ' || ${text(plan.clock)})`;
  const values = [...plan.prices, ...(plan.volume === undefined ? [] : [plan.volume])].map((position) => {
    return `TRY_CAST(${text(position)} AS DOUBLE)`;
  });
  const finite = values.map((value) => `coalesce(CASE WHEN isfinite(${value}) THEN ${value} END, 'nan')`);
  if (plan.volume === undefined) finite.push('1::DOUBLE');
  for (const { position } of plan.extra) {
    const value = `TRY_CAST(${text(position)} AS DOUBLE)`;
    values.push(value);
    finite.push(`coalesce(CASE WHEN isfinite(${value}) THEN ${value} END, 'nan')`);
  }
  const [counted] = await database.rows('SELECT count(*)::INTEGER FROM cells');
  const columnsOf = async (expressions: readonly string[]): Promise<Float64Array[]> => {
    const columns = expressions.map(() => new Float64Array(counted![0] as number));
    await database.visit(
      `SELECT ${expressions.join(', ')} FROM cells ORDER BY number`,
      (value, column, row) => {
        columns[column]![row] = value as number;
      },
    );
    return columns;
  };
  const [number, cells, ...numbers] = (await columnsOf(['number', 'len(cell)::INTEGER', ...finite])) as [
    Float64Array,
    Float64Array,
    ...Float64Array[],
  ];
  if (plan.unadjusted !== undefined) {
    const [raw] = await columnsOf([`coalesce(TRY_CAST(${text(plan.unadjusted)} AS DOUBLE), 'nan')`]);
    scaleToClose(numbers, raw!, number);
  }
  const allWell =
    cells.every((count) => count === header.length) && !numbers.some((column) => column.some(Number.isNaN));
  const odd = allWell
    ? []
    : await database.rows(`SELECT number, cell FROM cells
    WHERE len(cell) <> ${header.length} OR ${values.map((value) => `NOT coalesce(isfinite(${value}), false)`).join(' OR ')}`);
  return {
    number,
    cells,
    time: await readTexts(database, time),
    symbol: plan.symbol === undefined ? [] : await readTexts(database, `upper(${text(plan.symbol)})`),
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

// DuckDB transfers one long string three times faster than one string per row.
async function readTexts(database: Database, expression: string): Promise<string[]> {
  const line = `replace(${expression}, chr(10), ' ')`;
  const [row] = await database.rows(`SELECT string_agg(${line}, chr(10) ORDER BY number) FROM cells`);
  const joined = row?.[0] as string | null | undefined;
  return joined == null ? [] : joined.split('\n');
}

// Replaces DuckDB's messages with messages for users, because DuckDB's messages contain its own options and
// paths of the machine.
function explain(message: string, kind: FileBytes['kind']): string {
  if (/unicode|utf-?8/i.test(message)) return 'the file is not UTF-8 text';
  if (/line size|max_line_size/i.test(message))
    return 'a line is longer than 2 MB, so this is not a table of bars';
  const detail = /at byte \d+[^:]*: ([^.\n]+)/.exec(message);
  const names = { text: 'a table of text', json: 'JSON', parquet: 'Parquet' };
  return `the file cannot be read as ${names[kind]}${detail === null ? '' : ` (${detail[0]})`}`;
}
