import { AppError, type Fault, faultsError, formatInstant, type Instant } from '../../kernel/index.ts';
import { type Interval, parseInterval } from '../bars/interval.ts';
import { type DatedRow, readDatedTables } from '../reading/dated-table.ts';
import { columnPositions, nearestColumn } from '../reading/sheet.ts';
import { type Stamp, stampsOf } from '../reading/stamps.ts';
import {
  type FeatureColumn,
  type FeatureSource,
  type FeatureTable,
  type FeatureType,
  type FeatureValue,
  nameFault,
} from './bar-columns.ts';

/** Texts that mean a missing number or boolean. */
const GAP = /^(?:|null|none|nan|n\/?a|<na>|nat|-)$/i;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const BOOLEAN = /^(?:true|false)$/i;

/** Cells of a column as values of one type, with the rows of invalid cells. */
interface ColumnValues {
  readonly type: FeatureType;
  readonly values: readonly FeatureValue[];
  readonly faults: readonly { readonly row: number; readonly message: string }[];
}

/**
 * Reads a column of cells. If more than half of the non-empty cells are numbers (or booleans), the column has
 * this type, and all other non-empty cells are faults. Otherwise its type is text.
 */
function readValues(cells: readonly (string | null)[]): ColumnValues {
  const texts = cells.map((cell) => (cell ?? '').trim());
  const said = texts.filter((text) => !GAP.test(text));
  const type = typeOf(said);
  if (type === 'text')
    return { type, values: cells.map((cell) => (cell === null || cell === '' ? null : cell)), faults: [] };
  const faults: { row: number; message: string }[] = [];
  const values = texts.map((text, row): FeatureValue => {
    if (GAP.test(text)) return null;
    if (type === 'boolean' && BOOLEAN.test(text)) return text.toLowerCase() === 'true';
    if (type === 'number' && NUMBER.test(text) && Number.isFinite(Number(text))) return Number(text);
    faults.push({ row, message: faultOf(text, type) });
    return null;
  });
  return { type, values, faults };
}

function typeOf(said: readonly string[]): FeatureType {
  const share = (pattern: RegExp): number => said.filter((text) => pattern.test(text)).length / said.length;
  if (said.length === 0) return 'number';
  const numbers = said.filter((text) => NUMBER.test(text) || isInfinite(text)).length / said.length;
  if (numbers > 0.5) return 'number';
  return share(BOOLEAN) > 0.5 ? 'boolean' : 'text';
}

function isInfinite(text: string): boolean {
  return /^[+-]?inf(?:inity)?$/i.test(text);
}

function faultOf(text: string, type: 'number' | 'boolean'): string {
  if (type === 'boolean') return `"${text.slice(0, 40)}" is neither true nor false`;
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text))
    return `"${text}" has thousands separators; write it without`;
  if (isInfinite(text) || NUMBER.test(text)) return `"${text}" is not a finite number`;
  return `"${text.slice(0, 40)}" is not a number, as most of its column are`;
}

export interface FeatureFiles {
  /** Files, folders, globs, or references to a catalogue such as `@GDP`. */
  readonly paths: readonly string[];
  /**
   * Delay after the end of a row's bar until the row becomes visible, for example `1d`. For rows without
   * `available_at`.
   */
  readonly lag?: string;
  readonly unpackedLimit?: number;
  /** Time zone of times without a zone, as an IANA name. Default: UTC. */
  readonly timezone?: string;
}

export interface LoadedFeatures {
  readonly tables: readonly FeatureTable[];
  readonly sources: readonly FeatureSource[];
}

/** Feature row written in code: a date, and values by name. */
export interface FeatureRow {
  /** Date of the values: a date or an instant as text, or milliseconds since 1970. */
  readonly date: string | number;
  /** Time at which the row becomes visible. Default: end of the bar of its date. */
  readonly available_at?: string | number | null;
  /** Symbol of the row. Default: all symbols. */
  readonly symbol?: string;
  readonly [feature: string]: FeatureValue | undefined;
}

const COLUMNS = {
  date: ['date', 'datetime', 'date time', 'timestamp'],
  known: ['available at', 'availableat'],
  symbol: ['symbol', 'ticker'],
} as const;

const KNOWN = { available_at: 'known', symbol: 'symbol' } as const;

