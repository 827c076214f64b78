import type { Job, JobType, Queue } from 'bullmq';
import { messageOf } from '../../kernel/index.ts';
import { jobKey, KEPT_SECONDS, prefixOf, QUEUE } from './announced-sweeps.ts';
import { type Announcement, type QueueJob, type Signer, WRITER } from './messages.ts';
import type { QueueConnection } from './redis.ts';

/** Readable jobs of a queue, and the ids of its unreadable entries with the problem of each entry. */
interface ReadJobs {
  readonly jobs: readonly Job[];
  readonly damaged: readonly { readonly id: string; readonly problem: string }[];
}

/**
 * Reads the jobs in the given states, oldest first. Any client of the Redis server can add invalid entries.
 * Invalid entries are returned in `damaged`.
 *
 * @param last index of the last entry to read in each state; -1 to read all entries
 */
export async function readJobs(queue: Queue, states: readonly JobType[], last: number): Promise<ReadJobs> {
  const { Job: BullJob } = await import('bullmq');
  const listed = (): Promise<string[]> => queue.getRanges([...states], 0, last, true);
  const ids = await listed();
  const jobs: Job[] = [];
  const damaged: { id: string; problem: string }[] = [];
  const missing: string[] = [];
  await Promise.all(
    ids.map(async (id) => {
      try {
        const job: Job | undefined = await BullJob.fromId(queue, id);
        if (job === undefined) missing.push(id);
        // The id in a job's fields is not signed, so another client can change it. If the id differs from the
        // id in the list, the job counts as damaged.
        else if (job.id !== id) damaged.push({ id, problem: 'it has the name of another job' });
        else jobs.push(job);
      } catch (error) {
        damaged.push({ id, problem: messageOf(error) });
      }
    }),
  );
  if (missing.length > 0) {
    // A job that was removed after the list was read is no longer in the list. If the list still contains the
    // id, another client deleted the job, or it has expired.
    const still = new Set(await listed());
    for (const id of missing) if (still.has(id)) damaged.push({ id, problem: 'its job is missing' });
  }
  const order = new Map(ids.map((id, index) => [id, index]));
  jobs.sort((one, other) => order.get(one.id!)! - order.get(other.id!)!);
  return { jobs, damaged };
}

/**
 * Removes a job from Redis. BullMQ does not remove some jobs, for example locked jobs. The keys of such a job
 * are deleted directly.
 */
export async function removeJob(
  { redis }: QueueConnection,
  sweep: string,
  id: string,
  job?: Job,
): Promise<void> {
  const isGone = await job?.remove().then(
    () => true,
    () => false,
  );
  if (isGone === true) return;
  const key = jobKey(sweep, id);
  const prefix = `${prefixOf(sweep)}:${QUEUE}`;
  await redis
    .pipeline()
    .lrem(`${prefix}:active`, 0, id)
    .srem(`${prefix}:stalled`, id)
    .zrem(`${prefix}:completed`, id)
    .zrem(`${prefix}:failed`, id)
    .del(key, `${key}:lock`)
    .exec();
}

/** Trial as stored in the queue. Only workers interpret its input. */
export interface QueueTrial {
  readonly id: string;
  readonly input: unknown;
}

/**
 * Trials that are not in a job yet. Most jobs contain several trials. A trial that may have caused
 * the loss of an earlier job gets a separate job (`addAlone`).
 */
export class Backlog {
  readonly #fresh: QueueTrial[];
  #taken = 0;
  readonly #alone: QueueTrial[] = [];

  constructor(trials: readonly QueueTrial[]) {
    this.#fresh = [...trials];
  }

  get isEmpty(): boolean {
    return this.#alone.length === 0 && this.#taken === this.#fresh.length;
  }

  add(trial: QueueTrial): void {
    this.#fresh.push(trial);
  }

  addAlone(trial: QueueTrial): void {
    this.#alone.push(trial);
  }

  /** Returns the trials of the next job: at most `size` trials. */
  take(size: number): QueueTrial[] {
    const alone = this.#alone.shift();
    if (alone !== undefined) return [alone];
    const trials = this.#fresh.slice(this.#taken, this.#taken + size);
    this.#taken += trials.length;
    return trials;
  }
}

/** Target duration of a job in milliseconds. The overhead of the queue is small for jobs of this duration. */
const WORTHWHILE = 500;
const MOST = 100;
/** Number of trials per job before the duration of any trial is known. */
const FIRST = 8;
/**
 * A job contains at most 1/`SHARES` of the remaining trials, or `FIRST` trials if `FIRST` is larger. Jobs are
 * therefore small near the end, so that all workers stay busy.
 */
const SHARES = 64;

/** Chooses the number of trials per job, from the measured duration of a trial. */
export class BatchSize {
  readonly #fixed: number | undefined;
  /** Smoothed duration of one trial in milliseconds. */
  #mean: number | undefined;

  constructor(fixed?: number) {
    this.#fixed = fixed;
  }

  /**
   * Updates the mean duration of a trial after a job.
   *
   * @param trials number of trials that the job ran
   * @param milliseconds duration of the job
   */
  learn(trials: number, milliseconds: number): void {
    // The duration of a job is not signed, so another client may have written an invalid number.
    if (trials === 0 || !(milliseconds >= 0 && milliseconds < Number.POSITIVE_INFINITY)) return;
    const mean = milliseconds / trials;
    this.#mean = this.#mean === undefined ? mean : 0.8 * this.#mean + 0.2 * mean;
  }

  /**
   * Returns the number of trials for the next job.
   *
   * @param left number of trials that are not finished
   */
  next(left: number): number {
    if (this.#fixed !== undefined) return this.#fixed;
    const worthwhile = this.#mean === undefined ? FIRST : WORTHWHILE / Math.max(this.#mean, 1e-3);
    return Math.max(1, Math.floor(Math.min(worthwhile, MOST, Math.max(FIRST, left / SHARES))));
  }
}

/** Job that will be added to the queue. */
export interface NewJob {
  readonly id: string;
  readonly trials: QueueTrial[];
}

/** Signs jobs and adds them to the queue of a sweep. Redis removes a job after `KEPT_SECONDS`. */
export async function addJobs(
  queue: Queue,
  { redis }: QueueConnection,
  signer: Signer,
  { sweep, plan }: Pick<Announcement, 'sweep' | 'plan'>,
  jobs: readonly NewJob[],
): Promise<void> {
  await queue.addBulk(
    jobs.map(({ id, trials }) => ({
      name: 'trials',
      data: signer.sign('job', { ...WRITER, sweep, plan, batch: id, trials } satisfies QueueJob),
      opts: { jobId: id, removeOnComplete: false, removeOnFail: false },
    })),
  );
  const pipeline = redis.pipeline();
  for (const { id } of jobs) pipeline.expire(jobKey(sweep, id), KEPT_SECONDS);
  await pipeline.exec();
}
