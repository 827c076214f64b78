import { resolve } from 'node:path';
import type { RunSummary } from '../analysis/index.ts';
import { countTrials, type TrialCount } from '../analysis/index.ts';
import { trialsOfLedger } from './looks.ts';
import type { Manifest } from './manifest.ts';
import { searchesIn, searchOf, storeOf, trialOf } from './search.ts';

/**
 * Counts the trials of a run's search, including the run, in its results folder and in the ledger.
 *
 * @returns `undefined` for a run that did not process all of its bars
 */
export function trialsOfRun(
  folder: string,
  manifest: Manifest | undefined,
  summary: RunSummary,
): TrialCount | undefined {
  const key = manifest && searchOf(manifest, summary);
  if (key === undefined) return undefined;
  const own = resolve(folder);
  const others = (searchesIn(storeOf(own), new Set([summary.strategy])).get(key) ?? []).filter(
    (trial) => trial.folder !== own,
  );
  const runs = [...others, trialOf(summary.runId, own, summary)];
  const looks = trialsOfLedger(own, { project: manifest?.project, strategy: summary.strategy }).of(key, runs);
  return countTrials([...runs, ...looks], summary.periodsPerYear);
}