const HINT =
  'A line looks like 2024-01-31,2024-02-13 08:30,0.31 under date,available_at,inflation: date is what a row is about, available_at when it could be known (default: the end of the bar of its date), symbol its symbol (default: everybody’s), and every other column is a feature.';

const SUBJECT = 'The features cannot be used';
const IN_MEMORY = '(features in memory)';

/**
 * Reads features from CSV, TSV, JSON, NDJSON or Parquet files.
 *
 * @throws AppError `bad_features` with every fault of every file, by line; `bad_rule` for an invalid lag
 */
export async function loadFeatures(files: FeatureFiles): Promise<LoadedFeatures> {
  const { paths, lag, unpackedLimit, timezone } = files;
  const after = lagOf(lag);
  if (paths.length === 0)
    throw new AppError({
      code: 'bad_features',
      message: 'No file of features was given.',
      hint: 'Pass files, folders or globs with --features, or remove --features.',
    });
  const read = await readDatedTables(paths, unpackedLimit, timezone);
  const all = read.faults;
  const tables: FeatureTable[] = [];
  const sources: FeatureSource[] = [];
  for (const { file, header, rows, sha256, whereOf, timezone: zone } of read.tables) {
    const { table, faults: own } = tableOf(file, header, rows, whereOf, { timezone: zone });
    all.push(...own);
    if (table === undefined) continue;
    tables.push(after === undefined ? table : { ...table, lag: after });
    const features = table.columns.map(({ name }) => name);
    sources.push({ file, sha256, features, rows: table.dates.length });
  }
  all.push(...collisions(tables));
  if (all.length > 0) throw faultsError('bad_features', SUBJECT, all, HINT);
  return { tables, sources };
}

/**
 * Creates features from rows in memory, by the same rules as for files.
 *
 * @param rows rows in any order
 * @param lag delay after the end of a row's bar until a row without `available_at` becomes visible, for
 *   example `1d`
 * @param timezone time zone of times without a zone, as an IANA name. Default: UTC
 * @throws AppError `bad_features` with every fault, by row
 */
export function featureTable(rows: readonly FeatureRow[], lag?: string, timezone?: string): FeatureTable {
  const after = lagOf(lag);
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row, index) => ({
    number: index + 1,
    cells: header.map((name) => {
      const value = row[name];
      if (value === undefined || value === null || Number.isNaN(value)) return null;
      return typeof value === 'number' && isTime(name) ? timeText(value) : String(value);
    }),
  }));
  const where = (number: number): string => `row ${number}`;
  const { table, faults } = tableOf(IN_MEMORY, header, cells, where, { given: rows, timezone });
  if (faults.length > 0 || table === undefined) throw faultsError('bad_features', SUBJECT, faults, HINT);
  return after === undefined ? table : { ...table, lag: after };
}

const isTime = (name: string): boolean => name === 'date' || name === 'available_at';

function timeText(instant: number): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? String(instant) : date.toISOString();
}

export function lagOf(text: string | undefined): Interval | undefined {
  return text === undefined || /^0+[a-z]*$/i.test(text.trim()) ? undefined : parseInterval(text);
}

