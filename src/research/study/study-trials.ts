import { RULE_TIMEOUT_SECONDS } from '../../agents/index.ts';
import { firstBarFrom, type RunSettings } from '../../engine/index.ts';
import { AppError, formatInstant, parseInstant } from '../../kernel/index.ts';
import type { StudyCell } from '../../results/analysis/index.ts';
import { openTrialWorld, type RunContext, type TrialWorld } from '../../runner/index.ts';
import { isDoubtful, type TrialResult, type TrialTask } from '../sweep/executor.ts';
import { InProcess } from '../sweep/executor-of.ts';
import type { Period } from '../sweep/figures.ts';
import type { SweepJournal } from '../sweep/sweep-folder.ts';
import { hasWorkers, sharedFiles, WorkerPool } from '../workers/pool.ts';
import { BASELINES, type Baseline, baselineParameters } from './baselines.ts';
import { YARDSTICK, yardstick } from './planned-bar.ts';
import type { StudyRequest, StudyWindow } from './study-file.ts';

/**
 * Minimum number of trials per thread. With fewer trials, the start of a thread takes longer than the time it
 * saves.
 */
const TRIALS_A_THREAD = 50;

/**
 * Runs baselines and random agents (agents that trade at random times). Uses threads if there are enough
 * trials.
 */
export class StudyTrials {
  readonly #request: StudyRequest;
  readonly #ground: StudyGround;
  readonly #jobs: number;
  readonly #context: RunContext;
  #pool: WorkerPool | undefined;

  /**
   * Creates a runner.
   *
   * @param jobs maximum number of threads
   */
  constructor(request: StudyRequest, ground: StudyGround, jobs: number, context: RunContext) {
    this.#request = request;
    this.#ground = ground;
    this.#jobs = hasWorkers() ? jobs : 1;
    this.#context = context;
  }

  /**
   * Runs trials and yields their results in order of completion.
   *
   * @throws AppError if a thread was lost. A missing result would change the distribution of the random
   *   agents' returns
   */
  async *run(tasks: readonly TrialTask[], signal: AbortSignal): AsyncIterable<TrialResult> {
    const isMany = this.#jobs > 1 && tasks.length >= 2 * TRIALS_A_THREAD;
    if (isMany) this.#pool ??= this.#open(Math.min(this.#jobs, Math.floor(tasks.length / TRIALS_A_THREAD)));
    const executor = this.#pool ?? new InProcess(this.#ground.world);
    for await (const result of executor.run(tasks, signal)) {
      if (isDoubtful(result))
        throw new AppError({
          code: 'study_trial_lost',
          message: `A baseline or random agent was lost: ${result.error?.message ?? result.outcome}.`,
          hint: 'Continue with --resume, and with fewer --jobs if memory is short.',
          kind: 'run',
        });
      yield result;
    }
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }

  #open(jobs: number): WorkerPool {
    const { environment, pythonLimits } = this.#context;
    const settings = settingsOf(this.#request);
    return new WorkerPool(
      {
        strategy: YARDSTICK,
        bundle: undefined,
        parameters: baselineParameters('buy-and-hold', this.#request.baselines),
        options: this.#request.options,
        settings,
        files: sharedFiles(this.#ground.world.files),
        environment: { ...environment },
        pythonLimits: pythonLimits === undefined ? undefined : { ...pythonLimits },
      },
      jobs,
      settings.decisionTimeout ?? RULE_TIMEOUT_SECONDS,
    );
  }
}

/** Runs the baselines in every window. */
export async function runBaselines(
  request: StudyRequest,
  ground: StudyGround,
  journal: SweepJournal,
  trials: StudyTrials,
  signal: AbortSignal,
): Promise<Map<Baseline, (StudyCell | undefined)[]>> {
  const idOf = (baseline: Baseline, { name }: StudyWindow): string => `baseline/${baseline}/${name}`;
  const tasks = BASELINES.flatMap((baseline) =>
    request.windows.map((window) => ({
      trial: {
        id: idOf(baseline, window),
        parameters: baselineParameters(baseline, request.baselines),
        period: periodOf(ground, window),
      },
      study: true,
    })),
  );
  const missing = tasks.filter(({ trial }) => journal.get(trial.id) === undefined);
  for await (const result of trials.run(missing, signal)) journal.add(result);
  return new Map(
    BASELINES.map((baseline) => [
      baseline,
      request.windows.map((window) => journal.get(idOf(baseline, window))?.study),
    ]),
  );
}

/** Data and settings of a study. */
export interface StudyGround {
  readonly world: TrialWorld;
  readonly settings: RunSettings;
}

/**
 * Reads the data of a study and prepares its baselines.
 *
 * @throws AppError with every fault of the files
 */
export async function openGround(request: StudyRequest, context: RunContext): Promise<StudyGround> {
  const world = await openTrialWorld(
    {
      strategy: yardstick,
      parameters: baselineParameters('buy-and-hold', request.baselines),
      options: request.options,
      settings: settingsOf(request),
    },
    context,
  );
  return { world, settings: await world.settingsOf() };
}

export function settingsOf({
  settings,
  seed,
}: StudyRequest): StudyRequest['settings'] & { readonly seed: number } {
  return { ...settings, seed };
}

/**
 * Returns the period of a study window. It includes the whole last day. All bars before the window are
 * visible to the strategy but not evaluated.
 */
export function periodOf({ world }: StudyGround, { from, to }: StudyWindow): Period {
  return { from: formatInstant(world.files.market.clock[0]!), to: `${to}T23:59:59`, evaluateFrom: from };
}

/**
 * Returns the symbols with bars during the whole window, and the clock index of the window's first bar. If no
 * symbol has bars during the whole window, all symbols are returned.
 */
export function roomOf({ world, settings }: StudyGround, { from, to }: StudyWindow) {
  const { clock, series } = world.files.market;
  const offset = firstBarFrom(clock, parseInstant(from)!, settings.barTimes);
  const last = clock.findLast((time) => time <= parseInstant(`${to}T23:59:59`)!)!;
  const whole = series.filter(({ time }) => time[0]! <= clock[offset]! && time.at(-1)! >= last);
  const symbols = (whole.length > 0 ? whole : series).map(({ symbol }) => symbol);
  return { symbols, offset };
}
