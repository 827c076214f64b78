import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Decider, isResult } from '../engine/index.ts';
import { readJournal } from '../journal/index.ts';
import { AppError } from '../kernel/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { RunContext, RunObserver } from './context.ts';
import { deciderOf, type RunTimings, watchedDecider } from './decider-of.ts';
import { type ExecutedRun, executeRun, type RunEnd } from './execute-run.ts';
import { FEED_FILE } from './forward/feed-log.ts';
import type { ForwardFeed } from './forward/forward-feed.ts';
import { buildMarketView } from './inputs/market-view.ts';
import { placeOf, type RunPlace } from './run-place.ts';
import type { PreparedRun } from './run-request.ts';
import { startOfStrategy } from './start-event.ts';
import { ToolTimings } from './tool-extras.ts';
import { writeArtifacts } from './write-artifacts.ts';

/**
 * Executes a prepared run and writes its folder. Returns `undefined` if the run was only compared with its
 * record (a replay), because no files are written then.
 */
export async function runPrepared(run: PreparedRun, context: RunContext): Promise<RunEnd | undefined> {
  const { strategy, extras, sandbox, earlier, watch } = run;
  const { observer } = context;
  const {
    market,
    settings,
    rates,
    actions,
    features = [],
    context: beside = [],
    pointInTime,
    interestClock,
    detail,
    costs,
  } = buildMarketView(run);
  const tools = new ToolTimings();
  const timings: RunTimings = { tools, model: new ToolTimings(tools) };
  const interrupt = context.listen();
  const signal =
    earlier?.signal === undefined ? interrupt.signal : AbortSignal.any([interrupt.signal, earlier.signal]);
  const breathe = breather();
  let place: RunPlace | undefined;
  try {
    // The strategy's code creates its state here, so the watch must be active.
    watch?.loading();
    // Checks run in the background only if the run can be repeated. A resumed or replayed run cannot, because
    // it is compared with its record while it runs. A forward run cannot, because the bars of a feed arrive
    // only once.
    const isRepeatable = earlier === undefined && run.feed === undefined;
    let check: Promise<Decider | undefined> | undefined;
    const decider = deciderOf(run, market, signal, timings, () => place?.runId, {
      warn: (text) => observer.warn(text),
      ...(isRepeatable
        ? {
            inBackground: (running: Promise<Decider | undefined>) => {
              check = running;
            },
          }
        : {}),
    });
    watch?.loaded();
    const closed = await startSandbox(sandbox, observer);
    const startedAt = new Date();
    const started = startOfStrategy(run, settings, market.symbols);
    const written = placeOf(run, startedAt, started);
    place = written;
    const conclude = (executed: ExecutedRun): RunEnd | undefined => {
      observer.progressEnd();
      return concludeRun(run, executed, written, { timings, closed, observer });
    };
    watch?.onBlocked(() => written.journal.flush());
    if (run.feed !== undefined) openFeed(run.feed, run, written, signal, observer);
    const executed = await executeRun({
      startedAt,
      journal: written.journal,
      started,
      onStart: (giveUp) =>
        watch?.onEnd((error, outcome) => {
          conclude(giveUp(error, outcome));
          written.release();
        }),
      files: extras.files,
      ...(isRepeatable ? { confirm: async () => check } : {}),
      wording: strategy.wording,
      // Two kinds of runs store no record in memory. A run that is only compared with its record does not
      // need a new one. A forward run may last months and fill the memory, so its record is read from the
      // journal at the end.
      keepsRecord: earlier?.compared === undefined && run.feed === undefined,
      backtest: {
        market,
        decider: watch === undefined ? decider : watchedDecider(decider, watch),
        settings,
        ...(detail === undefined ? {} : { detail }),
        ...(costs === undefined ? {} : { costs }),
        actions,
        rates,
        features,
        context: beside,
        pointInTime,
        interestClock,
        arrivals: extras.arrivals,
        feed: run.feed,
        signal,
        onProgress(done) {
          if (market.growing !== true) observer.progress(strategy.name, done, market.clock.length, 'bars');
          return breathe();
        },
      },
    });
    // Ends the watch. Later actions of the strategy then have no effect on the run and its output.
    watch?.release();
    const end = conclude(executed);
    const failed = end === undefined ? leftItsRecord(earlier) : !isResult(end.outcome);
    // Sets a minimum for the exit code, because the strategy may have set a lower one.
    watch?.release(failed ? 1 : 0);
    return end;
  } finally {
    interrupt.release();
    run.feed?.close();
    observer.progressEnd();
    place?.journal.close();
    place?.release();
  }
}

/** Returns the note for a warm-up that leaves no bar for trading. */
export function warmUpNote(warmUp: number, bars: number): string {
  return `The warm-up of ${warmUp} bars uses all ${bars} bars of the data, so no bar remains for orders. Lower warm_up (warmUpBars in TypeScript), or use more data.`;
}

/**
 * Starts to receive bars. A run on recorded bars copies the record of the feed to its own folder, so that the
 * folder is complete.
 */
