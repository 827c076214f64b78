import { join } from 'node:path';
import type { z } from 'zod';
import {
  type Budget,
  type Environment,
  type LoadedStrategy,
  loadStrategy,
  type Recording,
  recordedToolkit,
  veilOf,
  withEnvFile,
} from '../../agent/index.ts';
import {
  createMask,
  type Json,
  type MaskTerms,
  maskMarket,
  maskSettings,
  type RunEvent,
  type RunOutcome,
  type RunSettings,
  type RunSettingsInput,
  readRunSettings,
  runBacktest,
  stampsOf,
  withCanary,
} from '../../engine/index.ts';
import { type FollowingJournal, type Journal, openJournal, readJournal } from '../../journal/index.ts';
import { AppError, type Fault, messageOf } from '../../kernel/index.ts';
import type { DataSource, Market } from '../../market/index.ts';
import {
  checkSameData,
  copyNameOf,
  createRunFolder,
  manifestOf,
  type RunInputs,
  type RunSummary,
  runIdFor,
  sha256OfFile,
  summaryText,
  writeBenchmark,
  writeRunFiles,
  writeRunInputs,
} from '../../reports/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import { createToolkit, needPython, type Toolkit } from '../../toolkit/index.ts';
import { allOrAllFaults } from '../all-or-all-faults.ts';
import { type FittedDetail, fitDetail, loadDetail } from '../detail.ts';
import { missingData, readFlags, runFlagsSchema, runSettings } from '../flags.ts';
import { benchmarkOfRun } from '../held-benchmark.ts';
import { onInterrupt } from '../interrupt.ts';
import { type Io, mayColour, printLine, widthOf } from '../io.ts';
import { loadWorldFiles, settleWorld, type WorldFiles } from '../load-world.ts';
import { ProgressLine } from '../progress.ts';
import { openSandbox } from '../python.ts';
import type { NamedBenchmark } from '../report-flags.ts';
import { lockRun } from '../run-lock.ts';
import {
  checkScriptsAllowed,
  eventsOfGiven,
  exportFiles,
  extraFaults,
  type ToolExtras,
  toolExtras,
} from '../tool-extras.ts';
import { ToolTimings } from '../tool-timings.ts';
import { version } from '../version.ts';
import { type OtherRecord, recordingFor } from './recording.ts';

/** `sandtable run`: a backtest from files to a run folder; gives the exit code. */
export async function runCommand(file: string, given: unknown, io: Io): Promise<number> {
  const asked = readAsked(file, given);
  return startRun({ ...asked, ...recordingFor(asked.flags) }, io);
}

/** @throws AppError `bad_flags` */
export function readAsked(file: string, given: unknown): AskedRun {
  const parameters = readPairs((given as { param?: string[] }).param ?? []);
  const flags = readFlags(runFlagsSchema, given, 'run', [
    ...missingData(given as { data?: unknown }),
    ...parameters.faults,
    ...extraFaults(given),
  ]);
  return { file, parameters: parameters.pairs, flags };
}

/** What was asked for, by a command or by the record of an earlier one. */
export interface AskedRun {
  readonly file: string;
  /** As texts. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly flags: z.infer<typeof runFlagsSchema>;
  /** Over the strategy's own budget of a run. */
  readonly budget?: Budget | undefined;
  /** Among the samples of one run, and the folder that holds them. */
  readonly sample?: { readonly number: number; readonly folder: string; readonly runId: string };
  /** Another run's record, to answer from. */
  readonly record?: OtherRecord;
}

/** A run that an earlier process began, and how this one goes over it. */
export interface EarlierRun {
  readonly folder: string;
  readonly inputs: RunInputs;
  readonly journal: FollowingJournal;
  readonly recording: Recording;
  /** Models are not asked: what is not recorded is an error. */
  readonly replayOnly: boolean;
  /** Stops the walk where the record does. */
  readonly signal?: AbortSignal;
  /** Takes the place of writing and printing a summary; gives the exit code. */
  readonly report?: (outcome: RunOutcome, error: unknown) => number;
}

