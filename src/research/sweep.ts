import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RULE_TIMEOUT_SECONDS } from '../agent/index.ts';
import { AppError, formatInstant, parseInstant, version } from '../kernel/index.ts';
import { sweepPage } from '../pages/index.ts';
import { lockRun, runRequested, SILENT } from '../runner/index.ts';
import {
  appendLedger,
  createRunFolder,
  jsonText,
  type Look,
  readLedger,
  runIdFor,
  SWEEP_FILE,
  SWEEP_PAGE,
  SWEEP_TRIALS,
  type SweepResult,
  searchKey,
  type TrialColumn,
  writeTrialRows,
  writeWhole,
} from '../runs/index.ts';
import { assembleSweep, looksOfTrials, topOf } from './assemble.ts';
import { timeBlocks } from './blocks-of-time.ts';
import type { TrialExecutor } from './executor.ts';
import { FIGURE_NAMES, figureType } from './figures.ts';
import { InProcess } from './in-process.ts';
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
import type { SweepContext, SweepRequest } from './sweep-request.ts';
import type { Period, Trial } from './trial.ts';
import { type SearchEnd, TrialRunner } from './trial-runner.ts';
import { walkForward } from './walk-forward.ts';
import { WorkerPool } from './workers/pool.ts';
import { sharedFiles } from './workers/share.ts';

/** How often a sweep looks whether it was asked to stop, in milliseconds. */
const LOOK = 250;
/** And how often what has come since goes into the ledger. */
const LEDGER_EVERY = 2_000;

/** What a sweep came to. */
export interface SweepEnd {
  readonly folder: string;
  readonly sweepId: string;
  /** Undefined for one that was stopped before its end. */
  readonly result: SweepResult | undefined;
  readonly seconds: number;
  /** The run folder of the best, where it was kept. */
  readonly bestFolder: string | undefined;
}

/**
 * Runs a sweep and writes its folder.
 *
 * @throws AppError with every fault of the request, the strategy and the data
 */
export async function runSweep(request: SweepRequest, context: SweepContext): Promise<SweepEnd> {
  const started = performance.now();
  const prepared = await prepareSweep(request, context);
  const key = JSON.stringify([prepared.ground, request.parameters, request.search, request.objective]);
  const out = request.options.out ?? 'reports';
  const { runId, folder } = createRunFolder(
    out,
    runIdFor(`sweep-${prepared.strategy.name}`, new Date(), key),
  );
  writeSweepManifest(folder, manifestOf(prepared, runId));
  return sweepIn(folder, runId, prepared, context, started);
}

/**
 * Goes on with a sweep that was stopped or killed: no finished trial is run again.
 *
 * @throws AppError `not_a_sweep`, `sweep_changed` where the strategy or the data are others now
 */
export async function resumeSweep(
  folder: string,
  context: SweepContext,
  change: Pick<SweepRequest, 'jobs'> = {},
): Promise<SweepEnd> {
  const started = performance.now();
  const manifest = readSweepManifest(folder);
  const { request } = manifest;
  if (typeof request.strategy !== 'string')
    throw new AppError({
      code: 'not_a_sweep',
      message: `The strategy of ${folder} was given in code.`,
      hint: 'Run the sweep again from the program that has it.',
    });
  const prepared = await prepareSweep({ ...(request as unknown as SweepRequest), ...change }, context);
  const now = manifestOf(prepared, manifest.sweepId);
  const changed = [
    ...(now.strategy.sha256 === manifest.strategy.sha256 ? [] : [`the strategy ${now.strategy.file}`]),
    ...(JSON.stringify(now.data.map(({ sha256 }) => sha256)) ===
    JSON.stringify(manifest.data.map(({ sha256 }) => sha256))
      ? []
      : ['the data']),
  ];
  if (changed.length > 0)
    throw new AppError({
      code: 'sweep_changed',
      message: `${folder} cannot go on: ${changed.join(' and ')} changed since it began.`,
      hint: 'Put back what changed, or begin a new sweep.',
    });
  return sweepIn(folder, manifest.sweepId, prepared, context, started);
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
    versions: { sandtable: version(), node: process.versions.node },
  };
}

