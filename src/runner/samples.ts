import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { loadStrategy, strategyOfAgent } from '../agent/index.ts';
import { isResult, type RunSettingsInput } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { createRunFolder, jsonText, readWritten, runIdFor, writeWhole } from '../runs/index.ts';
import type { RunContext } from './context.ts';
import type { RunOptions } from './options.ts';
import { resumeRun } from './resume-run.ts';
import type { RunEnd } from './run-end.ts';
import { lockRun } from './run-lock.ts';
import { parameterTexts } from './run-place.ts';
import type { RunRequest } from './run-request.ts';
import { runRequested } from './run-requested.ts';

/** Samples at work at once where nothing is said: each may have a Python process of its own. */
const CONCURRENCY = 2;
const FILE = 'samples.json';

/** `samples.json`: what a folder of samples was asked for, written before the first of them starts. */
const samplesSchema = z.strictObject({
  schema: z.literal(2),
  runId: z.string(),
  samples: z.number().int().min(1),
  concurrency: z.number().int().min(1),
  /** The strategy's; left out where an agent decides, whom the options name. */
  file: z.string().optional(),
  parameters: z.record(z.string(), z.string()),
  options: z.looseObject({ data: z.array(z.string()).min(1) }),
  settings: z.record(z.string(), z.unknown()),
});
type Samples = z.infer<typeof samplesSchema>;

/** Where samples are made. */
export interface SamplesContext {
  readonly signal: AbortSignal;
  /** The context of one of them. */
  contextOf(sample: number): RunContext;
  /** Given each that has ended. */
  done(sample: number, complete: boolean, of: number): void;
  /** Given what made one of them impossible. */
  failed(sample: number, error: AppError): void;
}

/** A folder of samples, and which of them are complete. */
export interface SamplesEnd {
  readonly folder: string;
  readonly samples: number;
  readonly incomplete: readonly number[];
}

/** Whether a folder holds samples rather than one run. */
export function holdsSamples(folder: string): boolean {
  return existsSync(join(folder, FILE));
}

/**
 * Makes independent runs of one strategy for a model, or of one agent, in one folder.
 *
 * @throws AppError `bad_flags` for a strategy that has no model
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
      message: `${file} is no strategy for a model: every run of it is the same.`,
      hint: 'Leave --samples out.',
    });
  }
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
 * Goes on with a folder of samples: those that are not complete go on, or begin.
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
    hint: 'Name the folder that sandtable run --samples made.',
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

/** Starts a sample, or goes on with what an earlier process left of it; gives whether it is complete. */
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
 * Starts one of the samples of a folder, or goes on with what an earlier process left of it.
 *
 * @returns undefined where it is complete already
 * @throws AppError as a run does
 */
export async function runSample(
  request: RunRequest & { readonly sample: NonNullable<RunRequest['sample']> },
  context: RunContext,
): Promise<RunEnd | undefined> {
  const folder = join(request.sample.folder, `sample-${request.sample.number}`);
  if (existsSync(folder) && begun(folder)) return resumeRun(folder, {}, context);
  // A kill before its first line left nothing that was paid for.
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
