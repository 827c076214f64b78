import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import { parseInstant } from '../../../kernel/index.ts';
import { sqlName } from '../../../market/index.ts';
import type { Cell, ColumnType, RunTable } from './run-tables.ts';

/** Opens an in-memory database. DuckDB is loaded on first use because loading takes 0.2 seconds. */
export async function openMemory(): Promise<{ readonly connection: DuckDBConnection; close(): void }> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // DuckDB writes temporary data to this folder, and queries can access the folder. An empty path disables
    // both.
    temp_directory: '',
  });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  return {
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Returns the DuckDB type of a column. */
export type TypeOf = (column: string, type: ColumnType) => string;

const WIDEST_DECIMAL = 38;

/**
 * Returns the column types for SQL queries on runs. Decimal strings become float64 so that they can be
 * summed. Instants have no time zone.
 */
export const QUERY_TYPES: TypeOf = (_, type) =>
  ({
    integer: 'BIGINT',
    number: 'DOUBLE',
    exact: 'DOUBLE',
    instant: 'TIMESTAMP',
    text: 'VARCHAR',
    boolean: 'BOOLEAN',
  })[type];

/**
 * Returns the column types for exported files. Values are not rounded. Instants are in UTC. Decimal strings
 * become DECIMAL with as many decimal places as the column needs.
 */
export function exactTypes({ columns, rows }: RunTable): TypeOf {
  return (name, type) => {
    if (type === 'instant') return 'TIMESTAMP WITH TIME ZONE';
    if (type !== 'exact') return QUERY_TYPES(name, type);
    const index = columns.findIndex(([column]) => column === name);
    let [whole, places] = [1, 2];
    for (const row of rows) {
      const [digits = '', fraction = ''] = String(row[index] ?? '')
        .replace('-', '')
        .split('.');
      whole = Math.max(whole, digits.length);
      places = Math.max(places, fraction.length);
    }
    // Numbers wider than DuckDB's widest decimal are exported as text, so no digit is lost.
    return whole + places <= WIDEST_DECIMAL ? `DECIMAL(${WIDEST_DECIMAL}, ${places})` : 'VARCHAR';
  };
}

/**
 * Creates a table and inserts rows. Further calls with the same name append rows.
 *
 * @param runId value of an additional first column `runId`. If omitted, the table has no such column
 */
export async function fillTable(
  connection: DuckDBConnection,
  { name, columns, rows }: Omit<RunTable, 'name'> & { readonly name: string },
  typeOf: TypeOf,
  runId?: string,
): Promise<void> {
  const all = [...(runId === undefined ? [] : [['runId', 'text'] as const]), ...columns];
  const types = all.map(([column, type]) => typeOf(column, type));
  const list = all.map(([column], index) => `${sqlName(column)} ${types[index]}`);
  await connection.run(`CREATE TABLE IF NOT EXISTS ${sqlName(name)} (${list.join(', ')})`);
  if (rows.length === 0) return;
  const { DuckDBDecimalValue, DuckDBTimestampTZValue, DuckDBTimestampValue } = await import(
    '@duckdb/node-api'
  );
  const micros = (date: string): bigint => BigInt(parseInstant(date) ?? 0) * 1000n;
  const append = (appender: DuckDBAppender, type: string, cell: Cell): void => {
    if (cell === null) appender.appendNull();
    else if (type === 'BIGINT') appender.appendBigInt(BigInt(Number(cell)));
    else if (type === 'DOUBLE') appender.appendDouble(Number(cell));
    else if (type === 'BOOLEAN') appender.appendBoolean(cell === true);
    else if (type === 'TIMESTAMP') appender.appendTimestamp(new DuckDBTimestampValue(micros(String(cell))));
    else if (type === 'TIMESTAMP WITH TIME ZONE')
      appender.appendTimestampTZ(new DuckDBTimestampTZValue(micros(String(cell))));
    else if (type.startsWith('DECIMAL')) {
      const scale = Number(/(\d+)\)$/.exec(type)?.[1]);
      appender.appendDecimal(new DuckDBDecimalValue(scaled(String(cell), scale), WIDEST_DECIMAL, scale));
    } else appender.appendVarchar(String(cell));
  };
  const appender = await connection.createAppender(name);
  try {
    for (const row of rows) {
      const cells = runId === undefined ? row : [runId, ...row];
      for (const [index, cell] of cells.entries()) append(appender, types[index]!, cell);
      appender.endRow();
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

/** Scales a decimal text to an integer. `12.5` with scale 3 becomes 12500. */
function scaled(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}
