import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Budget, codeHash } from '../../agents/index.ts';
import { asJson } from '../../engine/index.ts';
import { createRandom, version } from '../../kernel/index.ts';
import { stressPage } from '../../pages/index.ts';
import {
  type StressReport,
  stressDistribution,
  stressVerdict,
  tradeCones,
  type WorldRow,
} from '../../results/analysis/index.ts';
import {
  createRunFolder,
  jsonText,
  lockRun,
  runIdFor,
  STRESS_PAGE,
  writeWhole,
} from '../../results/runs/index.ts';
import { type RunContext, recordEvaluation } from '../../runner/index.ts';
import {
  checkBudget,
  checkRequest,
  checkSame,
  readActual,
  readManifest,
  requestOf,
  type StressManifest,
  WorldJournal,
  writeActual,
  writeManifest,
  writeStress,
} from './folder.ts';
import { runWorlds } from './run-worlds.ts';
import { type ActualResult, openWorldRunner, type StressRequest, type WorldRunner } from './world-runner.ts';

/** Result of `runStress` and `resumeStress`. */
export interface StressEnd {
  readonly report: StressReport;
  readonly folder: string;
  /** Duration in seconds. */
  readonly seconds: number;
  /** True if all requested worlds have finished. */
  readonly isComplete: boolean;
  readonly stoppedBy?: 'budget' | 'interrupt' | 'model';
  /** Error after which no further model request is possible. Omitted if no such error occurred. */
  readonly problem?: string;
}

/**
 * Runs a strategy on its data and on worlds, which are artificial markets made from the data. Writes a folder
 * with the results.
 *
 * @throws AppError `bad_flags` with every fault; the errors of a run for strategy, data and settings;
 *   `too_few_bars`; `no_result` if the run on the actual data has no result
 */
export async function runStress(request: StressRequest, context: RunContext): Promise<StressEnd> {
  checkRequest(request);
  const startedAt = new Date();
  return withRunner(request, context, async (runner) => {
    const { actual, record } = await runActual(runner, context);
    const manifest = manifestOf(request, runner);
    const id = runIdFor(`${runner.strategy.name}-stress`, startedAt, JSON.stringify(manifest));
    const { runId, folder } = createRunFolder(request.options.out ?? 'reports', id);
    writeManifest(folder, { ...manifest, stressId: runId });
    writeActual(folder, actual);
    record(runId, resolve(folder, '..'));
    return finish(folder, request, runner, actual, context);
  });
}

/**
 * Resumes a stress test that was killed, was stopped or exhausted its budget. Finished worlds are not run
 * again.
 *
 * @throws AppError `not_a_stress_test`, `run_in_use`, `data_changed` if the strategy, the data or the version
 *   of Sandtable has changed
 */
export async function resumeStress(
  folder: string,
  again: { readonly jobs?: number | undefined; readonly budget?: Budget | undefined },
  context: RunContext,
): Promise<StressEnd> {
  const manifest = readManifest(folder);
  const begun = requestOf(folder, manifest);
  const request: StressRequest = {
    ...begun,
    ...(again.jobs === undefined ? {} : { jobs: again.jobs }),
    ...(again.budget === undefined ? {} : { budget: again.budget }),
  };
  return withRunner(request, context, async (runner) => {
    checkSame(folder, manifest, runner);
    const before = readActual(folder);
    if (before !== undefined) return finish(folder, request, runner, before, context);
    const { actual, record } = await runActual(runner, context);
    record(manifest.stressId, resolve(folder, '..'));
    return finish(folder, request, runner, actual, context);
  });
}

async function withRunner<Result>(
  request: StressRequest,
  context: RunContext,
  use: (runner: WorldRunner) => Promise<Result>,
): Promise<Result> {
  const runner = await openWorldRunner(request, context);
  try {
    checkBudget(request, runner);
    for (const note of runner.notes) context.observer.note(note);
    return await use(runner);
  } finally {
    context.observer.progressEnd();
    await runner.close();
  }
}

/**
 * Runs the strategy on the actual data. Returns the result, and a function that records this run in the
 * ledger of a results folder. The ledger is a file that lists all evaluations on real data.
 */
async function runActual(
  runner: WorldRunner,
  { observer, listen }: RunContext,
): Promise<{ readonly actual: ActualResult; readonly record: (id: string, store: string) => void }> {
  const interrupt = listen();
  let record: (id: string, store: string) => void = () => undefined;
  try {
    const actual = await runner.actual(
      interrupt.signal,
      (evaluation, world) => {
        const warn = (text: string): void => observer.warn(text);
        record = (id, store) => recordEvaluation({ store, warn }, id, evaluation, world);
      },
      (done, total) => observer.progress('the run on the data themselves', done, total, 'bars'),
    );
    return { actual, record };
  } finally {
    interrupt.release();
  }
}

