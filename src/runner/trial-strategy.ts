import type { z } from 'zod';
import {
  bundleStrategyFile,
  isModule,
  type LoadedStrategy,
  loadStrategy,
  openBundle,
  type StrategyBundle,
  strategyFromCode,
  strategyOfAgent,
  strategyOfBundle,
} from '../agent/index.ts';
import { AppError } from '../kernel/index.ts';
import type { RunContext } from './context.ts';
import { parameterTexts } from './run-place.ts';
import type { TrialWorldRequest } from './trial-request.ts';

/** Strategy that is read once for many trials. */
export interface TrialStrategy {
  /** Schema of its parameters. `undefined` for a strategy without code, or a sealed one. */
  readonly schema: z.ZodObject | undefined;
  /**
   * Prepares the strategy for one trial. Its modules are evaluated again each time, so trials do not share
   * module state.
   */
  load(parameters: Readonly<Record<string, unknown>>): Promise<LoadedStrategy>;
  /** Prepares the strategy with already evaluated modules, for inspection only. */
  look(parameters: Readonly<Record<string, unknown>>): Promise<LoadedStrategy>;
}

/**
 * Reads a strategy for many trials. Trials of a strategy given in code share the state of its module.
 *
 * @param bundle bundle of the strategy's file, if it already exists
 */
export async function trialStrategy(
  { strategy, options }: Pick<TrialWorldRequest, 'strategy' | 'options'>,
  { environment }: Pick<RunContext, 'environment'>,
  bundle?: StrategyBundle,
): Promise<TrialStrategy> {
  const { agent } = options;
  if (agent !== undefined) {
    const load: TrialStrategy['load'] = async () => strategyOfAgent({ ...options, agent });
    return { schema: undefined, load, look: load };
  }
  if (typeof strategy !== 'string') {
    const load = async (parameters: Readonly<Record<string, unknown>>) =>
      strategyFromCode(strategy, parameters);
    await load({}).catch(refuseAllButParameters);
    return { schema: strategy.parameters, load, look: load };
  }
  if (!isModule(strategy) || options.seal === true) {
    const load: TrialStrategy['load'] = (parameters) =>
      loadStrategy(strategy, parameterTexts(parameters), { environment, seal: options.seal });
    return { schema: undefined, load, look: load };
  }
  const opened = bundle ?? (await bundleStrategyFile(strategy));
  const instantiate = await openBundle(opened);
  const first = await instantiate();
  const { file, sha256 } = opened;
  const loaded = (own: typeof first, parameters: Readonly<Record<string, unknown>>): LoadedStrategy =>
    strategyOfBundle(own, parameterTexts(parameters), { file, sha256 });
  return {
    schema: first.parameters,
    load: async (parameters) => loaded(await instantiate(), parameters),
    look: async (parameters) => loaded(first, parameters),
  };
}

function refuseAllButParameters(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'bad_parameters') throw error;
}
