import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Environment,
  isSharedBudgetStop,
  type Meter,
  RULE_TIMEOUT_SECONDS,
} from '../../agents/index.ts';
import { isResult } from '../../engine/index.ts';
import { readJournal } from '../../journal/index.ts';
import { AppError, builtPlace, messageOf } from '../../kernel/index.ts';
import {
  type ForecastTerms,
  type RunSummary,
  runSummarySchema,
  type StudyCell,
  studyCell,
} from '../../results/analysis/index.ts';
import { type RunContext, type RunEnd, runRequested, runSample, SILENT } from '../../runner/index.ts';
import { isBuilt, ThreadPool, type ThreadStart } from '../workers/thread-pool.ts';
import { type Arm, folderName, hasSamples } from './arms.ts';
import { type ClientTask, type McpClient, runClient } from './mcp-client.ts';
import type { StudyRequest, StudyWindow } from './study-file.ts';

export interface RunThreadStart extends ThreadStart {
  readonly environment: Environment;
  readonly pythonLimits: RunContext['pythonLimits'];
}

/** One run of a rule-based strategy. */
export interface RunTask {
  readonly id: string;
  readonly request: Parameters<typeof runSample>[0];
}

/**
 * End of a run. `problem` is the reason why the run has no result. `fault` is the error of a run that could
 * not be started.
 */
export interface TaskEnd {
  readonly id: string;
  readonly warnings: readonly string[];
  readonly problem?: string;
  readonly fault?: { readonly code: string; readonly message: string; readonly hint: string };
}

/**
 * Minimum timeout of a run in seconds. In addition to decisions, the timeout must cover the compilation of
 * the strategy and the writing of the folder.
 */
const LEAST_SECONDS = 10;

const SCRIPT = builtPlace('research/study/run-thread.js');