async function finish(
  folder: string,
  request: StressRequest,
  runner: WorldRunner,
  actual: ActualResult,
  context: RunContext,
): Promise<StressEnd> {
  const clockStart = performance.now();
  const lock = lockRun(folder);
  const interrupt = context.listen();
  try {
    const journal = new WorldJournal(folder, actual.spent);
    const missing = Array.from({ length: request.worlds }, (_, index) => index + 1).filter(
      (world) => !journal.rows.has(world),
    );
    const show = (): void =>
      context.observer.progress(runner.strategy.name, journal.rows.size, request.worlds, 'worlds');
    show();
    const { isExhausted, stopped } = await runWorlds({
      request,
      runner,
      context,
      signal: interrupt.signal,
      worlds: missing,
      spent: journal.spent,
      done(row, spent) {
        journal.add(row, spent);
        show();
      },
      paid: (spent) => journal.addSpent(spent),
    });
    const rows = journal.sorted();
    const report = reportOf(request, runner, actual, rows);
    await writeStress(folder, report, rows);
    writeWhole(join(folder, STRESS_PAGE), stressPage(report, rows));
    const seconds = (performance.now() - clockStart) / 1000;
    writeFileSync(join(folder, 'timing.json'), jsonText({ seconds, worlds: missing.length }));
    const isComplete = rows.length === request.worlds;
    return {
      report,
      folder,
      seconds,
      isComplete,
      ...(isComplete
        ? {}
        : { stoppedBy: isExhausted ? 'budget' : stopped === undefined ? 'interrupt' : 'model' }),
      ...(stopped === undefined ? {} : { problem: stopped }),
    };
  } finally {
    interrupt.release();
    lock.release();
  }
}

function reportOf(
  request: StressRequest,
  { strategy, settings, maker, notes }: WorldRunner,
  actual: ActualResult,
  rows: readonly WorldRow[],
): StressReport {
  const { kind } = request.terms;
  const { run } = actual;
  const figures = stressDistribution(actual, rows, kind !== 'noise');
  const repeats = request.shuffleTrades;
  const cones =
    repeats === undefined
      ? undefined
      : (tradeCones(
          Number(run.initialCash),
          actual.netPnls,
          repeats,
          createRandom(settings.seed, 'stress/trades'),
        ) ?? null);
  return {
    schema: 1,
    strategy: strategy.name,
    symbols: run.symbols,
    firstBar: run.firstBar,
    lastBar: run.lastBar,
    worlds: rows.length,
    asked: request.worlds,
    kind,
    seed: settings.seed,
    made: maker.facts,
    failed: rows.filter(({ outcome }) => outcome === 'failed').length,
    insolvent: rows.filter(({ outcome }) => outcome === 'insolvent').length,
    failures: failuresOf(rows),
    verdict: stressVerdict(kind, figures, rows),
    figures,
    ...(cones === undefined ? {} : { shuffledTrades: cones }),
    notes: [...notes, ...(cones === null ? [withoutCones(actual.netPnls.length)] : [])],
  };
}

function withoutCones(closed: number): string {
  return closed < 2
    ? `The order of trades is not shuffled: the run closed ${closed === 0 ? 'none' : 'one'}, and at least two are needed.`
    : 'The order of trades is not shuffled: the trades lost all of the money.';
}

const MOST_FAILURES = 5;

function failuresOf(rows: readonly WorldRow[]): { error: string; worlds: number }[] {
  const counts = new Map<string, number>();
  for (const { error } of rows) if (error !== undefined) counts.set(error, (counts.get(error) ?? 0) + 1);
  return [...counts]
    .map(([error, worlds]) => ({ error, worlds }))
    .sort((one, other) => other.worlds - one.worlds || (one.error < other.error ? -1 : 1))
    .slice(0, MOST_FAILURES);
}

function manifestOf(request: StressRequest, { strategy, sources }: WorldRunner): StressManifest {
  const { terms, worlds, shuffleTrades, budget, options, market } = request;
  const isFile = typeof request.strategy === 'string' && market === undefined;
  return {
    schema: 1,
    type: 'stress',
    stressId: '',
    version: version(),
    strategy: isFile && typeof request.strategy === 'string' ? request.strategy : null,
    strategySha256: codeHash(strategy),
    data: sources.map(({ file, sha256 }) => ({ file, sha256 })),
    parameters: { ...request.parameters },
    options,
    settings: asJson(request.settings),
    terms,
    worlds,
    ...(shuffleTrades === undefined ? {} : { shuffleTrades }),
    ...(budget === undefined ? {} : { budget }),
  };
}
