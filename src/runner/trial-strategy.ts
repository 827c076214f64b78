import {
  bundleStrategyFile,
  isModule,
  type LoadedStrategy,
  loadStrategy,
  openBundle,
  type StrategyBundle,
  strategyFromCode,
  strategyOfBundle,
} from '../agent/index.ts';
import type { RunContext } from './context.ts';
import { parameterTexts } from './run-place.ts';
import type { RunRequest } from './run-request.ts';

/** Makes a strategy ready for one trial: its modules run anew each time, so that a trial finds nothing of an earlier one. */
export type TrialStrategy = (parameters: Readonly<Record<string, unknown>>) => Promise<LoadedStrategy>;

/**
 * Reads a strategy once, for many trials. One given in code is what it is: what its module keeps, trials share.
 *
 * @param bundle of the strategy's file, where it has been made already
 */
export async function trialStrategy(
  { strategy, options }: Pick<RunRequest, 'strategy' | 'options'>,
  { environment }: Pick<RunContext, 'environment'>,
  bundle?: StrategyBundle,
): Promise<TrialStrategy> {
  if (typeof strategy !== 'string')
    return (parameters) => Promise.resolve().then(() => strategyFromCode(strategy, parameters));
  if (!isModule(strategy) || options.seal === true)
    return (parameters) =>
      loadStrategy(strategy, parameterTexts(parameters), { environment, seal: options.seal });
  const opened = bundle ?? (await bundleStrategyFile(strategy));
  const instantiate = await openBundle(opened);
  const { file, sha256 } = opened;
  return async (parameters) =>
    strategyOfBundle(await instantiate(), parameterTexts(parameters), { file, sha256 });
}
