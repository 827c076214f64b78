import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AppError, isObject, numberOf, textOf } from '../../kernel/index.ts';
import { dollars, STRESS_WORDS } from '../../results/analysis/index.ts';
import {
  isLocked,
  readStudy,
  readSweepResult,
  STRESS_FILE,
  STRESS_PAGE,
  STUDY_FILE,
  STUDY_MANIFEST,
  STUDY_PAGE,
  SWEEP_FILE,
  SWEEP_MANIFEST,
  SWEEP_PAGE,
} from '../../results/runs/index.ts';
import { integer, percent, ratio } from '../shared/formats.ts';
import { objectiveFormat, parametersText } from '../sweep/plots.ts';
import { isFile, jsonIn, type LinesDone, runsIn, runsInside } from './run-facts.ts';
import type { Inside, ResearchRow } from './run-row.ts';

const NO_ANSWER = { tone: '', word: '', text: '' } as const;

type Row = Omit<ResearchRow, 'name' | 'problem'> & { readonly problem?: string };

/** Kind of research folder, for example a sweep. A research folder contains results of many runs. */
interface Kind {
  /** Name of the file by which a folder of this kind is recognised. */
  readonly mark: string;
  /** Names of the files from which the row of the folder is made. */
  readonly files: readonly string[];
  readonly row: (folder: string, counter: LinesDone) => Row | undefined;
}

export const KINDS: readonly Kind[] = [
  { mark: STUDY_MANIFEST, files: [STUDY_FILE, STUDY_PAGE], row: studyRow },
  { mark: SWEEP_MANIFEST, files: [SWEEP_FILE, SWEEP_PAGE, 'trials.jsonl'], row: sweepRow },
  { mark: 'samples.json', files: ['comparison.json'], row: samplesRow },
  { mark: 'manifest.json', files: [STRESS_FILE, STRESS_PAGE, 'worlds.jsonl'], row: stressRow },
];

function stateOf(folder: string, isFinished: boolean): ResearchRow['state'] {
  return isFinished ? 'finished' : isLocked(folder) ? 'running' : 'stopped';
}

/**
 * Checks that a manifest is a JSON object.
 *
 * @throws AppError `damaged_folder`
 */
function checkReadable(manifest: unknown, file: string): void {
  if (isObject(manifest)) return;
  throw new AppError({
    code: 'damaged_folder',
    message: `Its ${file} is damaged: it is not a complete JSON object.`,
    hint: 'Restore the file from a copy, or run the work again in another folder.',
  });
}

/** Returns a text that explains how to continue stopped research. Empty for other states. */
function nextStepOf(state: ResearchRow['state'], command: string): string {
  return state === 'stopped' ? `Continue it with sandtable ${command} and this folder.` : '';
}

function sweepRow(folder: string, counter: LinesDone): Row {
  const manifest = jsonIn(folder, SWEEP_MANIFEST);
  checkReadable(manifest, SWEEP_MANIFEST);
  const asked = isObject(manifest) && isObject(manifest.strategy) ? textOf(manifest.strategy.name) : '';
  const common = { kind: 'sweep', unit: 'trials', hasPage: isFile(join(folder, SWEEP_PAGE)) } as const;
  if (!existsSync(join(folder, SWEEP_FILE))) {
    const state = stateOf(folder, false);
    return {
      ...common,
      title: `sweep of ${asked}`,
      strategy: asked,
      symbols: symbolsIn(manifest),
      state,
      problem: nextStepOf(state, 'sweep --resume'),
      done: counter.count(join(folder, 'trials.jsonl'), /^\{"id":"([^"]+)"/),
      planned: isObject(manifest) ? (numberOf(manifest.expectedTrials) ?? null) : null,
      what: '',
      answer: NO_ANSWER,
      inside: [],
    };
  }
  const { strategy, data, counts, best, objective, answer, top } = readSweepResult(folder);
  const write = objectiveFormat(objective.text);
  const names = Object.keys(top[0]?.parameters ?? {});
  const trials: Inside = {
    title: `Best ${top.length} trials`,
    head: [...names, objective.text, 'Return', 'Sharpe', 'Max drawdown', 'Trades'],
    rows: top.map((one) => ({
      cells: [
        ...names.map((name) => String(one.parameters[name])),
        write(one.objective),
        percent(one.totalReturn),
        ratio(one.sharpe),
        percent(one.maxDrawdown),
        integer(one.tradeCount),
      ],
    })),
    more: 0,
  };
  const failed = counts.failed === 0 ? '' : `, ${integer(counts.failed)} failed`;
  return {
    ...common,
    title: `sweep of ${strategy.name}`,
    strategy: strategy.name,
    symbols: data.flatMap(({ symbols }) => symbols),
    state: 'finished',
    done: counts.trials,
    planned: counts.trials,
    what: `${counted(counts.trials, 'trial')}${failed}${best === null ? '' : `, best ${parametersText(best.parameters)} with ${objective.text} ${write(best.objective)}`}`,
    answer:
      answer.holds === null
        ? { tone: '', word: 'Undecided', text: answer.text }
        : answer.holds
          ? { tone: 'good', word: 'Holds', text: answer.text }
          : { tone: 'bad', word: 'Does not hold', text: answer.text },
    inside: [...(top.length === 0 ? [] : [trials]), ...runsInside(folder, 'Runs that were kept')],
  };
}

