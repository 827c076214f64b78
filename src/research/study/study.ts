import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Budget } from '../../agents/index.ts';
import type { Json } from '../../engine/index.ts';
import { AppError, formatInstant, parseInstant } from '../../kernel/index.ts';
import { studyCsv, studyMarkdown, studyPage } from '../../pages/index.ts';
import type { StudyCell, StudyReport } from '../../results/analysis/index.ts';
import {
  createRunFolder,
  jsonText,
  lockRun,
  runIdFor,
  STUDY_FILE,
  STUDY_PAGE,
  writeWhole,
} from '../../results/runs/index.ts';
import { checkRegistration, collectErrors, type RunContext } from '../../runner/index.ts';
import { LocalMeter } from '../budget/meter.ts';
import { SweepJournal } from '../sweep/sweep-folder.ts';
import { type Arm, armsOf, hasSamples, loadStrategies } from './arms.ts';
import { assembleStudy, type StudyFindings } from './assemble-study.ts';
import { readStudyFile, type StudyRequest } from './study-file.ts';
import {
  checkSameStudy,
  readStudyManifest,
  type StudyManifest,
  studyManifestOf,
  studyPlan,
  writeStudyManifest,
} from './study-folder.ts';
import { checkWorlds, runCounterfactuals, runProbes } from './study-leakage.ts';
import { type RandomDraws, runRandomAgents } from './study-random.ts';
import { keyOf, makeRuns, readCell, studyRuns, tryAgents } from './study-runs.ts';
import { openGround, runBaselines, type StudyGround, StudyTrials } from './study-trials.ts';

/** Options of `runStudy`. */
export interface StudyOptions {
  /** Folder in which the study's folder is created. Default: `reports`. */
  readonly out?: string | undefined;
  /**
   * Number of runs of models and agents in parallel. Each run can have its own Python process. Default: 2.
   */
  readonly concurrency?: number | undefined;
  /**
   * Maximum number of threads for runs without a model. Default: number of cores. Does not affect results.
   */
  readonly jobs?: number | undefined;
  /** Budget of model usage that replaces the budget of the study file. */
  readonly budget?: Omit<Budget, 'seconds'> | undefined;
  /**
   * File of a registration: a plan that was fixed before the study. A new study that differs from this plan
   * is an error.
   */
  readonly registration?: string | undefined;
  /**
   * Reason for differences from the registration. With a reason, the study runs despite the differences, and
   * its result lists them.
   */
  readonly amend?: string | undefined;
}

/** Result of `runStudy` and `resumeStudy`. */
export interface StudyEnd {
  readonly folder: string;
  /** Report of the study. `undefined` if the study was stopped before its end. */
  readonly report: StudyReport | undefined;
  readonly stopped?: { readonly by: 'interrupt' | 'budget' | 'model'; readonly problem: string };
}

const CONCURRENCY = 2;

/**
 * Runs a study and writes its folder.
 *
 * @throws AppError with every fault of the file, then of the strategies and the data
 */
