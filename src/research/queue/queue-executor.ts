import type { Meter, ModelSpending } from '../../agents/index.ts';
import type { SweepBudget } from '../budget/meter.ts';
import { openStore } from '../store/open-store.ts';
import type { TrialExecutor, TrialResult, TrialTask } from '../sweep/executor.ts';
import type { ExecutorGround } from '../sweep/sweep-request.ts';
import { clearSweep, type QueueOutcome } from './job-outcomes.ts';
import { type Announcement, signerFrom } from './messages.ts';
import { type ClusterOptions, storePlan } from './plan.ts';
import { QueueMeter } from './queue-meter.ts';
import { connectQueue, type QueueConnection, queueWarnings, readQueueAddress } from './redis.ts';
import { SweepQueue } from './sweep-queue.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Budget of model usage for all trials, and the usage by earlier processes. */
export interface BudgetOfCluster {
  readonly budget: SweepBudget;
  readonly spent: ModelSpending;
  readonly onSpent: (spent: ModelSpending) => void;
}

/**
 * Prepares a sweep on several machines: writes its inputs to the store and announces the sweep.
 *
 * @param flush writes the results received so far to disk
 * @param note called with messages for the user
 * @throws AppError `no_sweep_secret`, `bad_queue`, `queue_unreachable`, `bad_store`, `not_for_a_queue`,
 *   `package_missing`, and errors of the store
 */
export async function openCluster(
  options: ClusterOptions,
  { start, seconds }: ExecutorGround,
  flush: () => void,
  note: (text: string) => void,
  spending?: BudgetOfCluster,
): Promise<TrialExecutor> {
  const { environment, pythonLimits: _, meter: __, ...shared } = start;
  const signer = signerFrom(environment);
  const address = readQueueAddress(options.queue, environment);
  for (const warning of address.warnings) note(warning);
  const store = await openStore(options.store, environment);
  const connection = await connectQueue(address, note);
  try {
    for (const warning of await queueWarnings(connection)) note(warning);
    const { sweep, rate } = options;
    const announcement: Omit<Announcement, 'protocol' | 'sandtable'> = {
      sweep,
      plan: await storePlan({ ...shared, decisionSeconds: seconds }, store),
      lockSeconds: options.lockSeconds ?? 30,
      trialSeconds: options.trialSeconds ?? null,
      rate: rate === undefined ? null : { trials: rate, seconds: 60 },
      budget: spending === undefined ? null : { ...spending.budget },
    };
    const queue = await SweepQueue.open(connection, signer, {
      announcement,
      retries: options.retries ?? 2,
      // With a rate limit or a budget, each job contains one trial. A rate limit counts jobs, and a trial
      // that calls a model is slow.
      ...(rate === undefined && spending === undefined ? {} : { batch: 1 }),
      ...(spending === undefined ? {} : { spent: spending.spent, onSpent: spending.onSpent }),
      note,
      flush,
    });
    const meter = spending === undefined ? undefined : new QueueMeter(connection, sweep, spending.budget);
    return new QueueExecutor(queue, connection, meter);
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    store.close();
  }
}

/** Runs the trials of a sweep on the workers of a queue. */
class QueueExecutor implements TrialExecutor {
  readonly meter: Meter | undefined;
  readonly #queue: SweepQueue;
  readonly #connection: QueueConnection;

  constructor(queue: SweepQueue, connection: QueueConnection, meter: Meter | undefined) {
    this.meter = meter;
    this.#queue = queue;
    this.#connection = connection;
  }

  async *run(tasks: readonly TrialTask[], signal?: AbortSignal): AsyncIterable<TrialResult> {
    const trials = tasks.map((task) => ({ id: task.trial.id, input: task }));
    for await (const outcome of this.#queue.run(trials, signal)) yield resultOf(outcome);
  }

  async close(): Promise<void> {
    // `true` removes the sweep from Redis. A resumed sweep adds its remaining trials to the queue again.
    await this.#queue.close(true);
    this.#connection.close();
  }
}

/**
 * Removes the entries of a sweep from Redis, for example after its coordinator was killed.
 *
 * @throws AppError `bad_queue`, `queue_unreachable`, `package_missing`
 */
export async function clearCluster(
  { queue, sweep }: Pick<ClusterOptions, 'queue' | 'sweep'>,
  environment: Environment,
): Promise<void> {
  const connection = await connectQueue(readQueueAddress(queue, environment), () => undefined);
  try {
    await clearSweep(connection, sweep);
  } finally {
    connection.close();
  }
}

function resultOf(outcome: QueueOutcome): TrialResult {
  if ('result' in outcome) return outcome.result as TrialResult;
  return {
    id: outcome.id,
    outcome: 'failed',
    error: { code: 'worker_lost', message: outcome.lost },
    figures: null,
    seconds: 0,
  };
}
