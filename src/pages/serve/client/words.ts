import type { VerdictState } from '../../../analysis/index.ts';

// The pages' scripts take no code of the program's: its words are here again, and a test keeps them the same.
export const VERDICTS = {
  broke: 'Broke',
  incomplete: 'Incomplete',
  no_evidence: 'No evidence',
  indistinguishable: 'Indistinguishable',
  worse: 'Worse',
  better: 'Better',
} as const satisfies Record<VerdictState, string>;

/** States that do not speak for themselves. */
const STATES: Readonly<Record<string, string>> = { killed: 'stopped, killed', interrupted: 'stopped' };

export function stateText(state: string): string {
  return STATES[state] ?? state.replaceAll('_', ' ');
}

/** Runs that a comparison takes. */
export const MOST_COMPARED = 50;

const MOST_SYMBOLS = 4;

export function symbolsText(symbols: readonly string[]): string {
  const shown = symbols.slice(0, MOST_SYMBOLS).join(', ');
  return symbols.length > MOST_SYMBOLS ? `${shown} and ${symbols.length - MOST_SYMBOLS} more` : shown;
}

export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`;
}
