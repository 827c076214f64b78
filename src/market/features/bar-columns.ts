import type { Database } from '../database.ts';
import type { ColumnPlan } from '../headers.ts';
import { nameFault, plainFeatureName } from './names.ts';
import type { FeatureColumn, FeatureTable, FeatureValue } from './table.ts';

/** Headers of additional times of a bar. These columns are reported and not used as features. */
const TIMES = ['date', 'datetime', 'date_time', 'timestamp', 'open_time', 'close_time', 'time', 'day'];
const TEXT = "coalesce(trim(cell[POSITION], e' \\t'), '')";
const GAP = "lower(TEXT) IN ('', 'null', 'none', 'nan', 'na', 'n/a', '<na>', 'nat', '-')";

/** Columns of a file of bars other than the bars themselves, and descriptions of the omitted columns. */
export interface BarColumns {
  readonly table?: FeatureTable;
  readonly adjustments: readonly string[];
}

/**
 * Reads the additional columns of a file of bars. Each value becomes visible when its bar has ended.
 *
 * @param times times of the rows of the last opened table
 * @param symbols symbol of each row. `undefined` for unwanted rows
 */
export async function readBarColumns(
  database: Database,
  file: string,
  header: readonly string[],
  plan: ColumnPlan,
  times: ArrayLike<number>,
  symbols: readonly (string | undefined)[],
): Promise<BarColumns> {
  const { named, adjustments } = furtherColumns(file, header, plan);
  const wanted = symbols.flatMap((symbol, row) =>
    symbol === undefined || Number.isNaN(times[row]) ? [] : [row],
  );
  if (named.length === 0 || wanted.length === 0) return { adjustments };
  const columns: FeatureColumn[] = [];
  for (const { name, position } of named) {
    const { type, values } = await readColumn(database, position);
    columns.push({ name, type, values: wanted.map((row) => values[row] ?? null) });
  }
  const table: FeatureTable = {
    source: file,
    columns,
    dates: wanted.map((row) => ({ instant: times[row]!, wholeDay: false })),
    known: wanted.map(() => undefined),
    symbols: wanted.map((row) => symbols[row]!),
    isOfBars: true,
  };
  return { table, adjustments };
}

/** Returns the additional columns that are features, and the omitted ones. */
export function furtherColumns(file: string, header: readonly string[], plan: ColumnPlan) {
  const used = new Set([
    plan.time,
    plan.clock,
    ...plan.prices,
    plan.volume,
    plan.symbol,
    ...plan.extra.map(({ position }) => position),
  ]);
  const named: { readonly name: string; readonly position: number }[] = [];
  const adjustments: string[] = [];
  for (const [position, cell] of header.entries()) {
    const name = plainFeatureName(cell);
    if (used.has(position) || name === undefined || TIMES.includes(name)) continue;
    const fault = nameFault(name);
    if (fault === undefined && !named.some((other) => other.name === name)) named.push({ name, position });
    else
      adjustments.push(
        `${file}: omitted the column "${cell.trim()}": ${fault?.message ?? `another is called ${name} too`}`,
      );
  }
  return { named, adjustments };
}

async function readColumn(
  database: Database,
  position: number,
): Promise<Pick<FeatureColumn, 'type' | 'values'>> {
  const text = TEXT.replace('POSITION', String(position + 1));
  const gap = GAP.replace('TEXT', text);
  const number = `TRY_CAST(${text} AS DOUBLE)`;
  const [counts] = await database.rows(
    `SELECT count(*) FILTER (NOT ${gap} AND NOT coalesce(isfinite(${number}), false))::INTEGER,
      count(*) FILTER (NOT ${gap} AND lower(${text}) NOT IN ('true', 'false'))::INTEGER,
      count(*) FILTER (NOT ${gap})::INTEGER FROM cells`,
  );
  const [noNumbers = 0, noBooleans = 0, said = 0] = (counts ?? []) as number[];
  const values: FeatureValue[] = [];
  if (noNumbers === 0) {
    const finite = `coalesce(CASE WHEN NOT ${gap} THEN ${number} END, 'nan'::DOUBLE)`;
    await database.visit(`SELECT ${finite} FROM cells ORDER BY number`, (value) =>
      values.push(Number.isNaN(value) ? null : (value as number)),
    );
    return { type: 'number', values };
  }
  const isBoolean = noBooleans === 0 && said > 0;
  await database.visit(`SELECT ${text} FROM cells ORDER BY number`, (value) => {
    const cell = value as string;
    if (isBoolean) values.push(/^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : null);
    else values.push(cell === '' ? null : cell);
  });
  return { type: isBoolean ? 'boolean' : 'text', values };
}

/**
 * Unifies the types of features across tables of several files. A feature that is text in one table is text
 * in all.
 */
export function sameTypes(tables: readonly FeatureTable[]): FeatureTable[] {
  const types = new Map<string, Set<string>>();
  for (const { name, type } of tables.flatMap(({ columns }) => columns))
    types.set(name, (types.get(name) ?? new Set()).add(type));
  return tables.map((table) => ({
    ...table,
    columns: table.columns.map(
      (column): FeatureColumn =>
        types.get(column.name)!.size === 1
          ? column
          : {
              ...column,
              type: 'text',
              values: column.values.map((value) => (value === null ? null : String(value))),
            },
    ),
  }));
}
