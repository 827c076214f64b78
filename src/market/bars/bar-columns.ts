import { basename } from 'node:path';
import {
  AppError,
  describeValue,
  type Fault,
  faultsError,
  type Instant,
  isObject,
  messageOf,
  nearest,
  recordOf,
} from '../../kernel/index.ts';
import { type Database, openDatabase, sqlName, sqlPath } from '../reading/database.ts';

/**
 * Bars of one symbol in columns, oldest first. All columns have the same length. Times are strictly
 * increasing instants.
 */
export interface BarSeries {
  readonly symbol: string;
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Additional requested columns by name, such as a quoted spread. */
  readonly extra?: Readonly<Record<string, Float64Array>>;
  /** Length of the bars, for example `1h`. Default: inferred from the times between consecutive bars. */
  readonly interval?: string;
  /**
   * End of each bar. Present only if the time of a bar does not determine its end, as in series whose times
   * are masked.
   */
  readonly ends?: Float64Array;
}

/** Names of a bar's columns without the time, in the order used for storage and transfer. */
export const PRICE_COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** Names of a bar's columns in the order used for storage and transfer, starting with the time. */
const BAR_COLUMNS = ['time', ...PRICE_COLUMNS] as const;

/** One bar of a symbol. Prices and volume are float64. */
export interface Bar {
  readonly time: Instant;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/**
 * Creates a series from bars written in code, for tests and small examples. Ignores fields that `Bar` does
 * not have. Prices are checked later, when a market is created from the series.
 *
 * @throws AppError `bad_data` with every argument and field of a wrong type
 */
export function barSeries(symbol: string, bars: readonly Bar[]): BarSeries {
  const faults = argumentFaults(symbol, bars);
  if (faults.length > 0)
    throw faultsError(
      'bad_data',
      'The arguments of barSeries',
      faults,
      "Write: barSeries('AAPL', [{ time: Date.parse('2020-01-31'), open: 10, high: 11, low: 9, close: 10, volume: 500 }]).",
    );
  return { symbol, ...recordOf(BAR_COLUMNS, (name) => Float64Array.from(bars, (bar) => bar[name])) };
}

/** Maximum number of bars whose faults are listed. */
const MOST_FAULTY_BARS = 20;

function argumentFaults(symbol: unknown, bars: unknown): Fault[] {
  const faults: Fault[] = [];
  if (typeof symbol !== 'string' || symbol.trim() === '')
    faults.push({ where: 'symbol', message: `is ${describeValue(symbol)}. Expected a text such as "AAPL"` });
  if (!Array.isArray(bars)) {
    const hint = isObject(bars) && 'time' in bars ? 'put the bar into an array' : undefined;
    return [
      ...faults,
      {
        where: 'bars',
        message: `is ${describeValue(bars)}. Expected an array of bars`,
        ...(hint === undefined ? {} : { hint }),
      },
    ];
  }
  let faulty = 0;
  for (const [index, bar] of bars.entries()) {
    const own = barFaults(bar, `bars[${index}]`);
    if (own.length === 0) continue;
    faults.push(...own);
    faulty += 1;
    if (faulty === MOST_FAULTY_BARS) break;
  }
  return faults;
}

function barFaults(bar: unknown, where: string): Fault[] {
  if (!isObject(bar)) return [{ where, message: `is ${describeValue(bar)}. Expected a bar` }];
  const fields = bar as Readonly<Record<string, unknown>>;
  return BAR_COLUMNS.flatMap((name): Fault[] => {
    const value = fields[name];
    if (typeof value === 'number') return [];
    const expected = name === 'time' ? 'milliseconds since 1970' : 'a number';
    if (value !== undefined)
      return [
        {
          where: `${where}.${name}`,
          message: `is ${describeValue(value)}. Expected ${expected}`,
          ...(name === 'time' ? { hint: "use Date.parse('2020-01-31')" } : {}),
        },
      ];
    const others = Object.keys(fields).filter((key) => !BAR_COLUMNS.some((column) => column === key));
    const meant = others.find((key) => key.toLowerCase() === name) ?? nearest(name, others);
    return [
      {
        where: `${where}.${name}`,
        message: `is missing. Expected ${expected}`,
        ...(meant === undefined ? {} : { hint: `the bar has ${meant}` }),
      },
    ];
  });
}

/**
 * Creates a series from existing columns.
 *
 * @param columns in the order of `BAR_COLUMNS`, followed by the additional columns
 * @param extra names of the additional columns
 */
export function seriesFrom(
  symbol: string,
  columns: readonly Float64Array[],
  extra: readonly string[],
): BarSeries {
  const series = { symbol, ...recordOf(BAR_COLUMNS, (name) => columns[BAR_COLUMNS.indexOf(name)]!) };
  if (extra.length === 0) return series;
  const further = extra.map((name, index) => [name, columns[BAR_COLUMNS.length + index]!] as const);
  return { ...series, extra: Object.fromEntries(further) };
}

/**
 * Applies the same change to every column of a series, including `ends` and the additional columns. Examples
 * are slicing, selecting rows and joining.
 *
 * @param change receives a column, and a function `take` that returns the same column of another series
 */
export function mapColumns(
  series: BarSeries,
  change: (column: Float64Array, take: (other: BarSeries) => Float64Array) => Float64Array,
): BarSeries {
  const mapped = {
    symbol: series.symbol,
    ...(series.interval === undefined ? {} : { interval: series.interval }),
    ...recordOf(BAR_COLUMNS, (name) => change(series[name], (other) => other[name])),
    ...(series.ends === undefined ? {} : { ends: change(series.ends, (other) => other.ends!) }),
  };
  if (series.extra === undefined) return mapped;
  const extra = Object.entries(series.extra).map(
    ([name, column]) => [name, change(column, (other) => other.extra![name]!)] as const,
  );
  return { ...mapped, extra: Object.fromEntries(extra) };
}

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
    // With several threads, DuckDB could split the same rows into different row groups on each write. Two
    // files of the same bars would then differ.
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
 * @throws AppError `bad_data` if the file cannot be read
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

/**
 * Creates the table `bars` of series in the given order: `symbol`, `time` in milliseconds, prices, volume,
 * additional columns.
 *
 * @param extra names of the additional columns. A series that lacks a column gets 0
 */
export async function createBarTable(
  database: Database,
  series: readonly BarSeries[],
  extra: readonly string[],
): Promise<void> {
  const names = [...BAR_COLUMNS, ...extra].map((name) => `${sqlName(name)} DOUBLE`);
  await database.run(`CREATE OR REPLACE TEMP TABLE bars (symbol VARCHAR, ${names.join(', ')})`);
  for (const one of series) {
    const further = extra.map((name) => one.extra?.[name] ?? new Float64Array(one.time.length));
    await database.append('bars', one.symbol, [...BAR_COLUMNS.map((name) => one[name]), ...further]);
  }
}

/** SQL for the time of a row of `bars`, or of another column of milliseconds, as a DuckDB timestamp. */
export function sqlTime(column = 'time'): string {
  return `make_timestamp((${column} * 1000)::BIGINT)`;
}
