import { basename } from 'node:path';
import { AppError, messageOf } from '../kernel/index.ts';
import { BAR_COLUMNS, type BarSeries, PRICE_COLUMNS, seriesFrom } from './bar-series.ts';
import { createBarTable, sqlTime } from './bar-table.ts';
import { openDatabase, sqlName, sqlPath } from './database.ts';

const STORED = ['symbol', 'date', ...PRICE_COLUMNS] as const;

/**
 * Writes series without loss of precision as one Parquet file: one row per bar, one series after another.
 * `loadMarket` can read the file.
 *
 * @param series series with the same additional columns
 */
export async function writeBarColumns(series: readonly BarSeries[], file: string): Promise<void> {
  const extra = Object.keys(series[0]?.extra ?? {});
  const names = [...PRICE_COLUMNS, ...extra].map(sqlName).join(', ');
  const database = await openDatabase();
  try {
    // Two threads could split the rows into different groups on the next write.
    await database.run('SET threads = 1');
    await createBarTable(database, series, extra);
    await database.run(
      `COPY (SELECT symbol, ${sqlTime()} AS date, ${names} FROM bars) TO ${sqlPath(file)} (FORMAT parquet, COMPRESSION zstd)`,
    );
  } finally {
    database.close();
  }
}

/**
 * Reads a file written by `writeBarColumns`, without validating the bars again.
 *
 * @throws AppError `bad_data`
 */
export async function readBarColumns(file: string): Promise<BarSeries[]> {
  const database = await openDatabase();
  try {
    const source = `read_parquet(${sqlPath(file)}, file_row_number = true)`;
    const described = await database.rows(
      `SELECT column_name FROM (DESCRIBE SELECT * EXCLUDE (file_row_number) FROM ${source})`,
    );
    const extra = described
      .map(([name]) => String(name))
      .filter((name) => !STORED.some((own) => own === name));
    const counted = await database.rows(
      `SELECT symbol, count(*)::INTEGER, min(file_row_number)::DOUBLE FROM ${source} GROUP BY symbol ORDER BY 3`,
    );
    const columns = counted.map(([, bars]) =>
      [...BAR_COLUMNS, ...extra].map(() => new Float64Array(Number(bars))),
    );
    const names = [...PRICE_COLUMNS, ...extra].map(sqlName).join(', ');
    const positions = new Uint32Array(BAR_COLUMNS.length + extra.length);
    const places = new Uint32Array(positions.length);
    await database.visit(
      `SELECT epoch_ms(date)::DOUBLE, ${names} FROM ${source} ORDER BY file_row_number`,
      (value, column) => {
        while (places[column]! >= columns[positions[column]!]![column]!.length) {
          positions[column]! += 1;
          places[column] = 0;
        }
        columns[positions[column]!]![column]![places[column]!] = Number(value);
        places[column]! += 1;
      },
    );
    return counted.map(([symbol], index) => seriesFrom(String(symbol), columns[index]!, extra));
  } catch (cause) {
    throw new AppError({
      code: 'bad_data',
      message: `The bars in ${basename(file)} cannot be read: ${messageOf(cause)}`,
      hint: 'Delete the file; it is fetched again.',
      kind: 'run',
      cause,
    });
  } finally {
    database.close();
  }
}
