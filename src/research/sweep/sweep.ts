import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AppError, formatInstant, parseInstant, version } from '../../kernel/index.ts';
import { linkedReport, REPORT_FILE, sweepPage } from '../../pages/index.ts';
import {
  createRunFolder,
  jsonText,
  lockRun,
  readRun,
  runIdFor,
  SWEEP_FILE,
  SWEEP_PAGE,
  SWEEP_TRIALS,
  type SweepResult,
  writeTrialRows,
  writeWhole,
} from '../../results/runs/index.ts';
import { BudgetReached, budgetSpent } from '../budget/meter.ts';
import { validateGroups } from '../walk-forward/validate-groups.ts';
import { trainAndTest, walkForward } from '../walk-forward/walk-forward.ts';
import { hasWorkers, reserveWorkers } from '../workers/pool.ts';
import type { ThreadReserve } from '../workers/thread-pool.ts';
import { assembleSweep, topOf } from './assemble.ts';
import type { TrialExecutor } from './executor.ts';
import { executorOf } from './executor-of.ts';
import type { Period } from './figures.ts';
import { keepRuns, rowsOf, writeTimings } from './keep-runs.ts';
import { timeBlocks } from './maps.ts';
import { type PreparedSweep, prepareSweep } from './prepare-sweep.ts';
import { sizeOf } from './space.ts';
import {
  forgetStop,
  isAskedToStop,
  readSweepManifest,
  SweepJournal,
  type SweepManifest,
  writeSweepManifest,
} from './sweep-folder.ts';
import { LedgerWriter } from './sweep-ledger.ts';
import type { SweepContext, SweepRequest } from './sweep-request.ts';
import { TrialRunner } from './trial-runner.ts';

/** Default number of trials for searches other than `grid`. A grid tries all combinations. */
const TRIALS = 100;

/**
 * Estimates the number of trials of a sweep, including its walk-forward and its cross-validation. For the
 * search `halving`, only the first round is counted.
 *
 * @throws AppError `bad_walk_forward` if no window fits
 */
function expectedTrials(prepared: PreparedSweep): number {
  const { request, space, name, walkForward, crossValidation } = prepared;
  const most = request.trials ?? (name === 'grid' ? Number.POSITIVE_INFINITY : TRIALS);
  const search = Math.max(1, Math.round(Math.min(sizeOf(space), most) * prepared.acceptedShare));
  const once = search * (1 + (crossValidation?.groups ?? 0));
  if (walkForward === undefined) return once;
  const windows = trainAndTest(prepared, walkForward).length;
  return once + search * windows + (walkForward.carry ? 1 : windows);
}

/** Interval in milliseconds at which a sweep checks for a request to stop. */
const LOOK = 250;
/** Interval in milliseconds at which finished trials are written to the ledger. */
const LEDGER_EVERY = 2_000;

/** Result of a sweep. */
export interface SweepEnd {
  /** Folder of the sweep, with `sweep.html`, `sweep.json` and `trials.parquet`. */
  readonly folder: string;
  /** Name of the folder. */
  readonly sweepId: string;
  /** Content of `sweep.json`. `undefined` if the sweep was stopped before its end. */
  readonly result: SweepResult | undefined;
  /** Duration in seconds. */
  readonly seconds: number;
  /** Number of worker threads that ran the trials. */
  readonly jobs: number;
  /**
   * Share of the threads' time that was used for trials, from the start to the end of the search: 0 to 1.
   * `null` if the sweep was stopped, if no trial had to be run, and for a sweep on a queue.
   */
  readonly efficiency: number | null;
  /** Run folder of the best combination. `undefined` with `keep: 'none'`, or if no trial has an objective. */
  readonly bestFolder: string | undefined;
  /**
   * Error of the second run of the best combination. `undefined` if this run succeeded. The second run can
   * fail although the trial succeeded, because it checks the signals of a Python strategy at more bars.
   */
  readonly bestError: string | undefined;
}

/**
 * Runs a sweep and writes its folder.
 *
 * @throws AppError with every fault of the request, the strategy and the data
 */
export function runSweep(request: SweepRequest, context: SweepContext): Promise<SweepEnd> {
  const started = performance.now();
  return withThreads(request, context, async (threads) => {
    const prepared = await prepareSweep(request, context);
    const key = JSON.stringify([prepared.ground, request.parameters, request.search, request.objective]);
    const out = request.options.out ?? 'reports';
    const { runId, folder } = createRunFolder(
      out,
      runIdFor(`sweep-${prepared.strategy.name}`, new Date(), key),
    );
    writeSweepManifest(folder, manifestOf(prepared, runId));
    return sweepIn(folder, runId, prepared, context, { started, threads });
  });
}

