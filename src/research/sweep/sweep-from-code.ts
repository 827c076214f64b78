import { z } from 'zod';
import { type AgentOptions, budgetSchema, type Environment, type Strategy } from '../../agents/index.ts';
import type { RunSettingsInput } from '../../engine/index.ts';
import {
  agentOptions,
  checkOptions,
  codeContext,
  type GivenData,
  givenData,
  type RunOptions,
  runOptionsSchema,
  SINGLE_RUN_OPTIONS,
  type SingleRunOption,
} from '../../runner/index.ts';
import { SEARCHES } from '../search/search-over.ts';
import { runSweep, type SweepEnd } from './sweep.ts';
import { KEEPS, type SweepRequest } from './sweep-request.ts';

/** Options of `sweep`: a strategy, its data, the combinations to try and the objective. */
export interface SweepOptions
  extends Omit<RunOptions, 'data' | 'seal' | 'modelCutoff' | SingleRunOption | keyof AgentOptions>,
    Omit<SweepRequest, 'options' | 'settings' | 'market' | 'strategy' | 'parameters' | 'cluster'> {
  /**
   * Path of a strategy file, or result of `defineStrategy`. A strategy from `defineStrategy` runs only in the
   * caller's thread.
   */
  readonly strategy: string | Strategy;
  /** Data file, folder or glob, a list of them, or bars in memory. */
  readonly data: GivenData;
  /**
   * Values by parameter name: `start:end:step`, where `end` is included, `a,b,c`, one value, or an array of
   * values.
   */
  readonly parameters?: SweepRequest['parameters'];
  /** Settings that override the strategy's settings. */
  readonly settings?: RunSettingsInput;
  /** Stops the sweep after the current trials. */
  readonly signal?: AbortSignal;
  readonly environment?: Environment;
  /** Called with the number of finished trials and the number of all trials. */
  readonly onProgress?: (done: number, trials: number) => void;
  /** Called with notes about the files and the sweep. */
  readonly onNote?: (text: string) => void;
}

const whole = z.number().int().min(1);

/** Schemas of the options that only `sweep` has, and of options that have another format in `runStrategy`. */
const ownOptions = {
  search: z.enum(SEARCHES).optional(),
  trials: whole.max(1_000_000).optional(),
  objective: z.string().optional(),
  minimise: z.boolean().optional(),
  constraints: z.array(z.string()).optional(),
  walkForward: z.string().optional(),
  crossValidate: z.string().optional(),
  holdout: z.string().optional(),
  jobs: whole.max(1_024).optional(),
  keep: z.enum(KEEPS).optional(),
  budget: budgetSchema.omit({ seconds: true }).optional(),
  features: runOptionsSchema.shape.features,
  context: runOptionsSchema.shape.context,
  documents: runOptionsSchema.shape.documents,
  fundamentals: runOptionsSchema.shape.fundamentals,
  universe: runOptionsSchema.shape.universe,
};

const WITHOUT = [...Object.keys(agentOptions), ...SINGLE_RUN_OPTIONS, 'seal', 'modelCutoff'];

/**
 * Runs a strategy with many parameters and determines if the best combination works out of sample, like
 * `sandtable sweep`.
 *
 * @throws AppError `bad_options` with every fault of the options; then with every fault of the strategy and
 *   the data
 */
export async function sweepFromCode(options: SweepOptions): Promise<SweepEnd> {
  checkOptions(options, { name: 'sweep', own: ownOptions, without: WITHOUT });
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