/** Prepares a run and walks it; gives the exit code. */
export async function startRun(asked: AskedRun, io: Io, earlier?: EarlierRun): Promise<number> {
  const { file, flags } = asked;
  const silent = flags.quiet === true;
  const environment = withEnvFile(io.env);
  const reading = loadStrategy(file, asked.parameters, {
    environment,
    resolved: earlier?.inputs.model ?? asked.record?.model,
  });
  // Python starts while the data are read: it takes longer.
  const starting = reading.then((strategy) =>
    sandboxFor(strategy, runSettings(flags, strategy.settings).seed ?? 0, silent, io),
  );
  // A failure here is told by whoever awaits it below, or was told already by the faults of the files.
  starting.catch(() => undefined);
  try {
    const loading = loadWorldFiles(
      flags,
      reading.then((strategy) => strategy.settings),
    );
    const finer = loading.then(
      ({ market }) => loadDetail(flags.detail, flags, market.symbols),
      () => loadDetail(flags.detail, flags, []),
    );
    const [strategy, files, detail] = await allOrAllFaults(reading, loading, finer);
    if (earlier !== undefined) checkSameData(earlier.inputs, filesOf(files, detail?.sources));
    const { settings, loaded } = settleWorld(
      files,
      readRunSettings(
        earlier === undefined
          ? runSettings(flags, strategy.settings)
          : (earlier.inputs.settings as RunSettingsInput),
      ),
    );
    if (!silent) for (const note of files.notes) printLine(io.stderr, `note: ${note}`);
    // An earlier process left the benchmark in the run's folder.
    const benchmark =
      earlier === undefined ? await benchmarkOfRun(flags.benchmark, loaded, settings) : undefined;
    const fitted = fitDetail(detail, loaded.market, flags.symbol, settings.barTimes);
    const extras = toolExtras(flags, strategy.repl);
    checkScriptsAllowed(`The strategy ${strategy.name}`, strategy.tools, extras.allowScripts);
    const sandbox = await starting;
    return await execute(
      {
        file,
        asked,
        flags,
        silent,
        strategy,
        loaded,
        settings,
        extras,
        detail: fitted,
        benchmark,
        mask: maskFor(strategy, flags, loaded, settings),
        sandbox,
        environment,
        earlier,
      },
      io,
    );
  } finally {
    await starting.then((sandbox) => sandbox?.close()).catch(() => undefined);
  }
}

/** @throws AppError `bad_flags` for a strategy whose orders name what the mask hides, and for files that it does not reach */
function maskFor(
  { kind, file }: LoadedStrategy,
  flags: AskedRun['flags'],
  { market }: WorldFiles,
  { seed, slippage }: RunSettings,
): MaskTerms | undefined {
  if (flags.mask === undefined) return undefined;
  if (kind === 'order-script') {
    throw new AppError({
      code: 'bad_flags',
      message: `${file} is a list of orders by symbol and price: it means nothing behind a mask.`,
      remedy: 'Leave --mask out.',
    });
  }
  const open = ['actions', 'fx', 'detail', 'vfs'].filter((name) => flags[name as 'fx'] !== undefined);
  if (slippage?.model === 'spread' && slippage.bps === undefined) open.push('slippage-model');
  if (open.length > 0) {
    throw new AppError({
      code: 'bad_flags',
      message: `A mask does not reach what ${open.map((name) => `--${name}`).join(' and ')} brings in.`,
      remedy: 'Leave one of the two out.',
    });
  }
  return createMask(flags.mask, market, seed);
}

/** A sandbox that has begun to start, for a strategy that names a tool which needs it. */
async function sandboxFor(
  strategy: LoadedStrategy,
  seed: number,
  silent: boolean,
  io: Io,
): Promise<Sandbox | undefined> {
  if (!needPython(strategy.tools)) return undefined;
  const sandbox = await openSandbox(io, silent, { seed });
  // Awaited, and its failure told, when the run begins.
  sandbox.start().catch(() => undefined);
  return sandbox;
}

/** A run whose files are read and found good. */
interface PreparedRun {
  readonly file: string;
  readonly flags: {
    readonly out?: string | undefined;
    readonly json?: boolean | undefined;
  };
  readonly silent: boolean;
  readonly strategy: LoadedStrategy;
  readonly loaded: WorldFiles;
  /** As they are without a mask. */
  readonly settings: RunSettings;
  readonly detail: FittedDetail | undefined;
  readonly benchmark: NamedBenchmark | undefined;
  readonly extras: ToolExtras;
  readonly mask: MaskTerms | undefined;
  readonly sandbox: Sandbox | undefined;
  readonly asked: AskedRun;
  readonly environment: Environment;
  readonly earlier: EarlierRun | undefined;
}

/** Where a run is written. */
interface RunPlace {
  readonly runId: string;
  readonly folder: string;
  readonly inputs: RunInputs;
  readonly journal: Journal;
  release(): void;
}

