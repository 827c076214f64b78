import { basename } from 'node:path';
import { AppError, messageOf } from '../kernel/index.ts';
import { type BarSeries, PRICE_COLUMNS } from './bar-series.ts';
import { sqlName, sqlPath } from './database.ts';

const ROWS = 2_048;
const COLUMNS = ['symbol', 'date', ...PRICE_COLUMNS] as const;

/**
 * Writes series as one Parquet file, to the last bit: one row a bar, series after series. `loadMarket` reads it too.
 *
 * @param series all with the same further columns
 */
export async function writeBarColumns(series: readonly BarSeries[], file: string): Promise<void> {
  const { DOUBLE, DuckDBDataChunk, DuckDBInstance, DuckDBTimestampValue, TIMESTAMP, VARCHAR } = await import(
    '@duckdb/node-api'
  );
  const extra = Object.keys(series[0]?.extra ?? {});
  const names = [...COLUMNS, ...extra];
  const types = [VARCHAR, TIMESTAMP, ...names.slice(2).map(() => DOUBLE)];
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const columns = names.map((name, index) => `${sqlName(name)} ${String(types[index])}`);
    await connection.run(`CREATE TABLE bars (${columns.join(', ')})`);
    const appender = await connection.createAppender('bars');
    for (const one of series) {
      const numbers = [
        ...PRICE_COLUMNS.map((name) => one[name]),
        ...extra.map((name) => one.extra?.[name] ?? new Float64Array(one.time.length)),
      ];
      for (let at = 0; at < one.time.length; at += ROWS) {
        const times = Array.from(one.time.subarray(at, at + ROWS));
        const chunk = DuckDBDataChunk.create(types, times.length);
        chunk.setColumns([
          times.map(() => one.symbol),
          times.map((time) => new DuckDBTimestampValue(BigInt(time) * 1_000n)),
          ...numbers.map((column) => Array.from(column.subarray(at, at + ROWS))),
        ]);
        appender.appendDataChunk(chunk);
      }
    }
    appender.closeSync();
    await connection.run(`COPY bars TO ${sqlPath(file)} (FORMAT parquet, COMPRESSION zstd)`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/**
 * Reads what `writeBarColumns` wrote, without checking the bars again.
 *
 * @throws AppError `bad_data`
 */
export async function readBarColumns(file: string): Promise<BarSeries[]> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  try {
    const source = `read_parquet(${sqlPath(file)})`;
    const described = await connection.runAndReadAll(
      `SELECT column_name FROM (DESCRIBE SELECT * FROM ${source})`,
    );
    const extra = described
      .getRowsJS()
      .map(([name]) => String(name))
      .filter((name) => !COLUMNS.some((own) => own === name));
    const counted = await connection.runAndReadAll(
      `SELECT symbol, count(*)::INTEGER, min(file_row_number)::DOUBLE FROM read_parquet(${sqlPath(file)}, file_row_number = true) GROUP BY symbol ORDER BY 3`,
    );
    const series = counted
      .getRowsJS()
      .map(([symbol, bars]) => emptySeries(String(symbol), Number(bars), extra));
    const names = [...PRICE_COLUMNS, ...extra].map(sqlName).join(', ');
    const result = await connection.run(
      `SELECT epoch_ms(date)::DOUBLE, ${names} FROM read_parquet(${sqlPath(file)}, file_row_number = true) ORDER BY file_row_number`,
    );
    const flat = series.map((one) => columnsOf(one, extra));
    const positions = new Uint32Array(PRICE_COLUMNS.length + 1 + extra.length);
    const places = new Uint32Array(positions.length);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      for (let column = 0; column < chunk.columnCount; column++) {
        chunk.visitColumnValues(column, (value) => {
          while (places[column]! >= flat[positions[column]!]![column]!.length) {
            positions[column]! += 1;
            places[column] = 0;
          }
          flat[positions[column]!]![column]![places[column]!] = Number(value);
          places[column]! += 1;
        });
      }
    }
    return series;
  } catch (cause) {
    throw new AppError({
      code: 'bad_data',
      message: `The bars in ${basename(file)} cannot be read: ${messageOf(cause)}`,
      hint: 'Delete the file; it is fetched again.',
      kind: 'run',
      cause,
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function emptySeries(symbol: string, bars: number, extra: readonly string[]): BarSeries {
  const column = (): Float64Array => new Float64Array(bars);
  const series = {
    symbol,
    time: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  if (extra.length === 0) return series;
  return { ...series, extra: Object.fromEntries(extra.map((name) => [name, column()])) };
}

function columnsOf(series: BarSeries, extra: readonly string[]): Float64Array[] {
  return [
    series.time,
    ...PRICE_COLUMNS.map((name) => series[name]),
    ...extra.map((name) => series.extra![name]!),
  ];
}
