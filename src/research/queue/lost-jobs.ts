import type { Queue } from 'bullmq';
import { isJsonText } from '../../kernel/index.ts';
import { jobKey, prefixOf, QUEUE } from './announced-sweeps.ts';
import { type QueueTrial, readJobs, removeJob } from './jobs.ts';
import { type Announcement, openJob, type Signer } from './messages.ts';
import type { QueueConnection } from './redis.ts';

/**
 * Number of lock lifetimes (`lockSeconds`) after which a job without a lock counts as stuck. Workers check
 * for unlocked jobs once per lifetime, so no worker can recover a job that is still unlocked after several
 * lifetimes.
 */
const STUCK_LOCKS = 3;
/**
 * Number of waiting jobs, from the front of the queue, that are checked for unreadable fields. A check of the
 * front is sufficient, because BullMQ repeatedly returns an unreadable job to the front.
 */
const NEXT = 100;

/**
 * Finds the jobs that no worker can finish. Any client of the Redis server can damage the jobs of a queue.
 */
export class LostJobs {
  readonly #connection: QueueConnection;
  readonly #queue: Queue;
  readonly #announcement: Pick<Announcement, 'sweep' | 'lockSeconds'>;
  readonly #tell: (text: string) => void;
  /** Times at which jobs were first seen without a lock. */
  readonly #unlockedSince = new Map<string, number>();

  constructor(
    connection: QueueConnection,
    queue: Queue,
    announcement: Pick<Announcement, 'sweep' | 'lockSeconds'>,
    tell: (text: string) => void,
  ) {
    this.#connection = connection;
    this.#queue = queue;
    this.#announcement = announcement;
    this.#tell = tell;
  }

  /**
   * Finds the lost jobs. Before the search, continues a paused queue, and removes unreadable and stuck jobs
   * from Redis.
   *
   * @param jobs ids of the coordinator's unfinished jobs
   * @returns the ids of the lost jobs among `jobs`. A job is lost if its key is missing or overwritten, or if
   *   no list of the queue contains it
   */
  async find(jobs: readonly string[]): Promise<string[]> {
    await this.#continuePaused();
    await this.#removeUnreadable();
    await this.#removeStuck();
    const { redis } = this.#connection;
    const { sweep } = this.#announcement;
    // A single script reads all lists, so a job that moves between two lists is found in one of them.
    const listed = new Set(
      await this.#queue.getRanges(['wait', 'active', 'delayed', 'prioritized', 'completed', 'failed'], 0, -1),
    );
    const pipeline = redis.pipeline();
    for (const id of jobs) pipeline.type(jobKey(sweep, id));
    const answers = (await pipeline.exec()) ?? [];
    const lost = jobs.filter((id, index) => {
      const [problem, type] = answers[index] ?? [];
      return problem === null && (type !== 'hash' || !listed.has(id));
    });
    if (lost.length > 0) await redis.del(...lost.map((id) => jobKey(sweep, id)));
    return lost;
  }

  /** Continues a paused queue. Sandtable never pauses a queue, so another client must have paused it. */
  async #continuePaused(): Promise<void> {
    if (!(await this.#queue.isPaused())) return;
    await this.#queue.resume();
    this.#tell('The queue was paused by another client of the Redis. It continues.');
  }

  /**
   * Removes jobs whose fields are not JSON. BullMQ throws on such a job after its worker has locked it, and
   * passes the job to a worker again whenever the lock expires.
   */
  async #removeUnreadable(): Promise<void> {
    const { redis } = this.#connection;
    const { sweep } = this.#announcement;
    const list = (name: string): string => `${prefixOf(sweep)}:${QUEUE}:${name}`;
    const active = await redis.lrange(list('active'), 0, -1);
    const ids = [...active, ...(await redis.lrange(list('wait'), -NEXT, -1))];
    const pipeline = redis.pipeline();
    for (const id of ids) pipeline.hmget(jobKey(sweep, id), 'data', 'opts');
    const answers = (await pipeline.exec()) ?? [];
    for (const [index, id] of ids.entries()) {
      const [problem, fields] = answers[index] ?? [];
      // If the fields are missing, the job has ended or its key has another type. Such jobs are not removed
      // here.
      const isReadable = (fields as (string | null)[] | undefined)?.every(
        (text) => text === null || isJsonText(text),
      );
      if (problem !== null || isReadable !== false) continue;
      this.#tell(`Job ${id.slice(0, 100)} in the queue cannot be read and is removed.`);
      await this.#remove(id);
    }
  }

