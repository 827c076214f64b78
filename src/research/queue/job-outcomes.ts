import type { Job, Queue } from 'bullmq';
import type { ModelSpending } from '../../agents/index.ts';
import { AppError, messageOf } from '../../kernel/index.ts';
import { THREAD_ENDED } from '../sweep/executor.ts';
import {
  announcementOf,
  KEPT_SECONDS,
  lastingNames,
  prefixOf,
  QUEUE,
  refusalsOf,
  SWEEPS,
  typesOfKeys,
} from './announced-sweeps.ts';
import type { Backlog, QueueTrial } from './jobs.ts';
import { type Announcement, type JobResult, openJob, openResult, type Signer } from './messages.ts';
import type { QueueConnection } from './redis.ts';

/** Final outcomes of the trials of a finished job, and the job's result if it is valid. */
interface FinishedJob {
  readonly final: readonly QueueOutcome[];
  readonly result?: JobResult;
}

/**
 * Decides which trials of finished jobs have their final outcome, and which trials run again. Used by the
 * coordinator, the process that queues the jobs of a sweep.
 */
export class JobOutcomes {
  readonly #signer: Signer;
  readonly #announcement: Pick<Announcement, 'sweep' | 'plan'>;
  readonly #retries: number;
  readonly #tell: (text: string) => void;
  /** Number of failed attempts by trial. */
  readonly #attempts = new Map<string, number>();

  constructor(
    signer: Signer,
    announcement: Pick<Announcement, 'sweep' | 'plan'>,
    retries: number,
    tell: (text: string) => void,
  ) {
    this.#signer = signer;
    this.#announcement = announcement;
    this.#retries = retries;
    this.#tell = tell;
  }

