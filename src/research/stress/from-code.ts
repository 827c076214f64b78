import { z } from 'zod';
import { type AgentOptions, type Budget, budgetSchema, type Strategy } from '../../agent/index.ts';
import type { StressReport } from '../../analysis/index.ts';
import { AppError } from '../../kernel/index.ts';
import { agentOptions, checkOptions, type RunStrategyOptions, requestOfChecked } from '../../runner/index.ts';
import { WORLD_KINDS, type WorldKind } from '../worlds/make-worlds.ts';
import { readNoise } from '../worlds/noise-size.ts';
import { runStress, type StressEnd } from './stress.ts';

/** What `stress` runs, and on which worlds; the rest as `runStrategy` takes it. */
export interface StressOptions extends Omit<RunStrategyOptions, 'strategy' | keyof AgentOptions> {
  /** A strategy file, or what `defineStrategy` made. */
  readonly strategy: string | Strategy;
  /** How worlds are made; `permute` when left out. */
  readonly kind?: WorldKind;
  /** How many; 500 when left out. */
  readonly worlds?: number;
  /** Mean length of the blocks of `block-bootstrap`, in bars; chosen by the data when left out. */
  readonly block?: number;
  /** Size of `noise`: `5bp` are basis points of each price, `10%` is of each bar's range; `5bp` when left out. */
  readonly noise?: string;
  /** Orders and draws of the run's own trades. */
  readonly shuffleTrades?: number;
  /** Threads; as many as there are cores when left out. Code and bars in memory are run by the caller's own. */
  readonly jobs?: number;
  /** Of all worlds together; needed by a strategy that asks a model. */
  readonly budget?: Budget;
}

/** A finished stress test. */
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

/** @throws AppError `bad_options` with every fault; and as `runStress` does */
export async function stressFromCode(options: StressOptions): Promise<StressResult> {
  if ('agent' in options) throw noAgent();
  checkOptions(options, { name: 'stress', own: ownOptions, without: Object.keys(agentOptions) });
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
    message: 'An agent cannot run on made worlds: it may know which market is the real one.',
    hint: 'Leave out agent and name a strategy.',
  });
}
