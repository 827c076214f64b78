import { type Fault, formatInstant } from '../../kernel/index.ts';
import { type BarSeries, PRICE_COLUMNS, seriesFrom } from '../bars/bar-columns.ts';
import type { BarRows } from './bar-rows.ts';
import { type DateOrder, readDates } from './date-formats.ts';
import { dayBarFault, dayBarsIn } from './day-bars.ts';
import type { ColumnPlan } from './headers.ts';
import { readLocalStamps } from './stamps.ts';
import type { Table } from './table.ts';

export interface RowRules {
  /** If true, rows with an empty price or volume are dropped. By default such rows are an error. */
  readonly allowGaps?: boolean;
  /** If true, rows are sorted by time. By default unsorted rows are an error. */
  readonly sortRows?: boolean;
  readonly dateOrder?: DateOrder;
  /** Time zone of timestamps without a zone, as an IANA name. Default: UTC. */
  readonly timezone?: string;
}

export interface FileBars {
  readonly series: readonly BarSeries[];
  /** Time of each row's bar. NaN if the time cannot be read. */
  readonly times: Float64Array;
  readonly faults: readonly Fault[];
  /** Descriptions of changes that options made to the rows. */
  readonly adjustments: readonly string[];
}

const GAP = /^(?:|null|none|nan|n\/?a|-)$/i;

/**
 * Converts a file's rows to series and collects all of their faults.
 *
 * @param file path given by the user, for messages
 * @param symbolOf returns the symbol of a row. `undefined` for unwanted rows
 */
export function validateRows(
  file: string,
  table: Table,
  plan: ColumnPlan,
  rows: BarRows,
  rules: RowRules,
  symbolOf: (row: number) => string | undefined,
): FileBars {
  const faults: Fault[] = [];
  const where = (row: number): string => `${file} ${table.unit} ${rows.number[row]}`;
  const report = (row: number, message: string): void => void faults.push({ where: where(row), message });
  const dates = readDates(rows.time, rules.dateOrder);
  if (dates.ambiguous !== undefined) {
    const message = `the dates, such as "${dates.ambiguous}", can be month/day or day/month`;
    return {
      series: [],
      times: dates.times,
      adjustments: [],
      faults: [{ where: file, message, hint: 'write them as YYYY-MM-DD, or add --date-order mdy or dmy' }],
    };
  }
  if (dates.mixed !== undefined) {
    const { row, before } = dates.mixed;
    const message = `"${rows.time[row]}" and "${rows.time[before]}" of ${table.unit} ${rows.number[before]}: one has a UTC offset and the other does not`;
    const hint = 'write every stamp of a file with its offset, or none';
    return {
      series: [],
      times: dates.times,
      adjustments: [],
      faults: [{ where: where(row), message, hint }],
    };
  }
  const { times, faults: wrongHours } =
    rules.timezone === undefined
      ? { times: dates.times, faults: [] }
      : readLocalStamps(dates.times, rules.timezone, dates.zoned, symbolOf);
  for (const { row, message } of wrongHours) report(row, `"${rows.time[row]}" ${message}`);
  const dropped: number[] = [];
  const rowsOf = new Map<string, number[]>();

  for (let row = 0; row < times.length; row++) {
    const symbol = symbolOf(row);
    if (symbol === undefined) continue;
    if (rows.cells[row] !== table.header.length) {
      report(row, `has ${count(rows.cells[row]!, 'cell')} where the header has ${table.header.length}`);
      continue;
    }
    if (symbol === '') {
      report(row, 'the symbol is empty');
      continue;
    }
    if (Number.isNaN(dates.times[row])) report(row, dateFault(rows.time[row]!));
    const odd = rows.odd.get(rows.number[row]!);
    if (odd !== undefined) {
      const bad = oddCells(odd, plan, rows.values, row);
      if (rules.allowGaps === true && bad.length > 0 && bad.every((cell) => GAP.test(cell.text))) {
        dropped.push(rows.number[row]!);
        continue;
      }
      for (const { column, text } of bad) report(row, numberFault(column, text));
    }
    checkBar(rows.values, row, report);
    for (const [index, { name }] of plan.extra.entries()) {
      const value = rows.values[PRICE_COLUMNS.length + index]![row]!;
      if (value < 0) report(row, `${name} is ${value}, less than 0`);
    }
    const own = rowsOf.get(symbol);
    if (own === undefined) rowsOf.set(symbol, [row]);
    else own.push(row);
  }

  const adjustments: string[] = [];
  if (dropped.length > 0) {
    adjustments.push(
      `${file}: omitted ${count(dropped.length, 'row')} without a value (${table.unit} ${listed(dropped)})`,
    );
  }
  for (const [symbol, own] of rowsOf) {
    const backward = stepsBackward(times, own);
    if (backward > 0 && rules.sortRows === true) {
      own.sort((a, b) => times[a]! - times[b]!);
      adjustments.push(`${file}: ${symbol}'s ${own.length} rows were sorted by time`);
    } else if (backward > 0 && backward === own.length - 1) {
      faults.push({
        where: file,
        message: `${symbol}'s rows run from the newest to the oldest`,
        hint: 'reverse them, or add --sort',
      });
      continue;
    }
    checkOrder(times, own, rows, table.unit, report);
  }
  if (faults.length > 0) return { series: [], times, faults: byLine(faults), adjustments };
  const series = [...rowsOf].map(([symbol, own]) => {
    const one = seriesOf(symbol, own, times, rows.values, plan);
    for (const found of dayBarsIn(one))
      faults.push({ where: where(own[found.index]!), ...dayBarFault(found) });
    return one;
  });
  return { series: faults.length > 0 ? [] : series, times, faults: byLine(faults), adjustments };
}

