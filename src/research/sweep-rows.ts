import { join } from 'node:path';
import { jsonText, type TrialColumn, writeWhole } from '../runs/index.ts';
import { FIGURE_NAMES, figureType } from './figures.ts';
import type { PreparedSweep } from './prepare-sweep.ts';
import type { SearchEnd } from './trial-runner.ts';

/** Returns the rows of `trials.parquet`, in the order in which the search chose the trials. */
export function rowsOf(
  prepared: PreparedSweep,
  { tried }: SearchEnd,
): [TrialColumn[], (string | number | boolean | null)[][]] {
  const names = Object.keys(tried[0]?.trial.parameters ?? prepared.first);
  const fixed = ['trial', 'outcome', 'error', 'objective', 'share'];
  const columns: TrialColumn[] = [
    { name: 'trial', type: 'text' },
    ...names.map((name): TrialColumn => {
      const values = tried.map(({ trial }) => typeof trial.parameters[name]);
      const type = values.every((one) => one === 'number')
        ? 'number'
        : values.every((one) => one === 'boolean')
          ? 'boolean'
          : 'text';
      return { name: fixed.includes(name) || FIGURE_NAMES.includes(name) ? `param_${name}` : name, type };
    }),
    { name: 'outcome', type: 'text' },
    { name: 'error', type: 'text' },
    { name: 'objective', type: 'number' },
    { name: 'share', type: 'number' },
    ...FIGURE_NAMES.map((name): TrialColumn => ({ name, type: figureType(name) })),
  ];
  const rows = tried.map(({ trial, result, objective, share }) => [
    trial.id,
    ...names.map((name) => trial.parameters[name] ?? null),
    result.outcome,
    result.error?.message ?? null,
    objective,
    share,
    ...FIGURE_NAMES.map((name) => result.figures?.[name] ?? null),
  ]);
  return [columns, rows];
}

export function writeTimings(folder: string, { tried }: SearchEnd, seconds: number): void {
  const trials = Object.fromEntries(tried.map(({ trial, result }) => [trial.id, result.seconds]));
  writeWhole(join(folder, 'timings.json'), jsonText({ seconds, trials }));
}