/** Starts the threads of a sweep, so that they load their modules while the sweep is prepared. */
function threadsFor(
  { strategy, cluster, jobs = availableParallelism() }: SweepRequest,
  context: SweepContext,
): ThreadReserve | undefined {
  const usesThreads = typeof strategy === 'string' && cluster === undefined && context.executor === undefined;
  return usesThreads && hasWorkers() ? reserveWorkers(jobs) : undefined;
}

/**
 * Runs `work` with the threads of a sweep. Afterwards ends the threads that are unused, for example because
 * the sweep could not start.
 */
async function withThreads(
  request: SweepRequest,
  context: SweepContext,
  work: (threads: ThreadReserve | undefined) => Promise<SweepEnd>,
): Promise<SweepEnd> {
  const threads = threadsFor(request, context);
  try {
    return await work(threads);
  } finally {
    await threads?.close();
  }
}

/**
 * Resumes a sweep that was stopped or killed. Finished trials are not run again.
 *
 * @throws AppError `not_a_sweep`; `sweep_changed` if the strategy, the data or the version of
 *   Sandtable have changed
 */
export async function resumeSweep(
  folder: string,
  context: SweepContext,
  change: Pick<SweepRequest, 'jobs' | 'budget'> = {},
): Promise<SweepEnd> {
  const started = performance.now();
  const manifest = readSweepManifest(folder);
  const { request } = manifest;
  if (typeof request.strategy !== 'string')
    throw new AppError({
      code: 'not_a_sweep',
      message: `The strategy of ${folder} was passed in code.`,
      hint: 'Run the sweep again from the program that has it.',
    });
  const begun = { from: manifest.holdout.from, warnings: manifest.holdout.warnings };
  const asked = { ...(request as unknown as SweepRequest), ...change };
  return withThreads(asked, context, async (threads) => {
    const prepared = await prepareSweep(asked, context, begun);
    refuseChanged(folder, manifest, manifestOf(prepared, manifest.sweepId));
    return sweepIn(folder, manifest.sweepId, prepared, context, { started, threads });
  });
}

/**
 * Checks that the inputs of a resumed sweep have not changed. Another version of Sandtable may compute other
 * figures, and a sweep must not contain the figures of two versions.
 *
 * @throws AppError `sweep_changed` if the strategy, the data or the version of Sandtable differ
 */
function refuseChanged(folder: string, manifest: SweepManifest, now: SweepManifest): void {
  const changed = [
    ...(now.strategy.sha256 === manifest.strategy.sha256 ? [] : [`the strategy ${now.strategy.file}`]),
    ...(JSON.stringify(now.data.map(({ sha256 }) => sha256)) ===
    JSON.stringify(manifest.data.map(({ sha256 }) => sha256))
      ? []
      : ['the data']),
    ...(now.versions.sandtable === manifest.versions.sandtable
      ? []
      : [`Sandtable (${manifest.versions.sandtable}, now ${now.versions.sandtable})`]),
  ];
  if (changed.length > 0)
    throw new AppError({
      code: 'sweep_changed',
      message: `${folder} cannot continue: ${changed.join(' and ')} changed since the start.`,
      hint: 'Restore what changed, or start a new sweep.',
    });
}

function manifestOf(prepared: PreparedSweep, sweepId: string): SweepManifest {
  const { request, strategy, ground, sources } = prepared;
  const { strategy: own, market: _, jobs: __, ...rest } = request;
  const file = typeof own === 'string' ? own : null;
  return {
    schema: 1,
    sweepId,
    request: { strategy: file, ...rest },
    strategy: { name: strategy.name, file, sha256: ground.strategy },
    data: sources.map(({ file: name, sha256, symbols }) => ({ file: name, sha256, symbols: [...symbols] })),
    holdout: { from: prepared.holdoutFrom ?? null, warnings: [...prepared.warnings] },
    versions: { sandtable: version(), node: process.versions.node },
    expectedTrials: finiteOf(expectedTrials(prepared)),
  };
}

function finiteOf(count: number): number | null {
  return Number.isFinite(count) ? count : null;
}

