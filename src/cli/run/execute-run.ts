import { recordedToolkit } from '../../agent/index.ts';
import { type Decider, firstAskedBar } from '../../engine/index.ts';
import type { Market } from '../../market/index.ts';
import { veilOf } from '../../masking/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import { createToolkit, type Toolkit } from '../../toolkit/index.ts';
import { onInterrupt } from '../interrupt.ts';
import { type Io, printLine } from '../io.ts';
import { ProgressLine } from '../progress.ts';
import { ToolTimings } from '../tool-timings.ts';
import type { PreparedRun } from './asked-run.ts';
import { placeOf, type RunPlace } from './run-place.ts';
import { seenWorld } from './seen-world.ts';
import { startEvent } from './start-event.ts';
import { dataNames, outcomeCode, printSummary } from './tell-outcome.ts';
import { settleRun, type WalkedRun, walkRun } from './walk-run.ts';
import { watchedDecider } from './watched-decider.ts';

/** Walks a run whose files are good, and writes and tells how it came out; gives the exit code. */
export async function executeRun(run: PreparedRun, io: Io): Promise<number> {
  const { strategy, extras, sandbox, silent, earlier, watch } = run;
  const { market, settings, rates, actions, detail, costs } = seenWorld(run);
  const timings: RunTimings = { tools: new ToolTimings(), model: new ToolTimings() };
  const interrupt = onInterrupt(io.guard, () => {
    printLine(io.stderr, 'Stopping when the decision under way has ended; Ctrl-C again ends it at once.');
  });
  const signal =
    earlier?.signal === undefined ? interrupt.signal : AbortSignal.any([interrupt.signal, earlier.signal]);
  const progress = new ProgressLine(io, silent);
  const breathe = breather();
  let place: RunPlace | undefined;
  try {
    // A strategy's `state` runs here.
    watch?.loading();
    const decider = deciderOf(run, market, signal, timings);
    watch?.loaded();
    const closed = await startSandbox(sandbox, io);
    const startedAt = new Date();
    const started = startEvent(run, settings, market.symbols);
    const written = placeOf(run, startedAt, started);
    place = written;
    const conclude = (walked: WalkedRun): number => {
      progress.end();
      return tellRun(run, walked, written, { timings, closed }, io);
    };
    watch?.onBlocked(() => written.journal.flush());
    const walked = await walkRun({
      startedAt,
      journal: written.journal,
      started,
      onStart: (giveUp) =>
        watch?.onEnd((error, outcome) => {
          conclude(giveUp(error, outcome));
          written.release();
        }),
      files: extras.files,
      backtest: {
        market,
        decider: watch === undefined ? decider : watchedDecider(decider, watch),
        settings,
        ...(detail === undefined ? {} : { detail }),
        ...(costs === undefined ? {} : { costs }),
        actions,
        rates,
        signal,
        onProgress(done) {
          progress.show(strategy.name, done, market.clock.length, 'bars');
          return breathe();
        },
      },
    });
    // What the strategy still does is no part of the run, nor of what is printed.
    watch?.release();
    const code = conclude(walked);
    watch?.release(code);
    return code;
  } finally {
    interrupt.release();
    progress.end();
    place?.journal.close();
    place?.release();
  }
}

/** Writes a walked run's files, and tells how it came out; gives the exit code. */
function tellRun(
  run: PreparedRun,
  walked: WalkedRun,
  place: RunPlace,
  known: { readonly timings: RunTimings; readonly closed: Readonly<Record<string, string>> },
  io: Io,
): number {
  const { timings, closed } = known;
  const { strategy, loaded, mask, sandbox, silent, earlier, asked } = run;
  const { result } = walked;
  if (earlier?.report !== undefined) return earlier.report(result.outcome, result.error);
  // A run that did not repeat itself left its journal as it was: there is nothing new to sum up.
  if (earlier?.journal.difference !== undefined) throw result.error;
  const summary = settleRun(place, walked, {
    loaded,
    detail: run.detail,
    strategy: { file: asked.file, sha256: strategy.sha256, files: strategy.files },
    inputs: place.inputs,
    versions: {
      ...sandbox?.versions,
      ...closed,
      ...(strategy.sealedDescriptors === undefined
        ? {}
        : { strategyDescriptors: strategy.sealedDescriptors }),
    },
    // A record of another run is used in parts: what this process did not ask for came from it.
    replayedExchanges: ({ exchanges }) =>
      asked.record === undefined
        ? (earlier?.recording.exchanges ?? 0)
        : exchanges.length - timings.model.count('model'),
    modelCutoff: asked.flags.modelCutoff,
    timings: { tools: timings.tools.summary(), ...timings.model.summary() },
  });
  const { folder } = place;
  asked.onSettled?.({ folder, summary });
  if (strategy.kind === 'llm' && summary.activity.decisions === 0 && !silent)
    printLine(io.stderr, 'note: no bar was due a decision: see schedule, warm_up_bars and decision_start.');
  if (typeof strategy.warmUp === 'number' && strategy.warmUp >= loaded.market.clock.length && !silent)
    printLine(
      io.stderr,
      `note: ${strategy.name} was asked at no bar: all ${loaded.market.clock.length} of the data are its warm-up.`,
    );
  printSummary(
    summary,
    mask === undefined ? result.equity : result.equity.map((value) => value / Number(mask.priceFactor)),
    { folder, data: dataNames(loaded), json: asked.flags.json === true, silent },
    io,
  );
  return outcomeCode(result.outcome, result.error, { strategy, folder, bars: result.bars }, io);
}

interface RunTimings {
  readonly tools: ToolTimings;
  readonly model: ToolTimings;
}

/** Who decides, with tools and a model where there are any, and with the record where there is one. */
function deciderOf(run: PreparedRun, market: Market, signal: AbortSignal, timings: RunTimings): Decider {
  const { strategy, mask, earlier, asked } = run;
  const answers = earlier ?? asked.record;
  const sample = earlier?.inputs.sample ?? asked.sample?.number;
  const plain = toolkitOf(run, timings.tools);
  const toolkit = plain && recordedToolkit(plain, answers?.recording);
  return strategy.createDecider(toolkit, market.clock.length, market.symbols, {
    environment: run.environment,
    firstAsked: firstAskedBar(run.loaded.market, run.settings),
    clock: market.clock,
    lookback: run.settings.lookback,
    signal,
    ...(sample === undefined ? {} : { sample }),
    ...(answers === undefined
      ? {}
      : {
          recording: answers.recording,
          replayOnly: answers.replayOnly,
          otherRecord: earlier === undefined,
        }),
    ...(mask === undefined ? {} : { mask: { veil: veilOf(mask), days: mask.days } }),
    ...(asked.budget === undefined ? {} : { budget: asked.budget }),
    onModelTiming: (ms) => timings.model.add('model', ms),
  });
}

function toolkitOf({ strategy, sandbox, extras }: PreparedRun, timings: ToolTimings): Toolkit | undefined {
  if (strategy.kind !== 'llm' && strategy.tools.length === 0) return undefined;
  return createToolkit({
    ...(sandbox === undefined ? {} : { sandbox }),
    tools: strategy.tools,
    ...(strategy.budgets === undefined ? {} : { budgets: strategy.budgets }),
    shared: extras.shared,
    onTiming: (name, ms) => timings.add(name, ms),
  });
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