async function execute(run: PreparedRun, io: Io): Promise<number> {
  const { strategy, loaded, extras, mask, sandbox, silent, earlier } = run;
  const settings = seenSettings(run);
  const market = seenMarket(run);
  const timings = new ToolTimings();
  const modelTimings = new ToolTimings();
  let asked = 0;
  const plain: Toolkit | undefined =
    strategy.kind !== 'llm' && strategy.tools.length === 0
      ? undefined
      : createToolkit({
          ...(sandbox === undefined ? {} : { sandbox }),
          tools: strategy.tools,
          ...(strategy.budgets === undefined ? {} : { budgets: strategy.budgets }),
          shared: extras.shared,
          onTiming: (name, ms) => timings.add(name, ms),
        });
  const answers = earlier ?? run.asked.record;
  const sample = earlier?.inputs.sample ?? run.asked.sample?.number;
  const toolkit = plain && recordedToolkit(plain, answers?.recording);
  const interrupt = onInterrupt();
  const signal =
    earlier?.signal === undefined ? interrupt.signal : AbortSignal.any([interrupt.signal, earlier.signal]);
  let place: RunPlace | undefined;
  const progress = new ProgressLine(io, silent);
  const breathe = breather();
  const clockStart = performance.now();
  try {
    const decider = strategy.createDecider(toolkit, market.clock.length, market.symbols, {
      environment: run.environment,
      signal,
      ...(sample === undefined ? {} : { sample }),
      ...(answers === undefined
        ? {}
        : {
            recording: answers.recording,
            replayOnly: answers.replayOnly,
            otherRecord: earlier === undefined,
          }),
      ...(mask === undefined ? {} : { mask: { veil: veilOf(loaded.market, mask), days: mask.days } }),
      ...(run.asked.budget === undefined ? {} : { budget: run.asked.budget }),
      onModelTiming(ms) {
        asked += 1;
        modelTimings.add('model', ms);
      },
    });
    const closed = await startSandbox(sandbox, io);
    const startedAt = new Date();
    const started = startEvent(run, settings, market.symbols);
    place = placeOf(run, startedAt, started);
    const { runId, folder, inputs, journal } = place;
    const journalFile = join(folder, 'journal.jsonl');
    journal.append(started);
    for (const event of eventsOfGiven(extras.files)) journal.append(event);
    const result = await runBacktest({
      market,
      decider,
      settings,
      ...(run.detail === undefined ? {} : { detail: run.detail.bars }),
      ...(strategy.costs === undefined ? {} : { costs: strategy.costs }),
      actions: loaded.actions,
      rates: loaded.rates,
      signal,
      onEvent: (event) => journal.append(event),
      onProgress(done) {
        progress.show(strategy.name, done, market.clock.length, 'bars');
        return breathe();
      },
    });
    journal.close();
    progress.end();
    if (earlier?.report !== undefined) return earlier.report(result.outcome, result.error);
    // A run that did not repeat itself left its journal as it was: there is nothing new to sum up.
    if (earlier?.journal.difference !== undefined) throw result.error;
    const seconds = (performance.now() - clockStart) / 1000;
    const record = readJournal(journalFile);
    exportFiles(record.fileChanges, folder);
    const versions = { sandtable: version(), node: process.versions.node, ...sandbox?.versions, ...closed };
    const summary = writeRunFiles(folder, {
      record,
      replayedExchanges:
        run.asked.record === undefined
          ? (earlier?.recording.exchanges ?? 0)
          : record.exchanges.length - asked,
      modelCutoff: run.asked.flags.modelCutoff,
      manifest: manifestOf(record, {
        runId,
        versions,
        strategyFile: run.file,
        strategySha256: strategy.sha256,
        sources: loaded.sources,
        actions: loaded.actionsSource,
        adjustments: [...loaded.adjustments, ...(run.detail?.adjustments ?? [])],
        detail: run.detail?.sources ?? [],
        journalSha256: sha256OfFile(journalFile),
        inputs,
      }),
      timing: {
        startedAt: startedAt.toISOString(),
        finishedAt: new Date().toISOString(),
        seconds,
        barsPerSecond: result.bars / Math.max(seconds, 1e-9),
        tools: timings.summary(),
        ...modelTimings.summary(),
      },
    });
    printSummary(
      summary,
      mask === undefined ? result.equity : result.equity.map((value) => value / Number(mask.priceFactor)),
      { folder, data: dataNames(loaded), json: run.flags.json === true, silent },
      io,
    );
    return outcomeCode(result.outcome, result.error, { strategy, folder, bars: result.bars }, io);
  } finally {
    interrupt.release();
    progress.end();
    place?.journal.close();
    place?.release();
  }
}