async function sweepIn(
  folder: string,
  sweepId: string,
  prepared: PreparedSweep,
  context: SweepContext,
  { started, threads }: { readonly started: number; readonly threads: ThreadReserve | undefined },
): Promise<SweepEnd> {
  const lock = lockRun(folder);
  const interrupt = context.listen();
  const stopping = new AbortController();
  const watch = setInterval(() => {
    if (isAskedToStop(folder)) stopping.abort();
  }, LOOK);
  watch.unref();
  forgetStop(folder);
  const signal = AbortSignal.any([interrupt.signal, stopping.signal]);
  const journal = new SweepJournal(folder);
  let executor: TrialExecutor | undefined;
  let writing: NodeJS.Timeout | undefined;
  try {
    const expected = expectedTrials(prepared);
    const writer = new LedgerWriter(folder, prepared, journal, (text) => context.observer.warn(text));
    executor = await executorOf(prepared, context, journal, threads);
    const showProgress = (done: number, of: number): void =>
      context.observer.progress(prepared.strategy.name, done, of, 'trials');
    let done = 0;
    const runner = new TrialRunner(prepared, executor, journal, {
      signal,
      onDone(count) {
        done = count;
        // `expected` is an estimate, so more trials may follow. A count equal to the total is therefore
        // reported only at the end.
        if (done !== expected) showProgress(done, Math.max(expected, done + 1));
      },
    });
    writing = setInterval(() => writer.write(runner.trials), LEDGER_EVERY);
    const searching = performance.now();
    const known = new Set(journal.results().map(({ id }) => id));
    const end = await runAll(prepared, runner);
    const searched = secondsSince(searching);
    const worked = journal.results().reduce((sum, { id, seconds }) => sum + (known.has(id) ? 0 : seconds), 0);
    const jobs = typeof prepared.request.strategy === 'string' ? prepared.jobs : 1;
    const isLocal = prepared.request.cluster === undefined && worked > 0;
    clearInterval(writing);
    journal.flush();
    if (end !== undefined) showProgress(done, done);
    context.observer.progressEnd();
    const looks = writer.all(runner.trials);
    if (end === undefined)
      return {
        folder,
        sweepId,
        result: undefined,
        seconds: secondsSince(started),
        jobs,
        efficiency: null,
        bestFolder: undefined,
        bestError: undefined,
      };
    const result = assembleSweep({ ...end, ...looks });
    await writeTrialRows(join(folder, SWEEP_TRIALS), ...rowsOf(prepared, end.end));
    const { best, names } = await keepRuns(folder, prepared, end.end, { ...context, meter: executor.meter });
    writeTimings(folder, end.end, secondsSince(started));
    writeWhole(
      join(folder, SWEEP_PAGE),
      sweepPage(result, end.end.tried.filter(({ share }) => share === 1).map(topOf), [], looks.readAt, names),
    );
    writeWhole(join(folder, SWEEP_FILE), jsonText(result));
    // The report of the best run also shows results of the sweep. These results did not exist when the run
    // wrote its report, so the report is written again.
    if (best !== undefined)
      writeWhole(
        join(best.folder, REPORT_FILE),
        linkedReport(readRun(best.folder, { salvage: true, lightBars: true }), best.folder),
      );
    return {
      folder,
      sweepId,
      result,
      seconds: secondsSince(started),
      jobs,
      efficiency: isLocal ? Math.min(1, worked / (searched * jobs)) : null,
      bestFolder: best?.folder,
      bestError: best?.error ?? end.best?.error?.message,
    };
  } catch (error) {
    if (!(error instanceof BudgetReached)) throw error;
    throw budgetSpent(error, folder, journal.results().length);
  } finally {
    clearInterval(watch);
    clearInterval(writing);
    interrupt.release();
    context.observer.progressEnd();
    await executor?.close();
    await prepared.world.close();
    journal.close();
    lock.release();
  }
}

async function runAll(prepared: PreparedSweep, runner: TrialRunner) {
  const { period, walkForward: terms } = prepared;
  const blocks = timeBlocks(prepared);
  const cutPeriod = partOf(prepared);
  const wish = { edges: blocks.edges };
  // A second run of a model-driven strategy can have another result. The summary of every trial is therefore
  // stored when the trial runs.
  const kept = prepared.strategy.kind === 'llm' ? { ...wish, summary: true } : wish;
  const end = await runner.search(period, kept, cutPeriod);
  if (end === undefined) return undefined;
  const forward = terms === undefined ? null : await walkForward(prepared, terms, runner, cutPeriod);
  if (forward === undefined) return undefined;
  const validated = await validateGroups(prepared, end, runner);
  if (validated === undefined) return undefined;
  const again =
    end.best === undefined ? [] : await runner.run([{ trial: end.best.trial, ...wish, summary: true }]);
  if (again === undefined) return undefined;
  return { prepared, end, best: again[0], blocks, walkForward: forward, crossValidation: validated };
}

/**
 * Returns a function that shortens a period to its first evaluated bars. `share` is the share of evaluated
 * bars that remain.
 */
function partOf({ files }: PreparedSweep): (period: Period, share: number) => Period {
  const { clock } = files.market;
  return (period, share) => {
    const from = parseInstant(period.evaluateFrom ?? period.from)!;
    const to = parseInstant(period.to)!;
    const counted = clock.filter((time) => time >= from && time <= to);
    const last = counted[Math.max(1, Math.ceil(counted.length * share)) - 1]!;
    return { ...period, to: formatInstant(last) };
  };
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
}
