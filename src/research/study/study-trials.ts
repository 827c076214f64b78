import { RULE_TIMEOUT_SECONDS } from '../../agent/index.ts';
import type { StudyCell } from '../../analysis/index.ts';
import { AppError } from '../../kernel/index.ts';
import type { RunContext } from '../../runner/index.ts';
import type { TrialResult, TrialTask } from '../executor.ts';
import { InProcess } from '../in-process.ts';
import { isDoubtful } from '../lost.ts';
import type { SweepJournal } from '../sweep-folder.ts';
import { hasWorkers, WorkerPool } from '../workers/pool.ts';
import { sharedFiles } from '../workers/share.ts';
import { BASELINES, type Baseline, baselineParameters } from './baselines.ts';
import type { StudyRequest, StudyWindow } from './study-file.ts';
import { periodOf, type StudyGround, settingsOf } from './study-ground.ts';
import { YARDSTICK } from './yardstick.ts';

/** Minimum number of trials per thread for which starting the thread is worthwhile. */
const TRIALS_A_THREAD = 50;

/** Runs baselines and random agents. Uses threads of the sweep engine if there are enough trials. */
export class StudyTrials {
  readonly #request: StudyRequest;
  readonly #ground: StudyGround;
  readonly #jobs: number;
  readonly #context: RunContext;
  #pool: WorkerPool | undefined;

  /** @param jobs maximum number of threads */
  constructor(request: StudyRequest, ground: StudyGround, jobs: number, context: RunContext) {
    this.#request = request;
    this.#ground = ground;
    this.#jobs = hasWorkers() ? jobs : 1;
    this.#context = context;
  }

  /**
   * @throws AppError if a thread was lost, because without its trial the distribution of draws would change
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
          hint: 'Go on with --resume, and with fewer --jobs where memory is short.',
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