/** The earlier run's folder and journal, or new ones. */
function placeOf(run: PreparedRun, startedAt: Date, started: RunEvent): RunPlace {
  const { strategy, settings, loaded, asked, earlier } = run;
  if (earlier !== undefined) {
    const { inputs, folder, journal } = earlier;
    return { runId: inputs.runId, folder, inputs, journal, release: () => undefined };
  }
  const { runId, folder } = newFolder(run, startedAt, started);
  const lock = lockRun(folder);
  const inputs = writeRunInputs(folder, {
    runId,
    strategy: {
      file: run.file,
      sha256: strategy.sha256,
      copy: copyNameOf(run.file),
      parameters: { ...asked.parameters },
    },
    flags: withoutOutput(asked.flags),
    files: filesOf(loaded, run.detail?.sources).map(({ file, sha256 }) => ({
      file: file ?? '',
      sha256: sha256 ?? '',
    })),
    settings: settings as unknown as RunInputs['settings'],
    ...(strategy.model === undefined ? {} : { model: strategy.model }),
    ...(asked.sample === undefined ? {} : { sample: asked.sample.number }),
    ...(asked.record === undefined ? {} : { recording: asked.record.source }),
  });
  if (run.benchmark !== undefined && 'series' in run.benchmark)
    writeBenchmark(folder, run.benchmark.series, run.benchmark.sha256);
  const journal = openJournal(join(folder, 'journal.jsonl'));
  return { runId, folder, inputs, journal, release: () => lock.release() };
}

/** Every file that the run's world is made of. */
function filesOf(
  { sources, actionsSource }: WorldFiles,
  detail: readonly DataSource[] = [],
): { readonly file: string | null; readonly sha256: string | null }[] {
  return [...sources, ...(actionsSource === undefined ? [] : [actionsSource]), ...detail];
}

function newFolder({ strategy, asked, flags }: PreparedRun, startedAt: Date, started: RunEvent) {
  const { sample } = asked;
  if (sample === undefined) {
    const id = runIdFor(strategy.name, startedAt, JSON.stringify(started));
    return createRunFolder(flags.out ?? 'reports', id);
  }
  const name = `sample-${sample.number}`;
  return { ...createRunFolder(sample.folder, name), runId: `${sample.runId}-${name}` };
}

/** Flags that shape the run, without those that say where it goes and what is printed. */
function withoutOutput(given: AskedRun['flags']): RunInputs['flags'] {
  const { out: _, json: __, quiet: ___, samples: ____, concurrency: _____, ...flags } = given;
  return { ...flags, data: flags.data ?? [] } as RunInputs['flags'];
}

/** Starts Python; says so, and has the manifest say so, where this machine cannot take its descriptors away. */
async function startSandbox(sandbox: Sandbox | undefined, io: Io): Promise<Record<string, string>> {
  if (sandbox === undefined) return {};
  await sandbox.start();
  const { descriptorsClosed } = await sandbox.describe();
  if (!descriptorsClosed) {
    printLine(
      io.stderr,
      'note: this machine has no prlimit, so the sandbox is closed from inside only; see SECURITY.md.',
    );
  }
  return { sandboxDescriptors: descriptorsClosed ? 'closed' : 'open' };
}

/** Settings as they mean the same in the world that is walked. */
function seenSettings({ settings, mask }: PreparedRun): RunSettings {
  return mask === undefined ? settings : maskSettings(settings, mask);
}

/** The market that is walked: behind the mask, and for a model with bars after its last that nobody may ever see. */
function seenMarket({ strategy, loaded, detail, mask }: PreparedRun): Market {
  const market = mask === undefined ? loaded.market : maskMarket(loaded.market, mask);
  // Actions, rates and finer bars are held against the bars: they must not meet any that are made up.
  const bare = loaded.actions.length === 0 && loaded.rates.length === 0 && detail === undefined;
  return strategy.kind === 'llm' && bare ? withCanary(market) : market;
}

