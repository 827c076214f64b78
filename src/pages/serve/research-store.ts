import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STRESS_WORDS } from '../../analysis/index.ts';
import {
  listStressTests,
  listStudies,
  listSweeps,
  STRESS_FILE,
  STRESS_PAGE,
  STUDY_PAGE,
  type StoredStress,
  type StoredStudy,
  type StoredSweep,
  SWEEP_PAGE,
  type SweepResult,
} from '../../runs/index.ts';
import { integer, percent, ratio } from '../shared/formats.ts';
import { policyOfStored } from '../shared/shell.ts';
import { objectiveFormat, parametersText } from '../sweep/objective-text.ts';
import { HttpError } from './guard.ts';
import { isFile, isFolder } from './real-files.ts';

/** A study, a sweep or a stress test as the list shows it. */
export interface ResearchRow {
  /** Of its folder. */
  readonly name: string;
  readonly strategy: string;
  readonly what: string;
  readonly answer: string;
  readonly hasPage: boolean;
  /** Its best trials, for a sweep that has ended. */
  readonly trials?:
    | undefined
    | { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

/** Bytes of the largest page that is read. */
const LARGEST = 64 * 1024 * 1024;

/** The studies, sweeps and stress tests of a results folder, newest first. */
export function researchIn(root: string): ResearchRow[] {
  const sweeps = listSweeps(root).map(sweepRow);
  const tests = listStressTests(root)
    .filter(({ folder }) => isFile(join(folder, STRESS_FILE)))
    .map(stressRow);
  const studies = listStudies(root).studies.map(studyRow);
  return [...studies, ...sweeps, ...tests].sort((one, other) => (one.name < other.name ? 1 : -1));
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
    trials: trialsTable(result),
  };
}

/** The best trials, with the parameters first. */
function trialsTable({ top, objective }: SweepResult): ResearchRow['trials'] {
  const names = Object.keys(top[0]?.parameters ?? {});
  const write = objectiveFormat(objective.text);
  return {
    head: [...names, objective.text, 'Return', 'Sharpe', 'Worst fall', 'Trades'],
    rows: top.map((one) => [
      ...names.map((name) => String(one.parameters[name])),
      write(one.objective),
      percent(one.totalReturn),
      ratio(one.sharpe),
      percent(one.maxDrawdown),
      integer(one.tradeCount),
    ]),
  };
}

function studyRow({ studyId, folder, report }: StoredStudy): ResearchRow {
  return {
    name: studyId,
    strategy: '',
    what: `study of ${report.arms.length} arms`,
    answer: report.name,
    hasPage: isFile(join(folder, STUDY_PAGE)),
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
    [STUDY_PAGE, 'stress.js'],
  ] as const) {
    const path = join(root, name, file);
    if (known && isFile(path) && lstatSync(path).size <= LARGEST)
      return { page: readFileSync(path, 'utf8'), policy: policyOfStored(script) };
  }
  throw new HttpError(404, 'no_page', 'There is no such page here.', 'Go back to the list of runs.');
}
