import { countedTable, decimal } from '../../kernel/index.ts';
import { type CheckedRun, CheckFailed } from './checked-run.ts';
import type { Desk } from './desk.ts';

/** Table below a step, as provided by Cucumber. */
export interface Table {
  raw(): string[][];
  hashes(): Record<string, string>[];
}

/** Step of a Cucumber scenario, in the language of traders. */
export interface Step {
  readonly keyword: 'Given' | 'When' | 'Then';
  /** Cucumber expression. A regular expression if a captured number may end in %. */
  readonly pattern: string | RegExp;
  /** Example line without its keyword. A table or a text may follow in further lines. */
  readonly example: string;
  /** Description in one sentence, for the reference in the docs. Omitted if the example is sufficient. */
  readonly about?: string;
  /** True if the step may take as long as a backtest. */
  readonly slow?: boolean;
  /**
   * Implementation. Receives the desk (state of the scenario), the captured values, and the table or text
   * below the step.
   */
  readonly run: (desk: Desk, ...values: never[]) => unknown;
}

/** Converts a percentage to the fraction that a flag expects: `0.1` becomes `0.001`. */
export function percentFlag(percent: string): string {
  return decimal(percent).div(100).toFixed();
}

/** Formats a number with its noun: `1 trade`, `2 trades`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

type Row = Readonly<Record<string, unknown>>;

const SHOWN = 20;
const STYLE = { width: 110, colour: false, ascii: false };

/**
 * Compares rows of a run with a table in a feature file. Only the columns of the table are compared. Numbers
 * are compared by value.
 *
 * @param what name of the rows for messages, in the plural
 * @throws CheckFailed with the first `SHOWN` differences, and the first `SHOWN` rows of the run
 */
export function checkRows(run: CheckedRun, what: string, actual: readonly Row[], table: Table): void {
  const [columns = []] = table.raw();
  const wanted = table.hashes();
  const known = [...new Set(actual.flatMap((row) => Object.keys(row)))];
  const strange = actual.length === 0 ? [] : columns.filter((column) => !known.includes(column));
  if (strange.length > 0)
    throw new CheckFailed(
      `Unknown column "${strange.join('", "')}" of ${what}. Available: ${known.join(', ')}.`,
    );
  const differences = wanted.flatMap((row, index) =>
    columns.flatMap((column) => {
      const own = actual[index];
      const cell = row[column] ?? '';
      if (own === undefined || same(text(own[column]), cell)) return [];
      return [`row ${index + 1}: ${column} is ${text(own[column]) || 'empty'}, not ${cell || 'empty'}`];
    }),
  );
  if (actual.length !== wanted.length)
    differences.unshift(`there are ${actual.length}, not ${wanted.length}`);
  if (differences.length === 0) return;
  throw new CheckFailed(
    `${run.name}: ${what} are not these:\n${differences
      .slice(0, SHOWN)
      .map((one) => `  ${one}`)
      .join('\n')}\n${shown(columns, actual)}${run.place}`,
  );
}

function shown(columns: readonly string[], actual: readonly Row[]): string {
  if (actual.length === 0) return '';
  const rows = actual.slice(0, SHOWN).map((row) => columns.map((column) => text(row[column])));
  const more = actual.length > SHOWN ? `\n… of ${actual.length}` : '';
  return `What the run has:\n${countedTable(columns, rows, STYLE)}${more}`;
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

const NUMERIC = /^-?\d+(\.\d+)?$/;

function same(actual: string, wanted: string): boolean {
  if (actual === wanted) return true;
  const digits = wanted.replaceAll(',', '');
  return NUMERIC.test(actual) && NUMERIC.test(digits) && decimal(actual).eq(decimal(digits));
}