function tableOf(
  file: string,
  header: readonly string[],
  rows: readonly DatedRow[],
  whereOf: (number: number) => string,
  { given, timezone }: { readonly given?: readonly FeatureRow[]; readonly timezone?: string | undefined },
): { readonly table?: FeatureTable; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const position = columnPositions(header, COLUMNS);
  if (position.date < 0)
    faults.push({ where: file, message: `no column "date" among "${header.slice(0, 20).join('", "')}"` });
  const used = new Set<number>(Object.values(position));
  const others = header.flatMap((cell, at) => (used.has(at) ? [] : [{ name: cell.trim(), at }]));
  for (const [index, { name }] of others.entries()) {
    const fault = nameFault(name);
    if (fault !== undefined) faults.push({ where: file, ...fault });
    if (others.findIndex((other) => other.name.toLowerCase() === name.toLowerCase()) < index)
      faults.push({ where: file, message: `two columns are called "${name}"`, hint: 'rename one of them' });
  }
  for (const { name } of others) {
    // A misspelled `available_at` would become a feature. All rows of the file would then become visible at
    // the end of the bar of their date, which may be too early.
    const meant = nearestColumn(name, ['available_at', 'symbol']);
    if (meant === undefined || position[KNOWN[meant]] >= 0) continue;
    const hint = `did you mean "${meant}"? Otherwise rename the feature`;
    faults.push({ where: file, message: `unknown column "${name}"`, hint });
  }
  if (others.length === 0 && position.date >= 0)
    faults.push({ where: file, message: 'no feature column: only date, available_at and symbol' });
  if (faults.length > 0) return { faults };
  if (rows.length === 0) return { faults: [{ where: file, message: 'no row below the header' }] };
  const sound = rows.filter(({ number, cells }) => {
    if (cells.length === header.length) return true;
    faults.push({
      where: whereOf(number),
      message: `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} where the header has ${header.length}`,
    });
    return false;
  });
  const where = (row: number): string => whereOf(sound[row]!.number);
  const cellsAt = (at: number): (string | null)[] => sound.map(({ cells }) => cells[at] ?? null);
  const columns = others.map(({ name, at }): FeatureColumn => {
    const { type, values, faults: own } = readValues(cellsAt(at));
    for (const { row, message } of own) faults.push({ where: where(row), message: `${name}: ${message}` });
    return { name, type, values };
  });
  const stamps = (at: number, what: string, isNeeded: boolean) =>
    stampsOf(
      cellsAt(at),
      what,
      isNeeded,
      (row, message) => faults.push({ where: where(row), message }),
      timezone,
    );
  const dates = stamps(position.date, 'date', true);
  const known =
    position.known < 0 ? dates.map(() => undefined) : stamps(position.known, 'available_at', false);
  const symbols =
    position.symbol < 0
      ? undefined
      : cellsAt(position.symbol).map((cell) => (cell ?? '').trim().toUpperCase());
  // In code, a row may omit its symbol. In a file, an empty cell is a fault, because it may be a mistake.
  for (const [row, symbol] of (given === undefined ? (symbols ?? []) : []).entries())
    if (symbol === '')
      faults.push({
        where: where(row),
        message: 'the symbol is empty; a file about all symbols has no such column',
      });
  faults.push(...repeats({ dates, known, symbols }, where));
  if (faults.length > 0) return { faults: byRow(faults) };
  return { table: { source: file, columns, dates: dates.map((stamp) => stamp!), known, symbols }, faults };
}

function byRow(faults: readonly Fault[]): Fault[] {
  const row = ({ where }: Fault): number => Number(/ (\d+)$/.exec(where)?.[1] ?? 0);
  return [...faults].sort((a, b) => row(a) - row(b));
}

/** Returns faults of rows that have the same symbol, date and publication time as an earlier row. */
function repeats(
  {
    dates,
    known,
    symbols,
  }: Pick<FeatureTable, 'known' | 'symbols'> & { readonly dates: readonly (Stamp | undefined)[] },
  where: (row: number) => string,
): Fault[] {
  const first = new Map<string, number>();
  return dates.flatMap((date, row): Fault[] => {
    if (date === undefined) return [];
    const at = known[row];
    const key = `${symbols?.[row] ?? ''} ${date.instant} ${at?.instant ?? ''}`;
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, row);
      return [];
    }
    const message = `repeats ${said(date.instant, at?.instant)} of ${where(before).split(' ').slice(-2).join(' ')}`;
    return [{ where: where(row), message, hint: 'a revision needs its own, different available_at' }];
  });
}

function said(date: Instant, known: Instant | undefined): string {
  const about = `the date ${formatInstant(date)}`;
  return known === undefined ? about : `${about} and the available_at ${formatInstant(known)}`;
}

/**
 * Returns a fault for each feature name that occurs in two files. Files with exactly the same columns may
 * share names, because they are read as one table.
 */
function collisions(tables: readonly FeatureTable[]): Fault[] {
  const shape = ({ columns }: FeatureTable): string =>
    columns.map(({ name, type }) => `${name} ${type}`).join(', ');
  return tables.flatMap((table, index) =>
    table.columns.flatMap(({ name }): Fault[] => {
      const other = tables
        .slice(0, index)
        .find((one) => one.columns.some((column) => column.name.toLowerCase() === name.toLowerCase()));
      if (other === undefined || shape(other) === shape(table)) return [];
      const message = `has the feature ${name}, and so has ${other.source}`;
      return [
        {
          where: table.source,
          message,
          hint: 'rename one of them; parts of one table have the same columns, of the same types',
        },
      ];
    }),
  );
}