function openFeed(
  feed: ForwardFeed,
  { request, earlier, registration }: PreparedRun,
  { folder, journal }: RunPlace,
  signal: AbortSignal,
  observer: RunObserver,
): void {
  const { recorded, feed: name = '' } = request.options;
  if (recorded !== undefined && earlier === undefined)
    copyFileSync(join(recorded, FEED_FILE), join(folder, FEED_FILE));
  feed.open(folder, () => journal.flush(), signal, registration?.writtenAt);
  if (recorded === undefined && earlier?.replayOnly !== true)
    observer.note(
      `forward run in ${folder}: bars from ${name}. Stop it with: npx sandtable forward stop ${folder}`,
    );
}

function leftItsRecord(earlier: PreparedRun['earlier']): boolean {
  if (earlier === undefined) return false;
  const { difference, matched, lines } = earlier.journal;
  return difference !== undefined || matched < lines;
}

/**
 * Calls `write`. If the journal has failed with `error`, for example because of a full disk, throws this
 * error instead of an error of `write`.
 */
function writtenFirst<Written>(error: unknown, write: () => Written): Written {
  try {
    return write();
  } catch (next) {
    throw error instanceof AppError && error.code === 'journal_unwritable' ? error : next;
  }
}

/** Writes a finished run's files and reports its outcome. */
function concludeRun(
  run: PreparedRun,
  executed: ExecutedRun,
  place: RunPlace,
  known: {
    readonly timings: RunTimings;
    readonly closed: Readonly<Record<string, string>>;
    readonly observer: RunObserver;
  },
): RunEnd | undefined {
  const { timings, closed, observer } = known;
  const { strategy, loaded, sandbox, earlier, request } = run;
  const { result } = executed;
  if (earlier?.compared !== undefined) {
    earlier.compared(result.outcome, result.error);
    return undefined;
  }
  // If a replay differs from its record, the journal stays unchanged. The difference is reported as an error,
  // and no new summary is written.
  if (earlier?.journal.difference !== undefined) throw result.error;
  const fromFile = typeof request.strategy === 'string';
  const { summary, benchmarkEquity } = writtenFirst(result.error, () =>
    writeArtifacts(place, executed, {
      loaded,
      detail: run.detail,
      ...(fromFile
        ? { strategy: { file: strategy.file, sha256: strategy.sha256, files: strategy.files } }
        : {}),
      inputs: place.inputs,
      project: run.request.options.project,
      versions: {
        ...sandbox?.versions,
        ...closed,
        ...(strategy.sealedDescriptors === undefined
          ? {}
          : { strategyDescriptors: strategy.sealedDescriptors }),
      },
      // The record of another run may answer only some of the requests. All exchanges that this process did
      // not send came from that record.
      replayedExchanges: ({ exchanges }) =>
        request.record === undefined
          ? (earlier?.recording.exchanges ?? 0)
          : exchanges.length - timings.model.count('model'),
      modelCutoff: request.options.modelCutoff,
      warn: (text) => observer.warn(text),
      onStep: (done, total) => observer.progress('writing the report', done, total, 'steps'),
      timings: {
        tools: timings.tools.summary(),
        ...timings.model.summary(),
        ...timings.tools.decisions(),
      },
    }),
  );
  observer.progressEnd();
  if (strategy.kind === 'llm' && summary.activity.decisions === 0)
    observer.note('no bar was due for a decision. Check schedule, warm_up_bars and decision_start.');
  if (strategy.kind === 'agent' && summary.activity.decisions === 0)
    observer.note('no bar was due for a decision. Check --agent-every and --agent-warm-up.');
  if (typeof strategy.warmUp === 'number' && strategy.warmUp >= loaded.market.clock.length)
    observer.warn(warmUpNote(strategy.warmUp, loaded.market.clock.length));
  const end: RunEnd = {
    outcome: result.outcome,
    error: result.error,
    folder: place.folder,
    summary,
    record: () => executed.record() ?? readJournal(join(place.folder, 'journal.jsonl')),
    bars: result.bars,
    equity: result.equity,
    benchmarkEquity,
    dataFiles: loaded.sources.map(({ file }) => file),
    strategyFile: fromFile ? strategy.file : null,
    strategy: { kind: strategy.kind, parameters: strategy.parameters },
  };
  observer.ended(end);
  return end;
}

/**
 * Starts Python. Returns an entry for the manifest that states whether the Python process can open further
 * files. Warns if the machine has no `prlimit`, the program that prevents the process from opening files.
 */
export async function startSandbox(
  sandbox: Sandbox | undefined,
  observer: RunObserver,
): Promise<Record<string, string>> {
  if (sandbox === undefined) return {};
  await sandbox.start();
  const { descriptorsClosed } = await sandbox.describe();
  if (!descriptorsClosed)
    observer.warn(
      'this machine has no prlimit, so the sandbox has no limits from outside its process. See SECURITY.md.',
    );
  return { sandboxDescriptors: descriptorsClosed ? 'closed' : 'open' };
}

/**
 * Maximum number of milliseconds for which a run blocks the event loop. Short enough to handle Ctrl-C without
 * a noticeable delay.
 */
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
