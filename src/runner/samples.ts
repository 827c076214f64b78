import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { loadStrategy, strategyOfAgent } from '../agents/index.ts';
import { isResult, type RunSettingsInput } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import {
  createRunFolder,
  jsonText,
  lockRun,
  readWritten,
  runIdFor,
  writeWhole,
} from '../results/runs/index.ts';
import type { RunContext } from './context.ts';
import type { RunEnd } from './execute-run.ts';
import type { RunOptions } from './inputs/options.ts';
import { resumeRun } from './resume-run.ts';
import { parameterTexts } from './run-place.ts';
import type { RunRequest } from './run-request.ts';
import { runRequested } from './run-requested.ts';

/** Default number of samples that run at the same time. Each may have its own Python process. */
const CONCURRENCY = 2;
const FILE = 'samples.json';

/**
 * Schema of `samples.json`: the request of all samples in a folder. Written before the first sample starts.
 */
const samplesSchema = z.strictObject({
  schema: z.literal(2),
  runId: z.string(),
  samples: z.number().int().min(1),
  concurrency: z.number().int().min(1),
  /** Path of the strategy's file. Absent if the options name an agent. */
  file: z.string().optional(),
  parameters: z.record(z.string(), z.string()),
  options: z.looseObject({ data: z.array(z.string()).min(1) }),
  settings: z.record(z.string(), z.unknown()),
});
type Samples = z.infer<typeof samplesSchema>;

/** Environment in which samples (repeated runs of one request) are executed. */
export interface SamplesContext {
  readonly signal: AbortSignal;
  /** Returns the context of one sample. */
  contextOf(sample: number): RunContext;
  /**
   * Called for each sample that has ended. `complete` is true if its run is complete, `of` the number of
   * samples.
   */
  done(sample: number, complete: boolean, of: number): void;
  /** Called with the error of a sample that could not run. */
  failed(sample: number, error: AppError): void;
}

/**
 * Result of running samples. `samples` is the number of samples, `incomplete` contains the numbers of the
 * samples without a complete run.
 */
export interface SamplesEnd {
  readonly folder: string;
  readonly samples: number;
  readonly incomplete: readonly number[];
}

/** Returns true if a folder contains samples (repeated runs of one request) instead of a single run. */
export function holdsSamples(folder: string): boolean {
  return existsSync(join(folder, FILE));
}

/**
 * Runs several independent samples of one strategy that calls a model, or of one agent, all in one folder.
 *
 * @throws AppError `bad_flags` for a strategy without a model; `agent_failed` if the first decision of the
 *   agent fails
 */
export async function runSamples(
  request: RunRequest & { readonly strategy?: string | undefined },
  how: { readonly samples: number; readonly concurrency?: number | undefined },
  context: SamplesContext,
): Promise<SamplesEnd> {
  const { strategy: file, settings } = request;
  const parameters = parameterTexts(request.parameters);
  const { environment } = context.contextOf(1);
  const { agent } = request.options;
  const strategy =
    agent === undefined
      ? await loadStrategy(file ?? '', parameters, { environment })
      : strategyOfAgent({ ...request.options, agent });
  if (strategy.kind !== 'llm' && strategy.kind !== 'agent') {
    throw new AppError({
      code: 'bad_flags',
      message: `${file} is not a strategy for a model: all its runs are identical.`,
      hint: 'Remove --samples.',
    });
  }
  if (agent !== undefined) await runRequested({ ...request, preflight: 'only' }, context.contextOf(1));
  const { out, ...options } = request.options;
  const { samples, concurrency = CONCURRENCY } = how;
  const asked = {
    ...(file === undefined ? {} : { file }),
    parameters,
    options: { ...options, data: [...(options.data ?? [])] },
    settings,
  };
  const id = runIdFor(`${strategy.name}-samples`, new Date(), JSON.stringify([samples, asked]));
  const { runId, folder } = createRunFolder(out ?? 'reports', id);
  const whole: Samples = { schema: 2, runId, samples, concurrency, ...asked };
  writeWhole(join(folder, FILE), jsonText(whole));
  return runAll(folder, whole, context);
}

/**
 * Continues a folder of samples. Resumes incomplete samples and starts missing ones.
 *
 * @throws AppError `not_a_run`, `run_in_use`
 */
export async function resumeSamples(folder: string, context: SamplesContext): Promise<SamplesEnd> {
  return runAll(folder, readSamples(folder), context);
}

function readSamples(folder: string): Samples {
  const file = join(folder, FILE);
  return readWritten(file, samplesSchema, (problem) => ({
    code: 'not_a_run',
    message: `Cannot use ${file}: ${problem}.`,
    hint: 'Pass a folder that sandtable run --samples made.',
  }));
}

async function runAll(folder: string, asked: Samples, context: SamplesContext): Promise<SamplesEnd> {
  const { samples, concurrency } = asked;
  const lock = lockRun(folder);
  try {
    const numbers = Array.from({ length: samples }, (_, index) => index + 1);
    const complete = new Set<number>();
    const next = numbers.values();
    const work = async (): Promise<void> => {
      for (const number of next) {
        if (context.signal.aborted) return;
        if (await runOne(folder, number, asked, context)) complete.add(number);
        context.done(number, complete.has(number), samples);
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, samples) }, work));
    return { folder, samples, incomplete: numbers.filter((number) => !complete.has(number)) };
  } finally {
    lock.release();
  }
}

/** Starts or resumes a sample. Returns true if its run is complete afterwards. */
async function runOne(
  parent: string,
  number: number,
  { file, parameters, options, settings, runId }: Samples,
  context: SamplesContext,
): Promise<boolean> {
  try {
    const end = await runSample(
      {
        ...(file === undefined ? {} : { strategy: file }),
        parameters,
        options: options as RunOptions,
        settings: settings as RunSettingsInput,
        sample: { number, folder: parent, runId },
      },
      context.contextOf(number),
    );
    return end === undefined || isResult(end.outcome);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.failed(number, error);
    return false;
  }
}

/**
 * Starts or resumes one sample of a folder.
 *
 * @returns undefined if the sample is already complete
 * @throws AppError in the same cases as a run
 */
export async function runSample(
  request: RunRequest & { readonly sample: NonNullable<RunRequest['sample']> },
  context: RunContext,
): Promise<RunEnd | undefined> {
  const folder = join(request.sample.folder, `sample-${request.sample.number}`);
  if (existsSync(folder) && begun(folder)) return resumeRun(folder, {}, context);
  // The sample was killed before the first line of its journal, so no request has been paid for. It is
  // started again.
  rmSync(folder, { recursive: true, force: true });
  return runRequested(request, context);
}

function begun(folder: string): boolean {
  try {
    return (
      existsSync(join(folder, 'inputs.json')) && readFileSync(join(folder, 'journal.jsonl')).includes(10)
    );
  } catch {
    return false;
  }
}
