import { BAR_COLUMNS, type BarSeries } from './bar-series.ts';
import { type Database, sqlName } from './database.ts';

/**
 * Creates the table `bars` of series in the given order: `symbol`, `time` in milliseconds, prices, volume,
 * additional columns.
 *
 * @param extra names of the additional columns. A series without one gets 0
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
