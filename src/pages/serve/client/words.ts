import type { VerdictState } from '../../../analysis/index.ts';

// Scripts of pages do not import modules of the program, so they have their own copy of these words. A test
// compares the copies.
export const VERDICTS = {
  broke: 'Broke',
  incomplete: 'Incomplete',
  no_evidence: 'No evidence',
  indistinguishable: 'Indistinguishable',
  worse: 'Worse',
  better: 'Better',
} as const satisfies Record<VerdictState, string>;

/** Descriptions of states with unclear names. */
const STATES: Readonly<Record<string, string>> = { killed: 'stopped, killed', interrupted: 'stopped' };

export function stateText(state: string): string {
  return STATES[state] ?? state.replaceAll('_', ' ');
}

/** Maximum number of runs in a comparison. */
export const MOST_COMPARED = 50;

const MOST_SYMBOLS = 4;

export function symbolsText(symbols: readonly string[]): string {
  const shown = symbols.slice(0, MOST_SYMBOLS).join(', ');
  return symbols.length > MOST_SYMBOLS ? `${shown} and ${symbols.length - MOST_SYMBOLS} more` : shown;
}

export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`;
}