export async function runStudy(file: string, options: StudyOptions, context: RunContext): Promise<StudyEnd> {
  const request = requestOf(file, options);
  const [strategies, ground] = await collectErrors(
    loadStrategies(request, context.environment),
    openGround(request, context),
  );
  try {
    checkWindows(request, ground);
    const { registration, amend } = options;
    const checked =
      registration === undefined
        ? undefined
        : checkRegistration(registration, studyPlan(request, strategies, ground), amend, new Date());
    if (strategies.some(({ loaded }) => loaded.kind === 'llm')) checkBudget(request);
    if (strategies.some(({ loaded }) => loaded.kind === 'llm' || loaded.kind === 'agent'))
      checkWorlds(request, ground);
    const key = JSON.stringify([request.name, request.windows, request.seed]);
    const id = runIdFor(`study-${request.name}`, new Date(), key);
    const { runId, folder } = createRunFolder(options.out ?? 'reports', id);
    let arms: Arm[];
    try {
      arms = await armsOf(request, strategies, folder, context.environment);
      await tryAgents(folder, runId, request, arms, context);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
    if (checked !== undefined) writeWhole(join(folder, 'registration.json'), checked.text);
    const manifest = studyManifestOf(runId, request, arms, dataOf(ground), checked?.registered);
    writeStudyManifest(folder, manifest);
    return await studyIn(folder, manifest, request, arms, ground, options, context);
  } finally {
    await ground.world.close();
  }
}

/**
 * Returns the plan of a study, which a registration stores.
 *
 * @throws AppError with every fault of the file, then of the strategies and the data
 */
export async function planStudy(file: string, context: RunContext): Promise<Json> {
  const request = readStudyFile(file);
  const [strategies, ground] = await collectErrors(
    loadStrategies(request, context.environment),
    openGround(request, context),
  );
  try {
    checkWindows(request, ground);
    return studyPlan(request, strategies, ground);
  } finally {
    await ground.world.close();
  }
}

/**
 * Resumes a study that was stopped or killed. Finished runs are not repeated, and answered model requests are
 * not sent again.
 *
 * @throws AppError `not_a_study`; `study_changed` if the study's file, a strategy, the data or the
 *   version of Sandtable has changed
 */
export async function resumeStudy(
  folder: string,
  options: StudyOptions,
  context: RunContext,
): Promise<StudyEnd> {
  const manifest = readStudyManifest(folder);
  const { file, budget } = manifest;
  if (!existsSync(file))
    throw new AppError({
      code: 'study_not_found',
      message: `${folder} belongs to the study ${file}, which does not exist in ${process.cwd()}.`,
      hint: 'Continue in the folder in which the study was started, with the study file at its original path.',
    });
  const request = requestOf(file, { ...options, budget: options.budget ?? budget });
  const [strategies, ground] = await collectErrors(
    loadStrategies(request, context.environment),
    openGround(request, context),
  );
  try {
    const arms = await armsOf(request, strategies, folder, context.environment);
    checkSameStudy(folder, manifest, studyManifestOf(manifest.studyId, request, arms, dataOf(ground)));
    return await studyIn(folder, manifest, request, arms, ground, options, context);
  } finally {
    await ground.world.close();
  }
}

function requestOf(file: string, { budget }: StudyOptions): StudyRequest {
  const request = readStudyFile(file);
  return budget === undefined ? request : { ...request, budget };
}

function dataOf({ world }: StudyGround): { file: string; sha256: string }[] {
  return world.files.sources.map(({ file, sha256 }) => ({ file: file ?? '', sha256: sha256 ?? '' }));
}

function checkBudget({ file, budget }: StudyRequest): void {
  if (budget !== undefined && Object.keys(budget).length > 0) return;
  throw new AppError({
    code: 'no_budget',
    message: `${file} calls models, and the study has no budget.`,
    hint: 'Set a budget, for example budget: { usd: 5 } or budget: { calls: 2000 }, or --budget usd=5.',
  });
}

/**
 * Checks that each window contains at least two bars, and that the data begins before each window.
 *
 * @throws AppError `bad_study` with every window that fails the check
 */
function checkWindows({ file, windows, lineOf }: StudyRequest, { world }: StudyGround): void {
  const { clock } = world.files.market;
  const [first, last] = [clock[0]!, clock.at(-1)!];
  const bad = windows.filter(({ from, to }) => {
    const [begins, ends] = [parseInstant(from)!, parseInstant(`${to}T23:59:59`)!];
    return !(first < begins && clock.filter((time) => time >= begins && time <= ends).length >= 2);
  });
  if (bad.length === 0) return;
  throw new AppError({
    code: 'bad_study',
    message: `${file}:${lineOf(['windows'])}: the data are from ${formatInstant(first)} to ${formatInstant(last)}. A window needs an earlier bar and at least two bars. Windows without them: ${bad.map(({ name, from, to }) => (name === from ? `${from} to ${to}` : `${name} (${from} to ${to})`)).join(', ')}.`,
    hint: 'Use data that begin before the first window and cover all windows, or change the windows.',
  });
}

async function studyIn(
  folder: string,
  { studyId, registration }: StudyManifest,
  request: StudyRequest,
  arms: readonly Arm[],
  ground: StudyGround,
  { concurrency = CONCURRENCY, jobs = availableParallelism() }: StudyOptions,
  context: RunContext,
): Promise<StudyEnd> {
  const lock = lockRun(folder);
  const interrupt = context.listen();
  const { signal } = interrupt;
  const journal = new SweepJournal(folder);
  const { budget } = request;
  const meter =
    budget === undefined ? undefined : new LocalMeter(budget, journal.spent, (spent) => journal.spend(spent));
  const metered = meter === undefined ? context : { ...context, meter };
  const runs = studyRuns(request, arms);
  const trials = new StudyTrials(request, ground, jobs, context);
  let done = 0;
  const show = (): void => context.observer.progress(request.name, done, runs.length, 'runs');
  try {
    const baselines = await runBaselines(request, ground, journal, trials, signal);
    show();
    const made = await makeRuns(folder, studyId, request, runs, {
      concurrency,
      jobs,
      context,
      meter,
      signal,
      done() {
        done += 1;
        show();
      },
    });
    context.observer.progressEnd();
    journal.flush();
    if (made.stopped !== undefined) return { folder, report: undefined, stopped: made.stopped };
    const probes = await runProbes(request, ground, journal, arms, metered, signal);
    const found: StudyFindings['arms'][number][] = [];
    for (const arm of arms) {
      const cells = cellsOf(folder, request, arm);
      const known = cells.map((samples) => samples.filter((cell) => cell !== undefined));
      context.observer.stage(`random agents for ${arm.name}`);
      const random: RandomDraws | undefined =
        request.random === 0
          ? undefined
          : await runRandomAgents(request, ground, journal, arm, known, trials, signal);
      const worlds =
        hasSamples(arm) && arm.mcp === undefined
          ? await runCounterfactuals(request, ground, journal, arm, metered, signal)
          : { cells: [] };
      if (worlds === undefined || signal.aborted)
        return { folder, report: undefined, stopped: { by: 'interrupt', problem: '' } };
      if ('stopped' in worlds)
        return { folder, report: undefined, stopped: { by: worlds.by, problem: worlds.stopped } };
      const failures = request.windows.flatMap((window) =>
        Array.from({ length: arm.samples }, (_, index) => index + 1).flatMap((sample) => {
          const error = made.failures.get(keyOf({ arm, window, sample }));
          return error === undefined ? [] : [{ window: window.name, sample, error }];
        }),
      );
      found.push({ arm, cells, failures, random, counterfactuals: worlds.cells });
    }
    const report = assembleStudy({ request, ground, arms: found, baselines, probes, registration });
    writeStudy(folder, report);
    return { folder, report };
  } finally {
    context.observer.progressEnd();
    await trials.close();
    interrupt.release();
    journal.close();
    lock.release();
  }
}

function cellsOf(folder: string, request: StudyRequest, arm: Arm): (StudyCell | undefined)[][] {
  return request.windows.map((window) =>
    Array.from({ length: arm.samples }, (_, index) =>
      readCell(folder, { arm, window, sample: index + 1 }, request.calibration),
    ),
  );
}

/**
 * Writes the report, its tables and its page. These files contain no clock times, so that a resumed study
 * writes the same bytes.
 */
function writeStudy(folder: string, report: StudyReport): void {
  const { table, comparisons } = studyCsv(report);
  writeWhole(join(folder, 'study.csv'), table);
  writeWhole(join(folder, 'comparisons.csv'), comparisons);
  writeWhole(join(folder, 'study.md'), studyMarkdown(report));
  writeWhole(join(folder, STUDY_PAGE), studyPage(report));
  writeWhole(join(folder, STUDY_FILE), jsonText(report));
}
