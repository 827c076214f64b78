import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STRESS_WORDS } from '../../analysis/index.ts';
import {
  listStressTests,
  listSweeps,
  STRESS_FILE,
  STRESS_PAGE,
  type StoredStress,
  type StoredSweep,
  SWEEP_PAGE,
} from '../../runs/index.ts';
import { integer } from '../shared/formats.ts';
import { policyOfStored } from '../shared/shell.ts';
import { objectiveFormat, parametersText } from '../sweep/objective-text.ts';
import { HttpError } from './guard.ts';
import { isFile, isFolder } from './real-files.ts';

/** A sweep or a stress test as the list shows it. */
export interface ResearchRow {
  /** Of its folder. */
  readonly name: string;
  readonly strategy: string;
  readonly what: string;
  readonly answer: string;
  readonly hasPage: boolean;
}

/** Bytes of the largest page that is read. */
const LARGEST = 64 * 1024 * 1024;

/** The sweeps and stress tests of a results folder, newest first. */
export function researchIn(root: string): ResearchRow[] {
  const sweeps = listSweeps(root).map(sweepRow);
  const tests = listStressTests(root)
    .filter(({ folder }) => isFile(join(folder, STRESS_FILE)))
    .map(stressRow);
  return [...sweeps, ...tests].sort((one, other) => (one.name < other.name ? 1 : -1));
}

function sweepRow({ sweepId, folder, result }: StoredSweep): ResearchRow {
  const hasPage = isFile(join(folder, SWEEP_PAGE));
  if (result === undefined)
    return {
      name: sweepId,
      strategy: '',
      what: 'sweep',
      answer: 'Under way, or stopped before its end.',
      hasPage,
    };
  const { strategy, counts, best, objective, answer } = result;
  const found =
    best === null
      ? ''
      : `, best ${parametersText(best.parameters)} with ${objective.text} ${objectiveFormat(objective.text)(best.objective)}`;
  return {
    name: sweepId,
    strategy: strategy.name,
    what: `${integer(counts.trials)} trials${found}`,
    answer: answer.text,
    hasPage,
  };
}

function stressRow({ stressId, folder, report }: StoredStress): ResearchRow {
  const { strategy, kind, worlds, verdict } = report;
  const word = Object.entries(STRESS_WORDS).find(([state]) => state === verdict.state)?.[1];
  return {
    name: stressId,
    strategy,
    what: `${integer(worlds)} worlds, ${kind}`,
    answer: [word, verdict.because[0]].filter((part) => part !== undefined).join('. '),
    hasPage: isFile(join(folder, STRESS_PAGE)),
  };
}

/**
 * A page that lies in a folder of the root. Its policy is not its own: only our own script may run in it.
 *
 * @throws HttpError 404
 */
export function storedPage(root: string, name: string): { readonly page: string; readonly policy: string } {
  const known = name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name) && isFolder(join(root, name));
  for (const [file, script] of [
    [SWEEP_PAGE, 'sweep.js'],
    [STRESS_PAGE, 'stress.js'],
  ] as const) {
    const path = join(root, name, file);
    if (known && isFile(path) && lstatSync(path).size <= LARGEST)
      return { page: readFileSync(path, 'utf8'), policy: policyOfStored(script) };
  }
  throw new HttpError(404, 'no_page', 'There is no such page here.', 'Go back to the list of runs.');
}