function checkBar(
  values: BarRows['values'],
  row: number,
  report: (row: number, message: string) => void,
): void {
  const open = values[0]![row]!;
  const high = values[1]![row]!;
  const low = values[2]![row]!;
  const close = values[3]![row]!;
  const volume = values[4]![row]!;
  // Fast check: one chain of comparisons accepts a valid bar. `NaN` fails the chain and is reported
  // elsewhere.
  if (low > 0 && low <= open && low <= close && high >= open && high >= close && volume >= 0) return;
  for (const [index, column] of PRICE_COLUMNS.entries()) {
    const value = values[index]![row]!;
    if (column === 'volume' ? value < 0 : value <= 0) {
      report(row, `${column} is ${value}, ${column === 'volume' ? 'less than' : 'not above'} 0`);
    }
  }
  const top = Math.max(open, close);
  const bottom = Math.min(open, close);
  if (high < top) report(row, `high ${high} is below ${top === open ? 'open' : 'close'} ${top}`);
  if (low > bottom) report(row, `low ${low} is above ${bottom === open ? 'open' : 'close'} ${bottom}`);
  if (high < low) report(row, `high ${high} is below low ${low}`);
}

function stepsBackward(times: Float64Array, own: readonly number[]): number {
  let steps = 0;
  for (let index = 1; index < own.length; index++) {
    if (times[own[index]!]! < times[own[index - 1]!]!) steps++;
  }
  return steps;
}

function checkOrder(
  times: Float64Array,
  own: readonly number[],
  rows: BarRows,
  unit: string,
  report: (row: number, message: string) => void,
): void {
  let previous = -1;
  for (const row of own) {
    const time = times[row]!;
    if (Number.isNaN(time)) continue;
    if (previous >= 0 && time <= times[previous]!) {
      const before = `${formatInstant(times[previous]!)} of ${unit} ${rows.number[previous]}`;
      report(
        row,
        `${formatInstant(time)} ${time === times[previous] ? 'repeats the time' : 'comes after the later'} ${before}`,
      );
    }
    previous = row;
  }
}

// Returns the column name and the text of each cell that DuckDB could not read as a finite number.
function oddCells(
  cells: readonly (string | null)[],
  plan: ColumnPlan,
  values: BarRows['values'],
  row: number,
): { column: string; text: string }[] {
  const positions = [...plan.prices, plan.volume, ...plan.extra.map(({ position }) => position)];
  const named = [...PRICE_COLUMNS, ...plan.extra.map(({ name }) => name)];
  return named.flatMap((column, index) => {
    const position = positions[index];
    if (position === undefined || !Number.isNaN(values[index]![row])) return [];
    const cell = cells[position] ?? '';
    const text = cell.trim();
    // Other white space, such as a no-break space, is shown, because it is the fault of the cell.
    return [{ column, text: GAP.test(text) ? text : cell.replaceAll(/^[ \t]+|[ \t]+$/g, '') }];
  });
}

function numberFault(column: string, text: string): string {
  if (text === '') return `${column} is empty`;
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text))
    return `${column} "${text}" has thousands separators; write it without`;
  if (/^[+-]?(?:nan|inf|infinity)$/i.test(text) || Math.abs(Number(text)) === Infinity)
    return `${column} "${text}" is not a finite number`;
  const code = /[^\x20-\x7e]/u.exec(text)?.[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  const named = code === undefined ? '' : `: it contains the character U+${code}`;
  return `${column} "${text.slice(0, 40)}" is not a number${named}`;
}

function dateFault(text: string): string {
  if (text === '') return 'the date is empty';
  const shape = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(text) || /^\d{8}/.test(text);
  return `"${text.slice(0, 40)}" is not a date${shape ? ' of the calendar' : ' that can be read'}`;
}

function seriesOf(
  symbol: string,
  own: readonly number[],
  times: Float64Array,
  values: BarRows['values'],
  plan: ColumnPlan,
): BarSeries {
  const pick = (column: Float64Array): Float64Array => {
    const picked = new Float64Array(own.length);
    for (let index = 0; index < own.length; index++) picked[index] = column[own[index]!]!;
    return picked;
  };
  const columns = [times, ...values].map(pick);
  return seriesFrom(
    symbol,
    columns,
    plan.extra.map(({ name }) => name),
  );
}

function byLine(faults: Fault[]): Fault[] {
  const line = (fault: Fault): number => Number(/ (?:line|row) (\d+)$/.exec(fault.where)?.[1] ?? 0);
  return faults.sort((a, b) => line(a) - line(b));
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function listed(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 10).join(', ');
  return numbers.length > 10 ? `${shown}, …` : shown;
}
