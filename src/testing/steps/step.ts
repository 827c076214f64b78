import { decimal } from '../../kernel/index.ts';
import type { Desk } from './desk.ts';

/** Table below a step, as provided by Cucumber. */
export interface Table {
  raw(): string[][];
  hashes(): Record<string, string>[];
}

/** Step of a feature, in the language of traders. */
export interface Step {
  readonly keyword: 'Given' | 'When' | 'Then';
  /** A Cucumber expression, or a regular expression if a number may end in %. */
  readonly pattern: string | RegExp;
  /** Example line without its keyword. Further lines are a table or a text. */
  readonly example: string;
  /** One sentence for the reference. Omitted if the example is sufficient. */
  readonly about?: string;
  /** True if the step may take as long as a backtest. */
  readonly slow?: boolean;
  /**
   * Implementation. Receives the desk of the scenario, the captured values, and the table or text below the
   * step.
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
