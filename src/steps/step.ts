import type { Desk } from './desk.ts';

/** What Cucumber gives for a table under a step. */
export interface Table {
  raw(): string[][];
  hashes(): Record<string, string>[];
}

/** One step of a feature, in the words of traders. */
export interface Step {
  readonly keyword: 'Given' | 'When' | 'Then';
  /** A Cucumber expression, or a regular expression where a number may end in %. */
  readonly pattern: string | RegExp;
  /** As it stands in a feature, without its keyword; further lines are a table or a text. */
  readonly example: string;
  /** For the reference: what it does, in one sentence; left out where the example says it. */
  readonly about?: string;
  /** Whether it may take as long as a backtest does. */
  readonly slow?: boolean;
  /** Takes the desk of its scenario, then what the pattern captured, then the table or text under it. */
  readonly run: (desk: Desk, ...values: never[]) => unknown;
}