async function sweepIn(
  folder: string,
  sweepId: string,
  prepared: PreparedSweep,
  context: SweepContext,
  started: number,
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
    const writer = new LookWriter(folder, prepared, journal);
    executor = await executorOf(prepared, context, () => journal.flush());
    const size = Math.min(
      sizeOf(prepared.space),
      prepared.request.trials ?? (prepared.name === 'grid' ? Number.POSITIVE_INFINITY : 100),
    );
    const runner = new TrialRunner(prepared, executor, journal, {
      signal,
      onDone: (done) =>
        context.observer.progress(prepared.strategy.name, done, Math.max(size, done), 'trials'),
    });
    writing = setInterval(() => writer.write(runner.trials), LEDGER_EVERY);
    const end = await runAll(prepared, runner);
    clearInterval(writing);
    journal.flush();
    context.observer.progressEnd();
    const looks = writer.all(runner.trials);
    if (end === undefined)
      return { folder, sweepId, result: undefined, seconds: secondsSince(started), bestFolder: undefined };
    const result = assembleSweep({ ...end, ...looks });
    await writeTrialRows(join(folder, SWEEP_TRIALS), ...rowsOf(prepared, end.end));
    const bestFolder = await keepRuns(folder, prepared, end.end, context);
    writeTimings(folder, end.end, secondsSince(started));
    writeWhole(
      join(folder, SWEEP_PAGE),
      sweepPage(result, end.end.tried.filter(({ share }) => share === 1).map(topOf)),
    );
    writeWhole(join(folder, SWEEP_FILE), jsonText(result));
    return { folder, sweepId, result, seconds: secondsSince(started), bestFolder };
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

async function executorOf(
  prepared: PreparedSweep,
  context: SweepContext,
  flush: () => void,
): Promise<TrialExecutor> {
  const { request, bundle, files, world, first, settings, jobs } = prepared;
  const { strategy } = request;
  if (typeof strategy !== 'string') return new InProcess(world);
  const start = {
    strategy,
    bundle,
    parameters: first,
    options: request.options,
    settings: request.settings,
    files: sharedFiles(files),
    environment: { ...context.environment },
    pythonLimits: context.pythonLimits === undefined ? undefined : { ...context.pythonLimits },
  };
  const seconds = settings.decisionTimeout ?? RULE_TIMEOUT_SECONDS;
  const ground = { start, jobs, seconds };
  if (context.executor !== undefined) return context.executor(ground);
  if (request.cluster !== undefined) {
    const { openCluster } = await import('./cluster/queue-executor.ts');
    return openCluster(request.cluster, ground, flush, (text) => context.observer.warn(text));
  }
  return new WorkerPool(start, jobs, seconds);
}

async function runAll(prepared: PreparedSweep, runner: TrialRunner) {
  const { period, walkForward: terms, crossValidation } = prepared;
  const blocks = timeBlocks(prepared, crossValidation);
  const cutPeriod = partOf(prepared);
  const end = await runner.search(period, { edges: blocks.edges }, cutPeriod);
  if (end === undefined) return undefined;
  const forward = terms === undefined ? null : await walkForward(prepared, terms, runner, cutPeriod);
  if (forward === undefined) return undefined;
  const again =
    end.best === undefined
      ? []
      : await runner.run([{ trial: end.best.trial, edges: blocks.edges, summary: true }]);
  if (again === undefined) return undefined;
  return { prepared, end, best: again[0], blocks, walkForward: forward };
}

/** The first part of a period, by its share of the bars that count. */
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

/** Writes looks at the data into the ledger of the results folder, each once. */
class LookWriter {
  readonly #store: string;
  readonly #prepared: PreparedSweep;
  readonly #journal: SweepJournal;
  readonly #before: readonly Look[];
  readonly #known: Set<string>;

  constructor(folder: string, prepared: PreparedSweep, journal: SweepJournal) {
    this.#store = resolve(folder, '..');
    this.#prepared = prepared;
    this.#journal = journal;
    this.#before = readLedger(this.#store);
    this.#known = new Set(this.#before.map(({ id }) => id));
    const { holdoutFrom } = prepared;
    if (holdoutFrom !== undefined) appendLedger(this.#store, [holdoutLook(prepared, holdoutFrom)]);
  }

  /** Those of trials that have come to something since. */
  write(trials: readonly Trial[]): Look[] {
    const prepared = this.#prepared;
    const { market, sources } = prepared.files;
    const fresh = trials.flatMap((trial) => {
      if (this.#known.has(trial.id)) return [];
      const result = this.#journal.get(trial.id);
      return result === undefined ? [] : [{ trial, result }];
    });
    const looks = looksOfTrials(
      prepared,
      fresh,
      (figures) =>
        searchKey({
          strategy: prepared.strategy,
          symbols: market.symbols,
          bars: market.clock.length,
          firstBar: textOf(figures.firstBar),
          lastBar: textOf(figures.lastBar),
          sources,
        }),
      (parameters) => pointOf(prepared, parameters),
    );
    appendLedger(this.#store, looks);
    for (const { id } of looks) this.#known.add(id);
    return looks;
  }

  /** The looks of these trials, and those of others before this sweep. */
  all(trials: readonly Trial[]): { readonly earlier: readonly Look[]; readonly own: readonly Look[] } {
    this.write(trials);
    const ids = new Set(trials.map(({ id }) => id));
    const now = readLedger(this.#store);
    const own = new Map(now.filter(({ id }) => ids.has(id)).map((look) => [look.id, look]));
    return { own: [...own.values()], earlier: this.#before.filter(({ id }) => !ids.has(id)) };
  }
}

function holdoutLook(prepared: PreparedSweep, from: string): Look {
  return {
    kind: 'holdout',
    at: new Date().toISOString(),
    strategy: prepared.strategy.name,
    data: prepared.sources.map(({ sha256 }) => sha256),
    id: `holdout-${from}`,
    point: '',
    search: null,
    from,
    to: null,
    sharpe: null,
    result: null,
  };
}

function pointOf({ ground }: PreparedSweep, parameters: Trial['parameters']): string {
  const content = JSON.stringify([ground.strategy, Object.entries(parameters).sort(), ground.settings]);
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Rows of `trials.parquet`, in the order the search chose the trials. */
function rowsOf(
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

function writeTimings(folder: string, { tried }: SearchEnd, seconds: number): void {
  const trials = Object.fromEntries(tried.map(({ trial, result }) => [trial.id, result.seconds]));
  writeWhole(join(folder, 'timings.json'), jsonText({ seconds, trials }));
}

/** Writes the run folders that are to be kept; gives that of the best. */
async function keepRuns(
  folder: string,
  prepared: PreparedSweep,
  { tried, best }: SearchEnd,
  context: SweepContext,
): Promise<string | undefined> {
  const { request, period, holdoutFrom, files } = prepared;
  const { keep = 'best', strategy } = request;
  if (keep === 'none') return undefined;
  const wanted = keep === 'all' ? tried.filter(({ share }) => share === 1) : best === undefined ? [] : [best];
  const out = join(folder, 'runs');
  mkdirSync(out, { recursive: true });
  let bestFolder: string | undefined;
  for (const one of wanted) {
    const run = await runRequested(
      {
        strategy,
        parameters: one.trial.parameters,
        options: { ...request.options, out, ...(holdoutFrom === undefined ? {} : { to: period.to }) },
        settings: {
          ...request.settings,
          ...(period.evaluateFrom === undefined ? {} : { evaluateFrom: period.evaluateFrom }),
        },
        ...(request.market === undefined ? {} : { market: files.market }),
      },
      {
        ...context,
        observer: SILENT,
        listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
      },
    );
    if (one === best) bestFolder = run?.folder;
  }
  return bestFolder;
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
}