  /**
   * Reads a finished job. Trials that must run again are added to the backlog.
   *
   * @param open trials of the job. `undefined` if this coordinator has no unfinished job with this id
   * @param left all trials of the sweep that have no outcome yet
   */
  read(
    job: Job,
    open: ReadonlyMap<string, QueueTrial> | undefined,
    backlog: Backlog,
    left: ReadonlyMap<string, QueueTrial>,
  ): FinishedJob {
    if (open === undefined) {
      // This coordinator has no unfinished job with this id. Either the coordinator has already finished the
      // job and this result is late, or another client added the job.
      if ('refused' in openJob(this.#signer, this.#announcement, job.id, job.data))
        this.#tell(`Job ${job.id} was not queued by this sweep and is ignored.`);
      return { final: [] };
    }
    const missing = new Map([...open].filter(([id]) => left.has(id)));
    const final: QueueOutcome[] = [];
    const again = (trial: QueueTrial, outcome: QueueOutcome): void => {
      const attempts = (this.#attempts.get(trial.id) ?? 0) + 1;
      this.#attempts.set(trial.id, attempts);
      if (attempts <= this.#retries) backlog.addAlone(trial);
      else final.push(outcome);
    };
    const opened = this.#resultOf(job);
    if ('refused' in opened) {
      // The job is lost: it has no valid result. A trial that is alone in its job must have caused the loss.
      // If the lost job has several trials, each of them gets a separate job, to find the cause.
      for (const trial of missing.values()) {
        if (missing.size > 1) backlog.addAlone(trial);
        else again(trial, { id: trial.id, lost: opened.refused });
      }
      return { final };
    }
    const { read: result } = opened;
    for (const outcome of result.outcomes) {
      const trial = missing.get(outcome.id);
      if (trial === undefined) continue;
      missing.delete(outcome.id);
      if ('lost' in outcome) again(trial, { id: trial.id, lost: outcome.lost });
      else if (outcome.isDoubtful) again(trial, { id: trial.id, result: outcome.result });
      else final.push({ id: trial.id, result: outcome.result });
    }
    for (const trial of missing.values()) backlog.add(trial);
    return { final, result };
  }

  #resultOf(job: Job): ReturnType<typeof openResult> {
    const { finishedOn, failedReason, returnvalue } = job as { returnvalue: unknown } & Job;
    if (failedReason !== undefined && failedReason !== '') return { refused: lossText(failedReason) };
    const opened = openResult(this.#signer, this.#announcement.sweep, job.id, returnvalue);
    if ('read' in opened) return opened;
    this.#tell(`The result of job ${job.id} (finished ${finishedOn}) is refused: ${opened.refused}.`);
    return { refused: `its result was refused: ${opened.refused}` };
  }
}

/**
 * Final outcome of a trial: its result, or the reason why it was lost. A loss is final after the allowed
 * number of retries.
 */
export type QueueOutcome =
  | { readonly id: string; readonly result: unknown }
  | { readonly id: string; readonly lost: string };

export interface SweepQueueOptions {
  readonly announcement: Omit<Announcement, 'protocol' | 'sandtable'>;
  /**
   * Maximum number of retries of a trial. A trial is retried if it was lost, or if its machine may have
   * caused a failure.
   */
  readonly retries: number;
  /** Number of trials per job. If omitted, the number depends on the measured duration of trials. */
  readonly batch?: number;
  /** Model usage by earlier processes of the sweep. */
  readonly spent?: ModelSpending;
  readonly note: (text: string) => void;
  /** Called with the total model usage of all trials when a worker reports usage. */
  readonly onSpent?: (spent: ModelSpending) => void;
  /** Writes the outcomes received so far to disk. Called before their jobs are removed from the queue. */
  readonly flush?: () => void;
}

/** Returns the error text for the trials of a job that BullMQ reports as failed. */
function lossText(reason: string): string {
  if (/stalled/.test(reason)) return THREAD_ENDED;
  return `its worker failed: ${messageOf(reason)}`;
}

/** Waits for a number of milliseconds, or until the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}

/** Key of a sweep whose Redis type differs from the type that Sandtable writes. */
interface DamagedKey {
  readonly key: string;
  readonly found: string;
  readonly expected: string;
}

/**
 * Checks the Redis types of a sweep's keys and of the list of sweeps. Any client of the Redis server can
 * overwrite these keys.
 *
 * @throws AppError `queue_damaged` for the first key whose type is wrong
 */
export async function checkKeys(connection: QueueConnection, sweep: string): Promise<void> {
  const [first] = await damagedKeys(connection, sweep);
  if (first !== undefined) throw damagedQueue(connection, first);
}

async function damagedKeys({ redis }: QueueConnection, sweep: string): Promise<DamagedKey[]> {
  const types = new Map([[SWEEPS, 'zset'], ...typesOfKeys(sweep)]);
  const pipeline = redis.pipeline();
  for (const key of types.keys()) pipeline.type(key);
  const answers = (await pipeline.exec()) ?? [];
  return [...types].flatMap(([key, expected], index) => {
    const found = String(answers[index]?.[1] ?? 'none');
    return found === 'none' || found === expected ? [] : [{ key, found, expected }];
  });
}

function damagedQueue({ shown }: QueueConnection, { key, found, expected }: DamagedKey): AppError {
  return new AppError({
    code: 'queue_damaged',
    message: `The queue ${shown} cannot be used: the key ${key} has the Redis type ${found}. Sandtable expects ${expected}.`,
    hint: `Another client of this Redis wrote the key. Delete it (redis-cli del '${key}'), then start the sweep again with --resume.`,
    kind: 'run',
  });
}

/** True if Redis answered a command with an error, for example because a key has the wrong type. */
export function isRefusedCommand(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/**
 * Explains an error of a Redis command that the coordinator sent.
 *
 * @returns AppError `queue_damaged` or `queue_refused` if Redis refused the command, else the error itself
 */
export async function explained(
  connection: QueueConnection,
  sweep: string,
  error: unknown,
): Promise<unknown> {
  if (!isRefusedCommand(error)) return error;
  const [first] = await damagedKeys(connection, sweep).catch(() => []);
  if (first !== undefined) return damagedQueue(connection, first);
  return new AppError({
    code: 'queue_refused',
    message: `The queue ${connection.shown} refused a command: ${messageOf(error).slice(0, 300)}`,
    hint: 'Check the Redis and its user, then start the sweep again with --resume.',
    kind: 'run',
    cause: error,
  });
}

/**
 * Largest number of refusals that are shown to the user. The number is limited because any client of the
 * Redis server can add refusals.
 */
const MOST_SHOWN = 20;
const LONGEST_TEXT = 500;
const LONGEST_NAME = 100;

/** Reports to the coordinator of a sweep why a worker refuses the sweep. */
export async function reportRefusal(
  { redis }: QueueConnection,
  worker: string,
  sweep: string,
  text: string,
): Promise<void> {
  const pipeline = redis.pipeline();
  pipeline.hset(refusalsOf(sweep), worker, text.slice(0, LONGEST_TEXT));
  pipeline.expire(refusalsOf(sweep), KEPT_SECONDS);
  await pipeline.exec();
}

/** Returns one sentence for each worker that refuses a sweep. */
export async function readRefusals({ redis }: QueueConnection, sweep: string): Promise<string[]> {
  const refusals = await redis.hgetall(refusalsOf(sweep));
  return Object.entries(refusals)
    .slice(0, MOST_SHOWN)
    .map(
      ([worker, text]) =>
        `The worker ${worker.slice(0, LONGEST_NAME)} does not take part: ${text.slice(0, LONGEST_TEXT)}`,
    );
}

/**
 * Removes a sweep's jobs and all its other keys from Redis. Workers notice the missing announcement and stop
 * working for the sweep.
 */
export async function clearSweep(connection: QueueConnection, sweep: string): Promise<void> {
  const { redis } = connection;
  await redis.del(announcementOf(sweep));
  for (const { key } of await damagedKeys(connection, sweep)) if (key !== SWEEPS) await redis.del(key);
  const queue = await openBull(connection, sweep);
  try {
    await redis.zrem(SWEEPS, sweep);
    await queue.obliterate({ force: true });
  } catch (error) {
    // Another client changed the type of a key. Redis removes the remaining keys when they expire.
    if (!isRefusedCommand(error)) throw error;
  }
  await queue.close();
  await redis.del(...lastingNames(sweep));
}

/** Opens the BullMQ queue of a sweep. The Redis keys of the queue begin with the sweep's prefix. */
export async function openBull({ redis }: QueueConnection, sweep: string): Promise<Queue> {
  const { Queue: BullQueue } = await import('bullmq');
  const queue = new BullQueue(QUEUE, {
    connection: redis,
    prefix: prefixOf(sweep),
    skipVersionCheck: true,
    // BullMQ would write the settings of the queue without an expiry, even for a queue that Sandtable
    // refuses. `announce` writes the settings instead.
    skipMetasUpdate: true,
  });
  // Errors are ignored here, because the connection already reports that Redis is unreachable.
  queue.on('error', () => undefined);
  return queue;
}
