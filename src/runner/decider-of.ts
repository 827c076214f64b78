import type { RunServices } from '../agents/index.ts';
import { type Decider, firstAskedBar } from '../engine/index.ts';
import type { Market } from '../market/index.ts';
import { exampleMasker, maskView, textMasker } from '../masking/index.ts';
import { type PythonRuntime, provisionRuntime, Sandbox, type SandboxOptions } from '../sandbox/index.ts';
import { createToolkit, type Toolkit, type ToolkitOptions, toolsFor } from '../toolkit/index.ts';
import type { RunContext, RunObserver, Watch } from './context.ts';
import { availableData } from './inputs/options.ts';
import type { PreparedRun } from './run-request.ts';
import type { ToolTimings } from './tool-extras.ts';

export interface RunTimings {
  readonly tools: ToolTimings;
  readonly model: ToolTimings;
}

/**
 * Creates the decider of a run, which makes the strategy's decisions. The decider can use tools and a model,
 * or replay recorded answers.
 *
 * @param reports receivers of messages that do not belong to the journal. May contain a recording, which
 *   answers model requests in a run without a record
 * @param runId returns the run's id. Called at the first decision, because the folder is created after the
 *   decider
 */
export function deciderOf(
  run: PreparedRun,
  market: Market,
  signal: AbortSignal,
  timings: RunTimings,
  runId?: () => string | undefined,
  reports: Pick<
    RunServices,
    'warn' | 'preflight' | 'recording' | 'replayOnly' | 'inBackground' | 'verify'
  > = {},
): Decider {
  const { strategy, mask, earlier, request } = run;
  const answers = earlier ?? request.record;
  const sample = earlier?.inputs.sample ?? request.sample?.number;
  const toolkit = toolkitOf(run, timings.tools, (sequence) => answers?.recording.toolCall(sequence));
  return strategy.createDecider(toolkit, market.clock.length, market.symbols, {
    environment: run.environment,
    firstAsked: firstAskedBar(run.loaded.market, run.settings),
    clock: market.clock,
    lookback: run.settings.lookback,
    seed: run.settings.seed,
    ...(strategy.seesAllBars === undefined ? {} : { series: market.series }),
    ...(run.indicators === undefined ? {} : { indicators: run.indicators.shareOf(market.series) }),
    ...(run.settings.decisionTimeout === undefined ? {} : { decisionTimeout: run.settings.decisionTimeout }),
    signal,
    ...reports,
    ...(request.options.verify === undefined ? {} : { verify: request.options.verify }),
    ...(sample === undefined ? {} : { sample }),
    ...(runId === undefined ? {} : { runId }),
    ...(answers === undefined
      ? {}
      : {
          recording: answers.recording,
          replayOnly: answers.replayOnly,
          otherRecord: earlier === undefined,
        }),
    ...(mask === undefined
      ? {}
      : {
          mask: {
            maskText: textMasker(mask),
            maskExamples: exampleMasker(mask),
            shown: (time) => maskView(mask).shown(time),
          },
        }),
    ...(request.budget === undefined ? {} : { budget: request.budget }),
    ...(run.meter === undefined ? {} : { meter: run.meter }),
    onModelTiming: (ms, bar) => timings.model.add('model', ms, bar),
  });
}

function toolkitOf(
  { strategy, sandbox, extras, loaded }: PreparedRun,
  timings: ToolTimings,
  recorded: NonNullable<ToolkitOptions['recorded']>,
): Toolkit | undefined {
  if (strategy.kind !== 'llm' && strategy.kind !== 'agent' && strategy.tools.length === 0) return undefined;
  return createToolkit({
    ...(sandbox === undefined ? {} : { sandbox }),
    tools: toolsFor(strategy.tools, availableData(loaded.pointInTime)),
    ...(strategy.budgets === undefined ? {} : { budgets: strategy.budgets }),
    shared: extras.shared,
    onTiming: (name, ms, bar) => timings.add(name, ms, bar),
    recorded,
  });
}

/** Wraps a decider so that the watch for endless loops is informed at the start of each decision. */
export function watchedDecider(decider: Decider, watch: Watch): Decider {
  return {
    ...(decider.decisionTimeout === undefined ? {} : { decisionTimeout: decider.decisionTimeout }),
    waitedMs: () => decider.waitedMs?.() ?? 0,
    watch: (turn) => decider.watch?.(turn),
    decide(turn) {
      watch.deciding(turn.bar);
      return decider.decide(turn);
    },
    async close() {
      await decider.close?.();
      // Code that the last decision scheduled runs in the next turn of the event loop. Node reports an
      // unhandled rejection one turn later. Waiting for two turns ensures that these errors count as errors
      // of the run.
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    },
  };
}

type PythonObserver = Pick<RunObserver, 'stage' | 'progress' | 'progressEnd'>;

/** Prepares Python and reports progress of slow steps. */
export async function preparePython(observer: PythonObserver, wheelsFolder?: string): Promise<PythonRuntime> {
  try {
    return await provisionRuntime({
      ...(wheelsFolder === undefined ? {} : { wheelsFolder }),
      onProgress({ stage, message, done, total }) {
        if (done === undefined || total === undefined) observer.stage(message);
        else observer.progress(message, done, total, stage === 'wheels' ? 'bytes' : 'files');
      },
    });
  } finally {
    observer.progressEnd();
  }
}

/** Creates a Python sandbox. Before that, prepares the Python runtime if it is not prepared yet. */
export async function openSandbox(
  {
    observer,
    pythonLimits,
  }: { readonly observer: PythonObserver; readonly pythonLimits?: RunContext['pythonLimits'] },
  options: Omit<SandboxOptions, 'runtime'>,
): Promise<Sandbox> {
  return new Sandbox({ ...options, ...pythonLimits, runtime: await preparePython(observer) });
}
