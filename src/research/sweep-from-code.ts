import type { Environment, Strategy } from '../agent/index.ts';
import type { RunSettingsInput } from '../engine/index.ts';
import { codeContext, type GivenData, givenData, type RunOptions } from '../runner/index.ts';
import { runSweep, type SweepEnd } from './sweep.ts';
import type { SweepRequest } from './sweep-request.ts';

/** What `sweep` tries, on what, and what it looks for. */
export interface SweepOptions
  extends Omit<RunOptions, 'data' | 'seal' | 'modelCutoff'>,
    Omit<SweepRequest, 'options' | 'settings' | 'market' | 'strategy' | 'parameters' | 'cluster'> {
  /** A strategy file, or what `defineStrategy` made: the latter runs in this thread alone. */
  readonly strategy: string | Strategy;
  /** A data file, folder or glob, several of them, or bars in memory. */
  readonly data: GivenData;
  /** By name: `start:end:step` with its end, `a,b,c`, one value, or an array of values. */
  readonly parameters?: SweepRequest['parameters'];
  /** Over the settings that the strategy brings. */
  readonly settings?: RunSettingsInput;
  /** Stops it after the trials under way. */
  readonly signal?: AbortSignal;
  readonly environment?: Environment;
  /** Given how many trials of how many are done. */
  readonly onProgress?: (done: number, trials: number) => void;
  /** Given what is worth knowing of the files and the sweep. */
  readonly onNote?: (text: string) => void;
}

/**
 * Runs a strategy with many parameters and says whether the best of them holds, as `sandtable sweep` does.
 *
 * @returns what came of it, its `result` undefined where it was stopped, and the folder it is in
 * @throws AppError with every fault of the options, then of the data; a trial that fails is counted
 */
export async function sweepFromCode(options: SweepOptions): Promise<SweepEnd> {
  const {
    strategy,
    data,
    parameters = {},
    settings = {},
    signal,
    environment,
    onProgress,
    onNote,
    search,
    trials,
    objective,
    minimise,
    constraints,
    walkForward,
    crossValidate,
    holdout,
    jobs,
    keep,
    budget,
    ...rest
  } = options;
  const own = {
    search,
    trials,
    objective,
    minimise,
    constraints,
    walkForward,
    crossValidate,
    holdout,
    jobs,
    keep,
    budget,
  };
  return runSweep(
    { strategy, parameters, settings, ...own, ...givenData(data, rest) },
    codeContext({ signal, environment, onProgress, onNote }, ['trials']),
  );
}
