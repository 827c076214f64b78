import { BAR_COLUMNS, type BarSeries } from './bar-series.ts';
import { type Database, sqlName } from './database.ts';

/**
 * Makes the table `bars` of series in their order: `symbol`, `time` in milliseconds, prices, volume, further columns.
 *
 * @param extra names of the further columns; of a series that lacks one, 0
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

/** The time of a row of `bars`, or of another column of milliseconds, as DuckDB's. */
export function sqlTime(column = 'time'): string {
  return `make_timestamp((${column} * 1000)::BIGINT)`;
}
