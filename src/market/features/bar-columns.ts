import type { Fault } from '../../kernel/index.ts';
import { PRICE_COLUMNS } from '../bars/bar-columns.ts';
import type { Interval } from '../bars/interval.ts';
import type { Database } from '../reading/database.ts';
import type { ColumnPlan } from '../reading/headers.ts';
import type { Stamp } from '../reading/stamps.ts';
import type { CellSql, Table } from '../reading/table.ts';

/**
 * Names that a feature (additional time series) cannot have: columns of bars and of feature files. A feature
 * with such a name would hide the column.
 */
const TAKEN: readonly string[] = ['date', 'time', 'symbol', 'available_at', ...PRICE_COLUMNS];

/** Python keywords, which cannot be attribute names. */
const PYTHON =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  );

/**
 * Frequently used attributes of a pandas DataFrame. A feature with such a name could not be read as
 * `df.name`.
 */
const FRAME =
  'abs add agg all any append apply assign at attrs axes bfill clip columns copy corr count cov cummax cummin cumprod cumsum describe diff div drop dropna dtypes empty eq eval ewm expanding explode ffill fillna filter first ge get groupby gt head hist iat idxmax idxmin iloc index info insert isin isna items join keys kurt last le loc lt map mask max mean median melt merge min mod mode mul ndim ne nlargest notna nsmallest nunique pct_change pipe pivot plot pop pow prod quantile query rank reindex rename replace resample rolling round sample sem set_index shape shift size skew sort_index sort_values squeeze stack std style sub sum swapaxes ta tail take transform transpose truncate unique unstack update values var where xs'.split(
    ' ',
  );

/** Returns the fault of a feature's name, with a suggestion. `undefined` for a valid name. */
export function nameFault(name: string): Omit<Fault, 'where'> | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) {
    const better = plainFeatureName(name);
    const hint = better === undefined ? 'use letters, digits and _ for its name' : `call it ${better}`;
    return { message: `the column "${name}" is not a name that code can use`, hint };
  }
  if (TAKEN.includes(name.toLowerCase()))
    return {
      message: `the column "${name}" has the name of a column of the bars`,
      hint: `call it ${name}_2`,
    };
  if (PYTHON.includes(name))
    return { message: `the column "${name}" is a word of Python`, hint: `call it ${name}_` };
  if (FRAME.includes(name))
    return {
      message: `the column "${name}" is the name of a DataFrame attribute or method`,
      hint: `call it ${name}_value`,
    };
  return undefined;
}

/** Converts a column's header to a feature name: `Adj Close` becomes adj_close. `undefined` if impossible. */
function plainFeatureName(header: string): string | undefined {
  const name = header
    .replaceAll(/[<>"'\ufeff]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return /^[a-z]/.test(name) ? name : undefined;
}

/** Headers of time columns in addition to the one that is used as the bar's time. They are not features. */
const TIMES = ['date', 'datetime', 'date_time', 'timestamp', 'open_time', 'close_time', 'time', 'day'];
/**
 * Names of adjusted prices. They are not features, because their values depend on splits and dividends after
 * the bar.
 */
const ADJUSTED = /^(?:\d+_)?adj(?:usted)?_?(?:open|high|low|close|volume)(?:_price)?$/;
const GAP = "lower(TEXT) IN ('', 'null', 'none', 'nan', 'na', 'n/a', '<na>', 'nat', '-')";

/** Additional columns of a file of bars, as features, and descriptions of the columns that are omitted. */
interface BarColumns {
  readonly table?: FeatureTable;
  readonly adjustments: readonly string[];
}

/**
 * Reads the additional columns of a file of bars as features. Each value becomes visible when its bar has
 * ended.
 *
 * @param times times of the rows in the table `cells`, into which the file was loaded
 * @param symbols symbol of each row. `undefined` for unwanted rows
 */
export async function readBarColumns(
  database: Database,
  file: string,
  { header, sql }: Table,
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
    const { type, values } = await readColumn(database, sql, position);
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

/** Returns the additional columns that become features, and descriptions of the omitted columns. */
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
    if (ADJUSTED.test(name)) {
      adjustments.push(
        `${file}: the column "${cell.trim()}" is not a feature, because adjusted prices contain later splits and dividends`,
      );
      continue;
    }
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
  sql: CellSql,
  position: number,
): Promise<Pick<FeatureColumn, 'type' | 'values'>> {
  const text = sql.text(position);
  const gap = GAP.replace('TEXT', text);
  const number = sql.number(position);
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

/** Value of a feature. `null` if missing. */
export type FeatureValue = number | string | boolean | null;
export type FeatureType = 'number' | 'text' | 'boolean';

export interface FeatureColumn {
  readonly name: string;
  readonly type: FeatureType;
  /** Values by row. Numbers are always finite. */
  readonly values: readonly FeatureValue[];
}

/** Rows of one or more features (time series other than bars), with their dates and publication times. */
export interface FeatureTable {
  /** File name for messages. */
  readonly source: string;
  readonly columns: readonly FeatureColumn[];
  /** Date that the values of each row belong to. */
  readonly dates: readonly Stamp[];
  /**
   * Publication time of each row. `undefined` if the row becomes visible at the end of the bar of its date,
   * plus `lag`.
   */
  readonly known: readonly (Stamp | undefined)[];
  /** Symbol of each row. `undefined` if all rows apply to all symbols. */
  readonly symbols: readonly string[] | undefined;
  readonly lag?: Interval;
  /**
   * True for additional columns of a file of bars. Their values become visible with the bar, so
   * `FeatureFeed.endOf` does not return them as new rows.
   */
  readonly isOfBars?: boolean;
}

/** File of features, as described in a run's manifest. */
export interface FeatureSource {
  readonly file: string;
  readonly sha256: string;
  readonly features: readonly string[];
  readonly rows: number;
}

/** Returns the features of some tables with their types. Each name occurs once. */
export function featureSchema(
  tables: readonly FeatureTable[],
): readonly { readonly name: string; readonly type: FeatureType }[] {
  const found = new Map<string, FeatureType>();
  for (const { columns } of tables)
    for (const { name, type } of columns) if (!found.has(name)) found.set(name, type);
  return [...found].map(([name, type]) => ({ name, type }));
}
