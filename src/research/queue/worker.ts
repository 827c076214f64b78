import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Meter, SHARED_BUDGET_SPENT } from '../../agents/index.ts';
import { cacheFolderOf } from '../../sandbox/index.ts';
import { serveMeter } from '../budget/meter.ts';
import { type ObjectCache, objectCache } from '../store/content-store.ts';
import { openStore } from '../store/open-store.ts';
import { isDoubtful, type TrialResult, type TrialTask } from '../sweep/executor.ts';
import { WorkerPool } from '../workers/pool.ts';
import { type Announcement, SECRET_VARIABLE, signerFrom } from './messages.ts';
import { openPlan, type SweepGround } from './plan.ts';
import { QueueMeter } from './queue-meter.ts';
import { connectQueue, queueWarnings, readQueueAddress } from './redis.ts';
import type { OpenedSweep, TrialRun } from './sweep-worker.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface WorkerOptions {
  readonly queue: string;
  readonly store: string;
  /** Number of trials that run in parallel. */
  readonly jobs: number;
  readonly environment: Environment;
  readonly note: (text: string) => void;
  /** Stops the worker after the current trials. */
  readonly signal: AbortSignal;
}

/**
 * Runs trials of all sweeps announced in a queue, until the worker is stopped.
 *
 * @returns number of trials that the worker ran
 * @throws AppError `no_sweep_secret`, `bad_queue`, `queue_unreachable`, `bad_store`, `package_missing`,
 *   `cache_unwritable`
 */
export async function runWorker(options: WorkerOptions): Promise<number> {
  const { queue, store: place, jobs, environment, note, signal } = options;
  const signer = signerFrom(environment);
  const address = readQueueAddress(queue, environment);
  for (const warning of address.warnings) note(warning);
  const store = await openStore(place, environment);
  const connection = await connectQueue(address, note);
  try {
    for (const warning of await queueWarnings(connection)) note(warning);
    const cache = await objectCache(store, join(cacheFolderOf(environment), 'objects'));
    const { serveQueue } = await import('./serve-queue.ts');
    return await serveQueue(connection, signer, {
      jobs,
      note,
      signal,
      open(announcement) {
        const { sweep, budget } = announcement;
        const meter = budget === null ? undefined : new QueueMeter(connection, sweep, budget);
        return openSweep(announcement, cache, jobs, withoutSecrets(environment), meter);
      },
    });
  } finally {
    connection.close();
    store.close();
  }
}

/**
 * Returns the environment of a strategy's process. It contains neither the sweep secret nor the Redis
 * password.
 */
function withoutSecrets(environment: Environment): Environment {
  const { [SECRET_VARIABLE]: _secret, SANDTABLE_REDIS_PASSWORD: _password, ...rest } = environment;
  return rest;
}

async function openSweep(
  { plan }: Announcement,
  cache: ObjectCache,
  jobs: number,
  environment: Environment,
  meter: Meter | undefined,
): Promise<OpenedSweep> {
  const served = meter === undefined ? undefined : serveMeter(meter);
  const folder = await mkdtemp(join(tmpdir(), 'sandtable-worker-'));
  try {
    const ground = await openPlan(plan, cache, folder);
    const hands = Array.from({ length: jobs }, () => new Hand(ground, environment, served?.name));
    return {
      async run({ input }, late) {
        let hand = hands.find((one) => one.take());
        if (hand === undefined) {
          // All threads can be busy, because the thread of an aborted trial may take time to end. A new
          // thread is then started for this trial.
          hand = new Hand(ground, environment, served?.name);
          hand.take();
          hands.push(hand);
        }
        return hand.run(input as TrialTask, late);
      },
      async close() {
        await Promise.all(hands.map((hand) => hand.close()));
        served?.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    served?.close();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Thread that runs one trial at a time. If the thread must be ended, a new thread replaces it. */
class Hand {
  readonly #ground: SweepGround;
  readonly #environment: Environment;
  readonly #meter: string | undefined;
  #pool: WorkerPool | undefined;
  #taken = false;

  constructor(ground: SweepGround, environment: Environment, meter: string | undefined) {
    this.#meter = meter;
    this.#ground = ground;
    this.#environment = environment;
  }

  /**
   * Reserves the thread.
   *
   * @returns false if the thread is busy
   */
  take(): boolean {
    if (this.#taken) return false;
    this.#taken = true;
    return true;
  }

  async run(task: TrialTask, late: AbortSignal): Promise<TrialRun> {
    const { decisionSeconds, ...start } = this.#ground;
    this.#pool ??= new WorkerPool(
      { ...start, environment: this.#environment, meter: this.#meter, pythonLimits: undefined },
      1,
      decisionSeconds,
    );
    try {
      const result = await Promise.race([first(this.#pool.run([task])), whenAborted(late)]);
      return {
        result,
        isDoubtful: isDoubtful(result),
        isOutOfBudget: result.error?.code === SHARED_BUDGET_SPENT,
      };
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      this.#taken = false;
    }
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.close();
  }
}

async function first(results: AsyncIterable<TrialResult>): Promise<TrialResult> {
  for await (const result of results) return result;
  throw new Error('its thread ended without a result');
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('given up')), { once: true });
  });
}