  /**
   * Removes jobs that have had no lock for `STUCK_LOCKS` lock lifetimes. BullMQ cannot return such jobs to
   * the queue.
   */
  async #removeStuck(): Promise<void> {
    const { lockSeconds } = this.#announcement;
    const now = Date.now();
    const unlocked = await this.#unlocked();
    for (const id of this.#unlockedSince.keys()) if (!unlocked.includes(id)) this.#unlockedSince.delete(id);
    for (const id of unlocked) {
      const since = this.#unlockedSince.get(id) ?? now;
      this.#unlockedSince.set(id, since);
      if (now - since < STUCK_LOCKS * lockSeconds * 1_000) continue;
      this.#tell(`Job ${id.slice(0, 100)} in the queue is stuck and is removed: no worker has its lock.`);
      await this.#remove(id);
      this.#unlockedSince.delete(id);
    }
  }

  /**
   * Returns the jobs in the list of active jobs that no worker has locked. Either the worker of the job has
   * ended, or another client damaged the job so that BullMQ cannot return it to the queue.
   *
   * A lock that expires later than `lockSeconds` from now was set by another client and is ignored.
   */
  async #unlocked(): Promise<string[]> {
    const { redis } = this.#connection;
    const { sweep, lockSeconds } = this.#announcement;
    const ids = await redis.lrange(`${prefixOf(sweep)}:${QUEUE}:active`, 0, -1);
    const pipeline = redis.pipeline();
    for (const id of ids) pipeline.pttl(`${jobKey(sweep, id)}:lock`);
    const answers = (await pipeline.exec()) ?? [];
    return ids.filter((_, index) => {
      const left = Number(answers[index]?.[1] ?? -1);
      return left < 0 || left > lockSeconds * 1_000;
    });
  }

  async #remove(id: string): Promise<void> {
    const { sweep } = this.#announcement;
    await this.#connection.redis.lrem(`${prefixOf(sweep)}:${QUEUE}:wait`, 0, id);
    await removeJob(this.#connection, sweep, id);
  }
}

/**
 * Finds the jobs that an earlier coordinator of the same sweep left in the queue, so that no trial is added
 * twice.
 *
 * @param left trials without an outcome
 * @returns for each job id, the trials of the job that are also in `left`. A trial in two jobs is returned
 *   only for the first job
 */
export async function recoverJobs(
  queue: Queue,
  signer: Signer,
  announcement: Pick<Announcement, 'sweep' | 'plan'>,
  left: ReadonlyMap<string, QueueTrial>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, QueueTrial>>> {
  const found = new Map<string, ReadonlyMap<string, QueueTrial>>();
  const seen = new Set<string>();
  const states = ['wait', 'active', 'delayed', 'completed', 'failed'] as const;
  for (const job of (await readJobs(queue, states, -1)).jobs) {
    const opened = openJob(signer, announcement, job.id, job.data);
    if ('refused' in opened) continue;
    const own = new Map<string, QueueTrial>();
    for (const { id, input } of opened.read.trials) {
      const trial = left.get(id);
      // The queued job may contain a trial with the same id that requests other metrics. In this case, the
      // trial must run again.
      if (trial === undefined || seen.has(id) || JSON.stringify(trial.input) !== JSON.stringify(input))
        continue;
      own.set(id, trial);
      seen.add(id);
    }
    found.set(job.id!, own);
  }
  return found;
}
