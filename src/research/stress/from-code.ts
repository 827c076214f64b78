import { z } from 'zod';
import { type AgentOptions, type Budget, budgetSchema, type Strategy } from '../../agents/index.ts';
import { AppError } from '../../kernel/index.ts';
import type { StressReport } from '../../results/analysis/index.ts';
import {
  agentOptions,
  checkOptions,
  type RunStrategyOptions,
  requestOfChecked,
  SINGLE_RUN_OPTIONS,
  type SingleRunOption,
} from '../../runner/index.ts';
import { readNoise } from '../worlds/build.ts';
import { WORLD_KINDS, type WorldKind } from '../worlds/make-worlds.ts';
import { runStress, type StressEnd } from './stress.ts';

/**
 * Options of `stress`: the options of `runStrategy` without those for agents and forward runs, and the
 * following options.
 */
export interface StressOptions
  extends Omit<RunStrategyOptions, 'strategy' | SingleRunOption | keyof AgentOptions> {
  /** Strategy file, or result of `defineStrategy`. */
  readonly strategy: string | Strategy;
  /** Method by which worlds (artificial markets) are made from the data. Default: `permute`. */
  readonly kind?: WorldKind;
  /** Number of worlds (artificial markets) on which the strategy runs. Default: 500. */
  readonly worlds?: number;
  /** Mean length in bars of the blocks that `block-bootstrap` draws. Default: chosen from the data. */
  readonly block?: number;
  /**
   * Standard deviation of the noise for the kind `noise`: `5bp` is five basis points of each price, `10%` a
   * tenth of each bar's range. Default: `5bp`.
   */
  readonly noise?: string;
  /**
   * Number of simulations that shuffle or resample the closed trades of the run on the actual data. Default:
   * no simulations.
   */
  readonly shuffleTrades?: number;
  /**
   * Number of threads. Default: number of cores. A strategy defined in code, or bars in memory, run in the
   * caller's thread.
   */
  readonly jobs?: number;
  /**
   * Total budget of model usage for the run on the actual data and the runs on all worlds. Required for a
   * strategy that calls a model.
   */
  readonly budget?: Budget;
}

/** Result of a finished stress test. */
export interface StressResult extends StressReport, Pick<StressEnd, 'folder' | 'seconds'> {}

const whole = z.number().int().min(1);

const DEFAULT_WORLDS = 500;

const ownOptions = {
  kind: z.enum(WORLD_KINDS).optional(),
  worlds: whole.max(1_000_000).optional(),
  block: z.number().min(1).max(1e9).optional(),
  noise: z
    .string()
    .refine((text) => readNoise(text) !== undefined, {
      error: ({ input }) => `Invalid noise "${String(input)}". Expected a size such as 5bp or 10%`,
    })
    .optional(),
  shuffleTrades: whole.max(1_000_000).optional(),
  jobs: whole.max(1_024).optional(),
  budget: budgetSchema.optional(),
};

/**
 * Runs a stress test from code.
 *
 * @throws AppError `bad_options` with every fault, and the errors of `runStress`
 */
export async function stressFromCode(options: StressOptions): Promise<StressResult> {
  if ('agent' in options) throw noAgent();
  const without = [...Object.keys(agentOptions), ...SINGLE_RUN_OPTIONS];
  checkOptions(options, { name: 'stress', own: ownOptions, without });
  const {
    kind = 'permute',
    worlds = DEFAULT_WORLDS,
    block,
    noise,
    shuffleTrades,
    jobs,
    budget,
    ...run
  } = options;
  const { request, context } = requestOfChecked(run);
  const end = await runStress(
    {
      strategy: run.strategy,
      options: request.options,
      settings: request.settings,
      parameters: request.parameters,
      ...(request.market === undefined ? {} : { market: request.market }),
      terms: { kind, blockLength: block, noise: noise === undefined ? undefined : readNoise(noise) },
      worlds,
      jobs,
      shuffleTrades,
      budget,
    },
    context,
  );
  return { ...end.report, folder: end.folder, seconds: end.seconds };
}

function noAgent(): AppError {
  return new AppError({
    code: 'bad_options',
    message: 'An agent cannot run on generated worlds, because it may know the real market.',
    hint: 'Remove agent and use a strategy.',
  });
}
