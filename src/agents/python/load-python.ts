import type { RunSettingsInput } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import { type PythonRuntime, provisionRuntime } from '../../sandbox/index.ts';
import { RULE_TIMEOUT_SECONDS, readParameters, recordedParameters } from '../strategies/rules.ts';
import type { LoadContext, LoadedStrategy } from '../strategies/strategy.ts';
import { checkSettings } from '../strategies/strategy-checks.ts';
import { PythonDecider } from './decider.ts';
import { programOf } from './program.ts';
import { MOST_CHANGES, RANDOM_BARS, SignalsDecider, TRIAL_BARS } from './signals-decider.ts';
import { readPythonSources } from './sources.ts';

/**
 * Loads a strategy written in Python.
 *
 * @param given parameter values as texts
 * @throws AppError `strategy_broken`, `not_a_strategy`, `bad_parameters`, `sandbox_failed`
 */
export async function loadPython(
  bytes: Buffer,
  file: string,
  given: Readonly<Record<string, string>>,
  common: { readonly file: string; readonly sha256: string },
  context: LoadContext,
): Promise<LoadedStrategy> {
  const runtime = await runtimeOf(context);
  const sources = readPythonSources(file, bytes);
  const program = await programOf(sources, runtime, common.file);
  const { name, summary, schema } = program;
  const parameters = readParameters({ name, parameters: schema }, given);
  const { warmUp, settings } = await program.termsOf(parameters);
  checkSettings(settings, common.file);
  return {
    ...common,
    name,
    kind: 'rules',
    runsOwnCode: false,
    files: sources.files,
    beside: sources.files.map((each) => each.file).filter((each) => each !== sources.main),
    sealedDescriptors: program.descriptorsClosed ? 'closed' : 'open',
    summary,
    schema,
    parameters: recordedParameters(parameters),
    tools: [],
    settings: settings as RunSettingsInput,
    ...(warmUp === undefined ? {} : { warmUp }),
    ...(program.mode === 'signals' ? { seesAllBars: doorOf(context.verify) } : {}),
    createDecider(_toolkit, _bars, symbols, services = { environment: {} }) {
      const own = {
        program,
        runtime,
        parameters,
        warmUp: warmUp ?? 0,
        seed: services.seed ?? 0,
        seconds: services.decisionTimeout ?? RULE_TIMEOUT_SECONDS,
      };
      if (program.mode === 'on_bar') return new PythonDecider(own);
      checkSymbols(symbols, common.file);
      return new SignalsDecider(own, {
        series: services.series?.[0],
        extent: services.verify ?? (services.runId === undefined ? 'trial' : 'sample'),
      });
    },
  };
}

/** Entry of `openDoors` for a strategy that computes its signals on all bars. */
function doorOf(verify: LoadContext['verify']): string {
  const changed = verify === 'all' ? 'every bar with a change' : `up to ${MOST_CHANGES} bars with a change`;
  const inTrials = verify === undefined ? `; in trials of a sweep at up to ${2 * TRIAL_BARS} bars` : '';
  return `signals are computed on all bars, and checked at ${changed} and at ${RANDOM_BARS} random bars${inTrials}`;
}

/** @throws AppError `strategy_broken` */
function checkSymbols(symbols: readonly string[], file: string): void {
  if (symbols.length === 1) return;
  throw new AppError({
    code: 'strategy_broken',
    message: `${file} defines signals, which trade one symbol, and the data have ${symbols.length}.`,
    hint: 'Select one with --symbol, or write on_bar(bar) with bar.df_of(symbol).',
  });
}

let prepared: Promise<PythonRuntime> | undefined;

function runtimeOf({ python }: LoadContext): Promise<PythonRuntime> {
  prepared ??= python?.() ?? provisionRuntime({});
  prepared.catch(() => {
    prepared = undefined;
  });
  return prepared;
}
