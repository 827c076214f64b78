import type { RunSettingsInput } from '../../engine/index.ts';
import { type PythonRuntime, provisionRuntime } from '../../sandbox/index.ts';
import { RULE_TIMEOUT_SECONDS, readParameters, recordedParameters } from '../strategies/rules.ts';
import type { LoadContext, LoadedStrategy } from '../strategies/strategy.ts';
import { PythonDecider } from './decider.ts';
import { MOST_CHANGES, RANDOM_BARS, TRIAL_BARS } from './look-ahead.ts';
import { programOf } from './program.ts';
import { inPython } from './replies.ts';
import { SignalsDecider } from './signals-decider.ts';
import { readPythonSources } from './sources.ts';

/** Prepares a strategy for one run. The parameter values are texts. */
export type PythonLoader = (given: Readonly<Record<string, string>>) => Promise<LoadedStrategy>;

/**
 * Reads a strategy written in Python, for any number of runs.
 *
 * @throws AppError `strategy_broken`, `not_a_strategy`, `sandbox_failed`. The loader throws `bad_parameters`
 */
export async function openPython(
  bytes: Buffer,
  file: string,
  common: { readonly file: string; readonly sha256: string },
  context: LoadContext,
): Promise<PythonLoader> {
  const runtime = await runtimeOf(context);
  const sources = readPythonSources(file, bytes, common.file);
  const program = await programOf(sources, runtime, common.file);
  const { name, summary, schema } = program;
  const fixed = program.hasFixedTerms ? await program.termsOf({}) : undefined;
  return async (given) => {
    const parameters = readParameters({ name, parameters: schema }, given);
    const { warmUp, settings } = fixed ?? (await program.termsOf(parameters));
    return {
      ...common,
      name,
      kind: 'rules',
      runsOwnCode: false,
      wording: inPython,
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
      createDecider(_toolkit, _bars, _symbols, services = { environment: {} }) {
        for (const [written, meant] of program.misspelt)
          services.warn?.(`${common.file}: the variable ${written} has no effect. Did you mean ${meant}?`);
        const own = {
          program,
          runtime,
          parameters,
          warmUp: warmUp ?? 0,
          seed: services.seed ?? 0,
          seconds: services.decisionTimeout ?? RULE_TIMEOUT_SECONDS,
          warn: services.warn,
        };
        if (program.mode === 'on_bar') return new PythonDecider(own);
        return new SignalsDecider(own, {
          series: services.series ?? [],
          clock: services.clock ?? new Float64Array(),
          extent: services.verify ?? (services.runId === undefined ? 'trial' : 'sample'),
          inBackground: services.verify === undefined ? services.inBackground : undefined,
        });
      },
    };
  };
}

/**
 * Returns the text for `openDoors`, the record's list of data that a strategy could read in addition to the
 * bars up to the current one. Used for a strategy that computes its signals on all bars.
 */
function doorOf(verify: LoadContext['verify']): string {
  const checked =
    verify === 'all'
      ? 'every bar'
      : `up to ${MOST_CHANGES} bars with a change and at ${RANDOM_BARS} random bars`;
  const inTrials = verify === undefined ? `; in trials of a sweep at up to ${2 * TRIAL_BARS} bars` : '';
  return `signals are computed on all bars, and checked at ${checked}${inTrials}`;
}

let prepared: Promise<PythonRuntime> | undefined;

function runtimeOf({ python }: LoadContext): Promise<PythonRuntime> {
  prepared ??= python?.() ?? provisionRuntime({});
  prepared.catch(() => {
    prepared = undefined;
  });
  return prepared;
}
