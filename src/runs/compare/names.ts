import { basename, dirname } from 'node:path';
import type { StoredRun } from '../read-run.ts';

type Named = { readonly runId: string; readonly strategy: string; readonly folder: string };

/** Names that distinguish runs: the strategy where it does, else the run's id, else that within its folder. */
export function runNames(runs: readonly Named[]): string[] {
  const strategies = runs.map((run) => run.strategy);
  if (new Set(strategies).size === runs.length) return strategies;
  const ids = runs.map((run) => run.runId);
  if (new Set(ids).size === runs.length) return ids;
  // Samples of two runs have the same numbers.
  return runs.map(({ folder, runId }) => `${basename(dirname(folder))}/${runId}`);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A, B, C and so on, AA after Z: names that fit a chart and a phone's columns, explained by a key. */
export function letters(count: number): string[] {
  const letter = (index: number): string =>
    (index < LETTERS.length ? '' : letter(Math.floor(index / LETTERS.length) - 1)) +
    LETTERS[index % LETTERS.length]!;
  return Array.from({ length: count }, (_, index) => letter(index));
}

/** First and last day that the figures of a run are of. */
export function periodText({ summary }: Pick<StoredRun, 'summary'>): string {
  const { evaluatedFrom, lastBar } = summary;
  const firstBar = evaluatedFrom ?? summary.firstBar;
  return firstBar === null || lastBar === null ? 'no bar' : `${firstBar} to ${lastBar}`;
}