/** Returns the end of a run in a form that can be sent between threads. */
export async function endOfRun(
  run: () => Promise<RunEnd | undefined>,
): Promise<Pick<TaskEnd, 'problem' | 'fault'>> {
  try {
    const end = await run();
    return end === undefined || isResult(end.outcome) ? {} : { problem: messageOf(end.error ?? end.outcome) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { fault: { code: error.code, message: error.message, hint: error.hint } };
  }
}

/**
 * Runs rule-based strategies in threads of this process. If the study is stopped, unfinished runs are
 * interrupted. A resumed study continues these runs.
 *
 * @param done called for each finished run
 * @throws AppError for the first run that could not be started
 */
async function runInThreads(
  tasks: readonly RunTask[],
  { environment, pythonLimits }: Pick<RunContext, 'environment' | 'pythonLimits'>,
  threads: number,
  seconds: number | undefined,
  signal: AbortSignal,
  done: (end: TaskEnd) => void,
): Promise<void> {
  const start = { environment: { ...environment }, pythonLimits };
  const pool = new ThreadPool<RunTask, TaskEnd>({
    script: SCRIPT,
    start,
    jobs: threads,
    seconds: Math.max(seconds ?? RULE_TIMEOUT_SECONDS, LEAST_SECONDS),
    finishes: false,
    lost: ({ id }, message) => ({ id, warnings: [], problem: message }),
  });
  try {
    for await (const end of pool.run(tasks, signal)) {
      if (end.fault !== undefined) throw new AppError(end.fault);
      done(end);
    }
  } finally {
    await pool.close();
  }
}

/**
 * Minimum number of runs per thread. With fewer runs, the start of a thread takes longer than the time it
 * saves.
 */
const RUNS_A_THREAD = 4;

/**
 * Returns the number of threads for a number of runs. 0 without runs, or if threads cannot be started. A
 * single run also uses a thread, so that a strategy that hangs or ends its process affects one run and not
 * the study.
 */
function threadsFor(runs: number, jobs: number): number {
  return isBuilt(SCRIPT) ? Math.min(jobs, Math.ceil(runs / RUNS_A_THREAD)) : 0;
}

/**
 * One run of a study. An arm is a strategy with a model, a tool set and a mask. It runs in each window
 * `samples` times.
 */
interface StudyRun {
  readonly arm: Arm;
  readonly window: StudyWindow;
  readonly sample: number;
}

/** Result of running all runs of a study. */
interface RunsEnd {
  /** Reason why some runs are missing. Undefined if all runs have finished. */
  readonly stopped?: { readonly by: 'interrupt' | 'budget' | 'model'; readonly problem: string };
  /** Reasons why runs have no result. The keys are results of `keyOf`. */
  readonly failures: ReadonlyMap<string, string>;
}

/** Returns all runs of a study, in the order of the study's tables. */
export function studyRuns({ windows }: StudyRequest, arms: readonly Arm[]): StudyRun[] {
  return arms.flatMap((arm) =>
    windows.flatMap((window) =>
      Array.from({ length: arm.samples }, (_, index) => ({ arm, window, sample: index + 1 })),
    ),
  );
}

/** Returns the folder with the samples (repeated runs) of an arm in a window. */
function placeOf(folder: string, { arm, window }: Pick<StudyRun, 'arm' | 'window'>): string {
  return join(folder, 'runs', folderName([arm.name]), folderName([window.name]));
}

export function keyOf({ arm, window, sample }: StudyRun): string {
  return `${arm.name}/${window.name}/${sample}`;
}

/**
 * Runs all runs of a study that are not finished, each in a separate folder. A killed run continues where it
 * stopped and does not repeat a model request.
 */
export async function makeRuns(
  folder: string,
  studyId: string,
  request: StudyRequest,
  runs: readonly StudyRun[],
  how: {
    /** Number of runs of models and agents that are made in parallel. */
    readonly concurrency: number;
    /** Number of threads for runs of rule-based strategies. */
    readonly jobs: number;
    readonly context: RunContext;
    readonly meter: Meter | undefined;
    readonly signal: AbortSignal;
    readonly done: () => void;
  },
): Promise<RunsEnd> {
  const failures = new Map<string, string>();
  const said = new Set<string>();
  const context: RunContext = {
    ...how.context,
    ...(how.meter === undefined ? {} : { meter: how.meter }),
    observer: {
      ...SILENT,
      warn(text) {
        if (said.has(text)) return;
        said.add(text);
        how.context.observer.warn(text);
      },
    },
    listen: () => ({ signal: how.signal, release: () => undefined }),
  };
  let stopped: RunsEnd['stopped'];
  const rules = runs.filter(({ arm }) => !hasSamples(arm));
  const threads = threadsFor(rules.length, how.jobs);
  const byKey = new Map(rules.map((run) => [keyOf(run), run]));
  const inThreads = async (): Promise<void> => {
    if (threads === 0) return;
    const tasks = rules.map((run) => ({
      id: keyOf(run),
      request: requestOfRun(folder, studyId, request, run),
    }));
    const { decisionTimeout } = request.settings;
    await runInThreads(tasks, context, threads, decisionTimeout, how.signal, ({ id, warnings, problem }) => {
      for (const text of warnings) context.observer.warn(text);
      if (problem !== undefined) failures.set(keyOf(byKey.get(id)!), problem);
      how.done();
    });
    if (how.signal.aborted) stopped ??= { by: 'interrupt', problem: '' };
  };
  const next = (threads === 0 ? runs : runs.filter(({ arm }) => hasSamples(arm))).values();
  const work = async (): Promise<void> => {
    for (const run of next) {
      if (how.signal.aborted) stopped ??= { by: 'interrupt', problem: '' };
      if (stopped !== undefined) return;
      const { arm } = run;
      if (arm.mcp !== undefined) {
        const problem = await runClient(
          clientTask(folder, request, run, arm.mcp),
          context.environment,
          how.signal,
        );
        if (how.signal.aborted) continue;
        if (problem !== undefined) failures.set(keyOf(run), problem);
        how.done();
        continue;
      }
      const end = await runSample(requestOfRun(folder, studyId, request, run), context);
      if (end !== undefined && !isResult(end.outcome)) {
        const problem = messageOf(end.error ?? end.outcome);
        // The budget of an agent applies to each run separately. A second attempt would exhaust this budget
        // again, so the run has failed. Only the shared budget stops all runs.
        const isOwnBudget =
          arm.agent !== undefined && end.outcome === 'budget_exhausted' && !isSharedBudgetStop(end.error);
        if (end.outcome === 'failed' || isOwnBudget) failures.set(keyOf(run), problem);
        else {
          const by = { interrupted: 'interrupt', budget_exhausted: 'budget', stopped: 'model' } as const;
          stopped ??= { by: by[end.outcome as keyof typeof by], problem };
          return;
        }
      }
      how.done();
    }
  };
  await Promise.all([inThreads(), ...Array.from({ length: Math.min(how.concurrency, runs.length) }, work)]);
  return { failures, ...(stopped === undefined ? {} : { stopped }) };
}

/**
 * Tests each external agent with one decision in the study's first window, before any run starts.
 *
 * @throws AppError `agent_failed` with the last lines of the agent's standard error
 */
export async function tryAgents(
  folder: string,
  studyId: string,
  request: StudyRequest,
  arms: readonly Arm[],
  context: RunContext,
): Promise<void> {
  const window = request.windows[0];
  if (window === undefined) return;
  for (const arm of arms) {
    if (arm.agent === undefined || arm.mcp !== undefined) continue;
    const { sample: _, ...first } = requestOfRun(folder, studyId, request, { arm, window, sample: 1 });
    await runRequested({ ...first, preflight: 'only' }, context);
  }
}

function clientTask(folder: string, request: StudyRequest, run: StudyRun, client: McpClient): ClientTask {
  const { arm, window, sample } = run;
  return {
    client,
    options: {
      ...request.options,
      to: window.to,
      ...(arm.mask === undefined ? {} : { mask: arm.mask }),
    },
    settings: { ...request.settings, seed: request.seed, evaluateFrom: window.from },
    tools: arm.agent?.agentTools,
    folder: placeOf(folder, run),
    sample,
  };
}

/** Returns the request for one run of a study. */
export function requestOfRun(
  folder: string,
  studyId: string,
  request: StudyRequest,
  run: StudyRun,
): Parameters<typeof runSample>[0] {
  const { arm, window, sample } = run;
  return {
    strategy: arm.file,
    parameters: arm.parameters,
    options: {
      ...request.options,
      ...arm.agent,
      to: window.to,
      ...(arm.mask === undefined ? {} : { mask: arm.mask }),
      ...(arm.cutoff === undefined ? {} : { modelCutoff: arm.cutoff }),
    },
    settings: { ...request.settings, seed: request.seed, evaluateFrom: window.from },
    sample: {
      number: sample,
      folder: placeOf(folder, run),
      runId: folderName([studyId, arm.name, window.name]),
    },
  };
}

/** Reads the result of a finished run from its folder. `undefined` if the run has no result. */
export function readCell(
  folder: string,
  run: StudyRun,
  terms: ForecastTerms | undefined,
): StudyCell | undefined {
  const own = join(placeOf(folder, run), `sample-${run.sample}`);
  const file = join(own, 'summary.json');
  if (!existsSync(file)) return undefined;
  const summary: RunSummary = runSummarySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return isResult(summary.outcome)
    ? studyCell(readJournal(join(own, 'journal.jsonl')), summary, terms)
    : undefined;
}
