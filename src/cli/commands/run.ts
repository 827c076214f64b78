import { join } from 'node:path';
import { type LoadedStrategy, loadStrategy } from '../../agent/index.ts';
import { type Json, type RunEvent, type RunSettings, runBacktest, stampsOf } from '../../engine/index.ts';
import { openJournal, readJournal } from '../../journal/index.ts';
import { AppError, type Fault, messageOf } from '../../kernel/index.ts';
import type { DataSource } from '../../market/index.ts';
import {
  createRunFolder,
  manifestOf,
  type RunSummary,
  runIdFor,
  sha256OfFile,
  summaryText,
  writeRunFiles,
} from '../../reports/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import { createToolkit, type Toolkit } from '../../toolkit/index.ts';
import { allOrAllFaults } from '../all-or-all-faults.ts';
import { type FittedDetail, fitDetail, loadDetail } from '../detail.ts';
import { missingData, readFlags, runFlagsSchema, runSettings } from '../flags.ts';
import { onInterrupt } from '../interrupt.ts';
import { type Io, mayColour, printLine, widthOf } from '../io.ts';
import { loadWorldFiles, settleWorld, type WorldFiles } from '../load-world.ts';
import { ProgressLine } from '../progress.ts';
import { openSandbox } from '../python.ts';
import { ToolTimings } from '../tool-timings.ts';
import { version } from '../version.ts';

/** `sandtable run`: a backtest from files to a run folder; gives the exit code. */
export async function runCommand(file: string, given: unknown, io: Io): Promise<number> {
  const parameters = readPairs((given as { param?: string[] }).param ?? []);
  const flags = readFlags(runFlagsSchema, given, 'run', [
    ...missingData(given as { data?: unknown }),
    ...parameters.faults,
  ]);
  const silent = flags.quiet === true;
  const reading = loadStrategy(file, parameters.pairs);
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
    const { settings, loaded } = settleWorld(files, flags, strategy.settings);
    if (!silent) for (const note of files.notes) printLine(io.stderr, `note: ${note}`);
    const fitted = fitDetail(detail, loaded.market, flags.symbol, settings.barTimes);
    const prepared = { file, flags, silent, strategy, loaded, settings, detail: fitted };
    return await execute({ ...prepared, sandbox: await starting }, io);
  } finally {
    await starting.then((sandbox) => sandbox?.close()).catch(() => undefined);
  }
}

/** A sandbox that has begun to start, for a strategy that names a tool. */
async function sandboxFor(
  strategy: LoadedStrategy,
  seed: number,
  silent: boolean,
  io: Io,
): Promise<Sandbox | undefined> {
  if (strategy.tools.length === 0) return undefined;
  const sandbox = await openSandbox(io, silent, { seed });
  // Awaited, and its failure told, when the run begins.
  sandbox.start().catch(() => undefined);
  return sandbox;
}

/** A run whose files are read and found good. */
interface PreparedRun {
  readonly file: string;
  readonly flags: { readonly out?: string | undefined; readonly json?: boolean | undefined };
  readonly silent: boolean;
  readonly strategy: LoadedStrategy;
  readonly loaded: WorldFiles;
  readonly settings: RunSettings;
  readonly detail: FittedDetail | undefined;
  readonly sandbox: Sandbox | undefined;
}

async function execute(run: PreparedRun, io: Io): Promise<number> {
  const { strategy, loaded, settings, sandbox, silent } = run;
  const { market } = loaded;
  const timings = new ToolTimings();
  const toolkit: Toolkit | undefined =
    sandbox &&
    createToolkit({ sandbox, tools: strategy.tools, onTiming: (name, ms) => timings.add(name, ms) });
  const decider = strategy.createDecider(toolkit, market.clock.length, market.symbols);
  const closed = await startSandbox(sandbox, io);

  const startedAt = new Date();
  const started = startEvent(run);
  const { runId, folder } = createRunFolder(
    run.flags.out ?? 'reports',
    runIdFor(strategy.name, startedAt, JSON.stringify(started)),
  );
  const journalFile = join(folder, 'journal.jsonl');
  const journal = openJournal(journalFile);
  const interrupt = onInterrupt();
  const progress = new ProgressLine(io, silent);
  const breathe = breather();
  const clockStart = performance.now();
  try {
    journal.append(started);
    const result = await runBacktest({
      market,
      decider,
      settings,
      ...(run.detail === undefined ? {} : { detail: run.detail.bars }),
      ...(strategy.costs === undefined ? {} : { costs: strategy.costs }),
      actions: loaded.actions,
      rates: loaded.rates,
      signal: interrupt.signal,
      onEvent: (event) => journal.append(event),
      onProgress(done) {
        progress.show(strategy.name, done, market.clock.length, 'bars');
        return breathe();
      },
    });
    journal.close();
    progress.end();
    const seconds = (performance.now() - clockStart) / 1000;
    const record = readJournal(journalFile);
    const versions = { sandtable: version(), node: process.versions.node, ...sandbox?.versions, ...closed };
    const summary = writeRunFiles(folder, {
      record,
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
      }),
      timing: {
        startedAt: startedAt.toISOString(),
        finishedAt: new Date().toISOString(),
        seconds,
        barsPerSecond: result.bars / Math.max(seconds, 1e-9),
        tools: timings.summary(),
      },
    });
    printSummary(
      summary,
      result.equity,
      { folder, data: dataNames(loaded), json: run.flags.json === true, silent },
      io,
    );
    return outcomeCode(result.outcome, result.error, { strategy, folder, bars: result.bars }, io);
  } finally {
    interrupt.release();
    progress.end();
    journal.close();
  }
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

function startEvent({ strategy, settings, loaded, detail }: PreparedRun): RunEvent {
  const stamps = stampsOf(settings, strategy.costs);
  const hashes = (sources: readonly DataSource[]) =>
    sources.map((source) => ({ sha256: source.sha256, symbols: source.symbols }));
  const { symbols, clock } = loaded.market;
  return {
    type: 'run_started',
    schema: 1,
    strategy: { name: strategy.name, kind: strategy.kind, parameters: strategy.parameters },
    settings: settings as unknown as Json,
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
    sealed: true,
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
  outcome: 'completed' | 'interrupted' | 'failed',
  error: unknown,
  run: { strategy: LoadedStrategy; folder: string; bars: number },
  io: Io,
): number {
  if (outcome === 'completed') return 0;
  const kept = `What was done is in ${run.folder}.`;
  if (outcome === 'interrupted') {
    printLine(io.stderr, `Stopped after bar ${run.bars - 1} as you asked. ${kept}`);
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
