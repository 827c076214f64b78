import { type Decider, firstAskedBar } from '../engine/index.ts';
import type { Market } from '../market/index.ts';
import { exampleMasker, maskView, textMasker } from '../masking/index.ts';
import { createToolkit, type Toolkit, type ToolkitOptions, toolsFor } from '../toolkit/index.ts';
import { givenBeside } from './given-beside.ts';
import type { PreparedRun } from './run-request.ts';
import type { ToolTimings } from './tool-timings.ts';

export interface RunTimings {
  readonly tools: ToolTimings;
  readonly model: ToolTimings;
}

/**
 * Creates the decider of a run with its tools, model and record.
 *
 * @param runId returns the run's id. Called at the first decision, because the folder is created after the
 *   decider
 */
export function deciderOf(
  run: PreparedRun,
  market: Market,
  signal: AbortSignal,
  timings: RunTimings,
  runId?: () => string | undefined,
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
    signal,
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
    tools: toolsFor(strategy.tools, givenBeside(loaded.pointInTime)),
    ...(strategy.budgets === undefined ? {} : { budgets: strategy.budgets }),
    shared: extras.shared,
    onTiming: (name, ms, bar) => timings.add(name, ms, bar),
    recorded,
  });
}