function startEvent(
  { strategy, loaded, detail, extras, mask }: PreparedRun,
  settings: RunSettings,
  symbols: readonly string[],
): RunEvent {
  const stamps = stampsOf(settings, strategy.costs);
  const hashes = (sources: readonly DataSource[]) =>
    sources.map((source) => ({ sha256: source.sha256, symbols: source.symbols }));
  const { clock } = loaded.market;
  return {
    type: 'run_started',
    schema: 1,
    strategy: { name: strategy.name, kind: strategy.kind, parameters: strategy.parameters },
    // What a decision may build on is part of what makes the run what it is.
    settings: {
      ...(settings as unknown as Readonly<Record<string, Json>>),
      ...(extras.repl === 'run' ? { repl: extras.repl } : {}),
    },
    symbols,
    bars: clock.length,
    data: [
      ...hashes(loaded.sources),
      ...(loaded.actionsSource === undefined
        ? []
        : [{ sha256: loaded.actionsSource.sha256, actions: loaded.actionsSource.actions }]),
    ],
    ...(detail === undefined ? {} : { detail: hashes(detail.sources) }),
    ...(stamps.length === 0 ? {} : { stamps }),
    sealed: !extras.allowScripts,
    ...(extras.given === undefined ? {} : { files: extras.given }),
    ...(mask === undefined ? {} : { mask }),
  };
}

/** Milliseconds a run may keep the event loop to itself: a Ctrl-C must be heard. */
const BREATH = 50;

function breather(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < BREATH) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        last = performance.now();
        resolve();
      });
    });
  };
}

function readPairs(texts: readonly string[]): { pairs: Record<string, string>; faults: Fault[] } {
  const pairs: Record<string, string> = {};
  const faults: Fault[] = [];
  for (const text of texts) {
    const [name = '', ...rest] = text.split('=');
    if (name === '' || rest.length === 0)
      faults.push({ where: '--param', message: `"${text}" is not name=value` });
    else pairs[name] = rest.join('=');
  }
  return { pairs, faults };
}

function dataNames({ sources }: WorldFiles): string {
  const names = sources.map((source) => source.file);
  return names.length <= 2 ? names.join(', ') : `${names[0]} and ${names.length - 1} more`;
}

function printSummary(
  summary: RunSummary,
  equity: Float64Array,
  shown: { folder: string; data: string; json: boolean; silent: boolean },
  io: Io,
): void {
  if (shown.json) {
    printLine(io.stdout, JSON.stringify(summary, null, 2));
  } else if (!shown.silent) {
    const style = {
      width: widthOf(io.stdout),
      colour: mayColour(io.stdout, io.env),
      ascii: io.env.TERM === 'dumb',
    };
    printLine(io.stdout, summaryText(summary, { ...style, equity, data: shown.data, folder: shown.folder }));
  }
}

function outcomeCode(
  outcome: RunOutcome,
  error: unknown,
  run: { strategy: LoadedStrategy; folder: string; bars: number },
  io: Io,
): number {
  if (outcome === 'completed') return 0;
  const kept = `What was done is in ${run.folder}.`;
  if (outcome === 'interrupted') {
    printLine(io.stderr, `Stopped after bar ${run.bars - 1} as you asked. ${kept}`);
  } else if (outcome === 'stopped' || outcome === 'budget_exhausted') {
    printLine(io.stderr, `${messageOf(error)} ${kept}`);
    const more = outcome === 'stopped' ? '' : ' --budget LIMIT=MORE';
    printLine(io.stderr, `  Go on with: npx sandtable resume ${run.folder}${more}`);
    if (error instanceof AppError) printLine(io.stderr, `  ${error.remedy}`);
  } else if (error instanceof AppError) {
    printLine(io.stderr, `error: ${error.message}\n  ${error.remedy}\n  ${kept}`);
  } else {
    printLine(
      io.stderr,
      `error: ${run.strategy.file} failed at bar ${run.bars}: ${messageOf(error)}${placeIn(error, run.strategy.file)}`,
    );
    printLine(io.stderr, `  Mend the strategy. ${kept}`);
  }
  return 1;
}

/** ` (file:line)` of the strategy's own frame, where the error has one. */
function placeIn(error: unknown, file: string): string {
  const name = file.split(/[\\/]/).at(-1) ?? file;
  const frame =
    error instanceof Error ? error.stack?.split('\n').find((line) => line.includes(name)) : undefined;
  const line = frame === undefined ? null : /:(\d+):\d+\)?$/.exec(frame.trim());
  return line === null ? '' : ` (${file}:${line[1]})`;
}
