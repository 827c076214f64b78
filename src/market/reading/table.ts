/**
 * Opens any data file as a table of DuckDB.
 *
 * The columns of a Parquet file retain their types. Cells of all other formats are texts. A text file is
 * split into lines, and each line is split into cells in SQL. DuckDB's CSV parser does not split the cells,
 * because it does not report line numbers and can skip rows after a stray quote. One row is therefore one
 * line, and a cell cannot contain a line break.
 */
import { type Fault, messageOf } from '../../kernel/index.ts';
import { bareNames, type Columns } from '../columns/mapping.ts';
import { type Database, sqlName, sqlPath, sqlText } from './database.ts';
import { delimiterOf, splitLine } from './delimiter.ts';
import { type FileBytes, mostColumns, parquetFault, tooWide } from './file-bytes.ts';
import { isBareLine } from './headers.ts';

export interface Table {
  readonly header: readonly string[];
  /** Unit of row numbers: lines of a text file (the header is usually line 1), otherwise rows from 1. */
  readonly unit: 'line' | 'row';
  /** First line with a quote that is not closed. */
  readonly openQuote?: number | undefined;
  /** First JSON row with a duplicate key. The first value of this key would be lost. */
  readonly doubledKey?: number | undefined;
  readonly sql: CellSql;
}

/** SQL expressions for the cells of the database table `cells`. Positions of columns count from 0. */
export interface CellSql {
  /** Number of cells of a row. */
  readonly count: string;
  /** List of the texts of all cells of a row. Missing values are NULL. */
  readonly all: string;
  /** Trimmed text of a cell. Empty for a missing value. */
  text(position: number): string;
  /** Number in a cell as DOUBLE. NULL if the cell is not a number. It can be infinite or NaN. */
  number(position: number): string;
}

/** Error for a file that cannot be read as a table. Its message is shown to the user. */
export class UnreadableTable extends Error {}

/** Cells of formats without types: each row of `cells` has a list of texts. */
const TEXT_CELLS: CellSql = {
  count: 'len(cell)::INTEGER',
  all: 'cell',
  text: (position) => trimmed(`cell[${position + 1}]`),
  number: (position) => `TRY_CAST(${TEXT_CELLS.text(position)} AS DOUBLE)`,
};

/** Types whose conversion to DOUBLE gives the same value as the conversion of their text. */
const SAME_AS_TEXT = /^(?:DOUBLE|U?(?:TINYINT|SMALLINT|INTEGER)|BIGINT)$/;

/** Returns expressions for columns `c0`, `c1`, … of the given DuckDB types. */
function typedCells(types: readonly string[]): CellSql {
  const text = (position: number): string => trimmed(`c${position}::VARCHAR`);
  return {
    count: `${types.length}`,
    all: `[${types.map((_, position) => `c${position}::VARCHAR`).join(', ')}]`,
    text,
    number: (position) =>
      SAME_AS_TEXT.test(types[position]!) ? `c${position}::DOUBLE` : `TRY_CAST(${text(position)} AS DOUBLE)`,
  };
}

function trimmed(expression: string): string {
  return `coalesce(trim(${expression}, e' \\t'), '')`;
}

/**
 * Loads a file's rows into the table `cells` of the database. Its column `number` is the number of the row.
 * `Table.sql` reads its cells.
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
    return bytes.kind === 'json'
      ? await openJson(database, file, bytes.unpackedLimit)
      : await openParquet(database, file, bytes.unpackedLimit);
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
  if (bare !== undefined) return { header: bare, unit: 'line', openQuote, sql: TEXT_CELLS };
  const { furtherHeaders = [] } = columns?.preset ?? {};
  const further = furtherHeaders.map((cell) => ` OR lower(trim(cell[1])) = ${sqlText(cell)}`).join('');
  await database.run(
    `DELETE FROM cells WHERE number = ${first[0]}${further === '' ? '' : ` OR number <= ${Number(first[0]) + 2} AND (false${further})`}`,
  );
  return { header: cells, unit: 'line', openQuote, sql: TEXT_CELLS };
}

/** Returns column names if the first line is a bar. `undefined` if the first line is a header. */
function namesOfBare(cells: readonly string[], columns: Columns | undefined): readonly string[] | undefined {
  if (columns?.isBare === true) return cells.map((_, index) => String(index + 1));
  return columns?.preset !== undefined && isBareLine(cells) ? bareNames(columns.preset, cells) : undefined;
}

async function openJson(database: Database, file: string, unpackedLimit: number): Promise<Table> {
  const source = `read_json_objects(${sqlPath(file)})`;
  const header = (
    await database.rows(
      `SELECT key FROM (SELECT unnest(json_keys(json)) AS key FROM ${source}) GROUP BY key ORDER BY key`,
    )
  ).map(([name]) => String(name));
  checkHeader(header, unpackedLimit);
  const cells = header.map((name) => `json ->> ${sqlText(jsonPath(name))}`);
  await database.run(`CREATE OR REPLACE TEMP TABLE cells AS
    SELECT (row_number() OVER ())::INTEGER AS number, [${cells.join(', ')}] AS cell,
      len(json_keys(json)) > len(list_distinct(json_keys(json))) AS is_twice FROM ${source}`);
  const [doubled] = await database.rows('SELECT min(number) FROM cells WHERE is_twice');
  return {
    header,
    unit: 'row',
    doubledKey: (doubled?.[0] ?? undefined) as number | undefined,
    sql: TEXT_CELLS,
  };
}

async function openParquet(database: Database, file: string, unpackedLimit: number): Promise<Table> {
  const source = `read_parquet(${sqlPath(file)})`;
  const found = await database.rows(
    `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${source})`,
  );
  const header = found.map(([name]) => String(name));
  checkHeader(header, unpackedLimit);
  const columns = header.map((name, position) => `${sqlName(name)} AS c${position}`);
  await database.run(`CREATE OR REPLACE TEMP TABLE cells AS
    SELECT (row_number() OVER ())::INTEGER AS number, ${columns.join(', ')} FROM ${source}`);
  return { header, unit: 'row', sql: typedCells(found.map(([, type]) => String(type))) };
}

function checkHeader(header: readonly string[], unpackedLimit: number): void {
  if (header.length === 0) throw new UnreadableTable('the file contains no records');
  refuseWide(header.length, unpackedLimit);
}

function jsonPath(name: string): string {
  return `$."${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
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