function studyRow(folder: string): Row {
  const manifest = jsonIn(folder, STUDY_MANIFEST);
  checkReadable(manifest, STUDY_MANIFEST);
  const runs = runsIn(folder);
  const common = { kind: 'study', strategy: '', symbols: [], unit: 'runs' } as const;
  const planned = isObject(manifest) ? (numberOf(manifest.runs) ?? null) : null;
  if (!existsSync(join(folder, STUDY_FILE))) {
    const arms = isObject(manifest) && Array.isArray(manifest.arms) ? manifest.arms : [];
    const state = stateOf(folder, false);
    const done = runs.filter((run) => existsSync(join(run, 'summary.json'))).length;
    return {
      ...common,
      title: /-study-(.+)-[0-9a-f]+$/.exec(basename(folder))?.[1] ?? 'study',
      state,
      problem: nextStepOf(state, 'study --resume'),
      done,
      planned,
      // Making the runs is about half the work of a study. The text therefore states that baselines, random
      // agents and figures follow.
      what: `${counted(arms.length, 'arm')}${state === 'running' && done === planned ? '; its runs are done, and baselines, random agents and figures follow' : ''}`,
      answer: NO_ANSWER,
      hasPage: false,
      inside: runsInside(folder, 'Runs so far'),
    };
  }
  const { name, arms, windows, comparisons } = readStudy(folder);
  const sure = new Set(
    comparisons
      .filter(
        ({ kind, pHolm, estimate }) => kind === 'baseline' && (pHolm ?? 1) < 0.05 && (estimate ?? 0) > 0,
      )
      .map(({ a }) => a),
  );
  return {
    ...common,
    title: name,
    state: 'finished',
    done: runs.length,
    planned: planned ?? runs.length,
    what: `${counted(arms.length, 'arm')}, ${counted(windows.length, 'window')}`,
    answer: {
      tone: '',
      word: '',
      text:
        sure.size === 0
          ? 'No arm earned more than a baseline beyond chance.'
          : `Earned more than a baseline beyond chance: ${[...sure].join(', ')}.`,
    },
    hasPage: isFile(join(folder, STUDY_PAGE)),
    inside: [
      {
        title: 'Arms, means over windows and samples',
        head: ['Arm', 'Model', 'Return', 'Sharpe', 'Max drawdown', 'Trades', 'Failed', 'Cost'],
        rows: arms.map(({ name: arm, model, figures, failures, usage }) => ({
          cells: [
            arm,
            model ?? '–',
            percent(figures.totalReturn.mean),
            ratio(figures.sharpe.mean),
            percent(figures.maxDrawdown.mean),
            ratio(figures.tradeCount.mean, 1),
            integer(failures.length),
            dollars(usage?.cost ?? null, '–'),
          ],
        })),
        more: 0,
      },
      ...runsInside(folder, 'Its runs'),
    ],
  };
}

function samplesRow(folder: string): Row {
  const asked = jsonIn(folder, 'samples.json');
  const runs = runsIn(folder);
  const summaries = runs.map((run) => jsonIn(run, 'summary.json')).filter(isObject);
  const planned = isObject(asked) ? (numberOf(asked.samples) ?? null) : null;
  const isFinished = planned !== null && summaries.length >= planned;
  const strategy = textOf(summaries[0]?.strategy);
  const state = isFinished ? 'finished' : runs.some(isLocked) ? 'running' : stateOf(folder, false);
  return {
    kind: 'samples',
    title: `samples of ${strategy || 'one run'}`,
    strategy,
    symbols: Array.isArray(summaries[0]?.symbols) ? summaries[0].symbols.map(textOf) : [],
    state,
    problem: nextStepOf(state, 'resume'),
    done: summaries.length,
    planned,
    unit: 'samples',
    what: planned === null ? '' : counted(planned, 'sample'),
    answer: NO_ANSWER,
    hasPage: false,
    inside: runsInside(folder, 'Samples'),
  };
}

function stressRow(folder: string, counter: LinesDone): Row | undefined {
  const manifest = jsonIn(folder, 'manifest.json');
  if (!isObject(manifest) || manifest.type !== 'stress') return undefined;
  const report = jsonIn(folder, STRESS_FILE);
  const verdict = isObject(report) && isObject(report.verdict) ? report.verdict : undefined;
  const because = Array.isArray(verdict?.because) ? verdict.because.map(textOf) : [];
  const planned = numberOf(manifest.worlds) ?? null;
  const file = basename(textOf(manifest.strategy)).replace(/\.\w+$/, '');
  const done = counter.count(join(folder, 'worlds.jsonl'), /^\{"world":(\d+)/);
  const state = stateOf(folder, verdict !== undefined && done >= (planned ?? 0));
  const word = Object.entries(STRESS_WORDS).find(([one]) => one === verdict?.state)?.[1] ?? '';
  const terms = isObject(manifest.terms) ? textOf(manifest.terms.kind) : '';
  return {
    kind: 'stress test',
    title: `stress test, ${terms}`,
    strategy: isObject(report) ? textOf(report.strategy) : file,
    symbols: symbolsIn(jsonIn(folder, 'actual.json')),
    state,
    problem: nextStepOf(state, 'stress --resume'),
    done,
    planned,
    unit: 'worlds',
    what: planned === null ? '' : counted(planned, 'world'),
    answer: {
      tone: word === STRESS_WORDS.beyond_luck ? 'good' : word === STRESS_WORDS.luck_would_do ? 'bad' : '',
      word,
      text: because[0] ?? '',
    },
    hasPage: isFile(join(folder, STRESS_PAGE)),
    inside: [],
  };
}

function counted(count: number, unit: string): string {
  return `${integer(count)} ${unit}${count === 1 ? '' : 's'}`;
}

function symbolsIn(of: unknown): string[] {
  if (!isObject(of)) return [];
  if (isObject(of.run)) return Array.isArray(of.run.symbols) ? of.run.symbols.map(textOf) : [];
  const data = Array.isArray(of.data) ? of.data.filter(isObject) : [];
  return data.flatMap(({ symbols }) => (Array.isArray(symbols) ? symbols.map(textOf) : []));
}
