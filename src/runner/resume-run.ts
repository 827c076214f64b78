import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentBudget, recordingOf } from '../agents/index.ts';
import { isResult, mergeSettings, type RunSettingsInput } from '../engine/index.ts';
import { continueJournal, linesToKeep, readEarlier } from '../journal/index.ts';
import { AppError } from '../kernel/index.ts';
import { filesNow, lockRun, type RunInputs, readRunInputs, strategyFileOf } from '../results/runs/index.ts';
import type { RunContext } from './context.ts';
import type { RunEnd } from './execute-run.ts';
import { forwardOptions, type RunOptions } from './inputs/options.ts';
import { openRecord, type RunRequest } from './run-request.ts';
import { runRequested } from './run-requested.ts';

export interface ResumeOptions {
  /** Current paths of the data, if the files were moved. Default: the recorded paths. */
  readonly data?: readonly string[] | undefined;
  /** Budget that replaces the run's budget. */
  readonly budget?: AgentBudget | undefined;
  /** If true, no request is sent, and an unrecorded request is an error. */
  readonly replayOnly?: boolean | undefined;
}

/**
 * Continues a run in its folder after it was killed, interrupted or stopped.
 *
 * @returns undefined if the run is already complete
 * @throws AppError `not_a_run`, `run_in_use`, `strategy_changed`, `data_changed` and errors of the run
 */
export async function resumeRun(
  folder: string,
  { data, budget, replayOnly = false }: ResumeOptions,
  context: RunContext,
): Promise<RunEnd | undefined> {
  const inputs = readRunInputs(folder);
  checkLimits(inputs, budget);
  const lock = lockRun(folder);
  try {
    const earlier = readEarlier(join(folder, 'journal.jsonl'));
    const last = earlier.events.at(-1);
    const isWhole = last?.type === 'run_finished' && isResult(last.outcome);
    if (isWhole && existsSync(join(folder, 'manifest.json'))) return undefined;
    const keep = linesToKeep(earlier);
    const request = requestOf(folder, inputs, data);
    const limits = budget ?? (inputs.budget as AgentBudget | undefined);
    return await runRequested({ ...request, ...(limits === undefined ? {} : { budget: limits }) }, context, {
      folder,
      inputs,
      journal: continueJournal(earlier, keep),
      recording: recordingOf(earlier.events.slice(0, keep)),
      replayOnly,
    });
  } finally {
    lock.release();
  }
}

/**
 * Returns the request for a run that repeats a forward run on its recorded bars and times.
 *
 * @param folder folder of the forward run
 * @param data current paths of the history. Default: the recorded paths
 * @param asked strategy, parameters and settings that replace those of the forward run
 * @throws AppError `not_a_run`, `strategy_changed`
 */
export function recordedRequest(
  folder: string,
  data: readonly string[] | undefined,
  { strategy, parameters, settings, options }: RunRequest,
): RunRequest {
  const inputs = readRunInputs(folder);
  const hasStrategy = strategy !== undefined || options.agent !== undefined;
  const base = requestOf(folder, hasStrategy ? withoutStrategy(inputs) : inputs, data, true);
  const rest = Object.fromEntries(
    Object.entries(base.options).filter(([name]) => !(name in forwardOptions || OF_THE_RUN.includes(name))),
  );
  const { agent } = hasStrategy ? options : base.options;
  const hasRecord = inputs.model !== undefined || inputs.flags.agent !== undefined;
  return {
    ...base,
    ...(strategy === undefined ? {} : { strategy, namedAs: undefined }),
    parameters: { ...base.parameters, ...parameters },
    options: {
      ...rest,
      ...options,
      ...(agent === undefined ? {} : { agent }),
      data: base.options.data,
      recorded: folder,
    },
    settings: mergeSettings(base.settings, settings),
    ...(hasRecord ? { record: openRecord(folder, false) } : {}),
  };
}

/** Options of the forward run that the repeated run ignores. */
const OF_THE_RUN = ['agent', 'registration', 'amend'];

/**
 * Removes the recorded strategy from the inputs of a run. Used if another strategy is given, so that the file
 * of the recorded strategy need not exist.
 */
function withoutStrategy(inputs: RunInputs): RunInputs {
  return { ...inputs, flags: { ...inputs.flags, agent: inputs.flags.agent ?? '' } };
}

/**
 * Checks that a limit of decisions is given only for a run with an agent.
 *
 * @throws AppError `bad_flags`
 */
function checkLimits({ flags }: RunInputs, budget: AgentBudget | undefined): void {
  if (budget?.decisions === undefined || typeof flags.agent === 'string') return;
  throw new AppError({
    code: 'bad_flags',
    message: '--budget: the limit `decisions` is for agents, and this run has no agent.',
    hint: 'Use tokens, usd, calls or seconds.',
  });
}

/**
 * Returns the recorded request of a run, with the current paths of the strategy and the data.
 *
 * @param copyWins if true and the strategy's file has changed, the copy in the run's folder is used
 */
export function requestOf(
  folder: string,
  inputs: RunInputs,
  data: readonly string[] | undefined,
  copyWins = false,
): RunRequest {
  const { file } = inputs.strategy;
  return {
    ...(typeof inputs.flags.agent === 'string'
      ? {}
      : { strategy: strategyFileOf(folder, inputs, copyWins), namedAs: file ?? undefined }),
    parameters: inputs.strategy.parameters,
    options: filesNow(folder, inputs, data) as RunOptions,
    settings: inputs.settings as RunSettingsInput,
  };
}
