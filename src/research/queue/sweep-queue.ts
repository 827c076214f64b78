import type { Job, Queue } from 'bullmq';
import type { ModelSpending } from '../../agents/index.ts';
import { budgetReached, mostSpent, NOTHING_SPENT, reachedLimit } from '../budget/meter.ts';
import { announce } from './announced-sweeps.ts';
import {
  checkKeys,
  clearSweep,
  explained,
  JobOutcomes,
  openBull,
  pause,
  type QueueOutcome,
  readRefusals,
  type SweepQueueOptions,
} from './job-outcomes.ts';
import { addJobs, Backlog, BatchSize, type NewJob, type QueueTrial, readJobs, removeJob } from './jobs.ts';
import { LostJobs, recoverJobs } from './lost-jobs.ts';
import type { JobResult, Signer } from './messages.ts';
import { QueueMeter } from './queue-meter.ts';
import type { QueueConnection } from './redis.ts';

/**
 * Maximum number of unfinished jobs in Redis. Limits the memory that Redis uses, and is large enough to keep
 * all workers busy.
 */
const MOST_JOBS = 4_000;
/** Maximum number of finished jobs fetched in one step. */
const FETCHED = 100;
/** Shortest and longest wait between two checks for finished jobs, in milliseconds. */
const WAITS = [5, 250] as const;
/** Interval in milliseconds at which the expiry of the sweep's keys in Redis is renewed. */
const CARE = 20_000;
/** Milliseconds without a finished job after which the coordinator checks if its jobs still exist. */
const DOUBT = 5_000;

/**
 * Queue of a sweep for the coordinator, the process that the user started to run the sweep. All results are
 * stored in this process and in the sweep's journal. If Redis loses its data, some trials run again, but no
 * result is lost.
 */
export class SweepQueue {
  readonly #queue: Queue;
  readonly #connection: QueueConnection;
  readonly #signer: Signer;
  readonly #options: SweepQueueOptions;
  /** Trials of each unfinished job, by id of the job and id of the trial. */
  readonly #open = new Map<string, ReadonlyMap<string, QueueTrial>>();
  readonly #size: BatchSize;
  readonly #shown = new Set<string>();
  readonly #outcomes: JobOutcomes;
  readonly #lost: LostJobs;
  #care: NodeJS.Timeout | undefined;
  #jobs = 0;
  #recovered = false;
  /** Limit of the shared budget that is exhausted. `undefined` if no limit is exhausted. */
  #reached: ReturnType<typeof reachedLimit>;
  readonly #meter: QueueMeter | undefined;
  #spent: ModelSpending;

  private constructor(queue: Queue, connection: QueueConnection, signer: Signer, options: SweepQueueOptions) {
    this.#queue = queue;
    this.#connection = connection;
    this.#signer = signer;
    this.#options = options;
    this.#size = new BatchSize(options.batch);
    const { announcement, retries } = options;
    const tell = (text: string): void => this.#tell(text);
    this.#outcomes = new JobOutcomes(signer, announcement, retries, tell);
    this.#lost = new LostJobs(connection, queue, announcement, tell);
    const { sweep, budget } = announcement;
    this.#meter = budget === null ? undefined : new QueueMeter(connection, sweep, budget);
    this.#spent = options.spent ?? NOTHING_SPENT;
  }

  /** Opens the queue of a sweep and announces the sweep to workers. */
  static async open(
    connection: QueueConnection,
    signer: Signer,
    options: SweepQueueOptions,
  ): Promise<SweepQueue> {
    const queue = await openBull(connection, options.announcement.sweep);
    const opened = new SweepQueue(queue, connection, signer, options);
    const { sweep } = options.announcement;
    try {
      await checkKeys(connection, sweep);
      await opened.#meter?.raise(opened.#spent);
      await opened.#maintain();
    } catch (error) {
      throw await explained(connection, sweep, error);
    }
    opened.#care = setInterval(() => void opened.#maintain().catch(() => undefined), CARE);
    return opened;
  }

  /**
   * Runs trials on workers. Each outcome is returned once, in order of completion. A job is removed from
   * Redis only after its outcomes are on disk. After a crash, a resumed sweep therefore finds all unwritten
   * outcomes in Redis.
   */
  async *run(trials: readonly QueueTrial[], signal?: AbortSignal): AsyncGenerator<QueueOutcome> {
    const { redis } = this.#connection;
    // Redis commands wait while Redis is unreachable. An interrupt therefore ends the connection, so that the
    // sweep stops immediately.
    const leave = (): void => {
      if (redis.status !== 'ready') redis.disconnect();
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      yield* this.#runAll(trials, signal);
    } catch (error) {
      if (signal?.aborted !== true || redis.status === 'ready')
        throw await explained(this.#connection, this.#options.announcement.sweep, error);
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  async *#runAll(
    trials: readonly QueueTrial[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<QueueOutcome> {
    const left = new Map(trials.map((trial) => [trial.id, trial]));
    const backlog = new Backlog(await this.#recover(left));
    let [wait, progress, returns] = [WAITS[0] as number, Date.now(), this.#connection.returns()];
    while (left.size > 0) {
      const isLast = signal?.aborted === true;
      if (!isLast && this.#reached === undefined) await this.#fill(backlog, left.size);
      const jobs = await this.#finished();
      // Only jobs of this coordinator count as progress, because another client can add finished jobs.
      if (jobs.some(({ id }) => this.#open.has(id!))) progress = Date.now();
      for (const job of jobs) {
        const { final, result } = this.#outcomes.read(job, this.#open.get(job.id ?? ''), backlog, left);
        if (result !== undefined) this.#learn(result, (job.finishedOn ?? 0) - (job.processedOn ?? 0));
        for (const outcome of final) {
          left.delete(outcome.id);
          yield outcome;
        }
        this.#open.delete(job.id ?? '');
      }
      this.#options.flush?.();
      const { sweep } = this.#options.announcement;
      for (const job of jobs) await removeJob(this.#connection, sweep, job.id!, job);
      if (isLast) return;
      // If the budget is exhausted, no jobs are added. Running trials may still finish without a further
      // model request. The sweep stops when no jobs are open.
      if (this.#reached !== undefined && this.#open.size === 0)
        throw budgetReached(this.#options.announcement.budget ?? {}, this.#reached);
      if (Date.now() - progress > DOUBT || returns !== this.#connection.returns()) {
        [progress, returns] = [Date.now(), this.#connection.returns()];
        await checkKeys(this.#connection, sweep);
        await this.#findLost(backlog, left);
        for (const text of await readRefusals(this.#connection, sweep)) this.#tell(text);
      }
      if (jobs.length > 0) {
        wait = WAITS[0];
        continue;
      }
      await pause(wait, signal);
      wait = Math.min(2 * wait, WAITS[1]);
    }
  }

  /** Number of trials in unfinished jobs: waiting for a worker, or running. */
  get openTrials(): number {
    return [...this.#open.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Closes the queue.
   *
   * @param finished true if the sweep has ended. All keys of the sweep are then removed from Redis
   */
  async close(finished: boolean): Promise<void> {
    clearInterval(this.#care);
    if (finished && this.#connection.redis.status === 'ready')
      await clearSweep(this.#connection, this.#options.announcement.sweep);
    await this.#queue.close();
  }

  /**
   * Reads the jobs that an earlier coordinator left in the queue. Returns the trials that these jobs do not
   * contain.
   */
  async #recover(left: ReadonlyMap<string, QueueTrial>): Promise<QueueTrial[]> {
    if (this.#recovered) return [...left.values()];
    this.#recovered = true;
    const found = await recoverJobs(this.#queue, this.#signer, this.#options.announcement, left);
    for (const [id, trials] of found) this.#open.set(id, trials);
    const waiting = new Set([...found.values()].flatMap((trials) => [...trials.keys()]));
    return [...left.values()].filter(({ id }) => !waiting.has(id));
  }

  /** Adds jobs with trials of the backlog to the queue until it contains `MOST_JOBS` unfinished jobs. */
  async #fill(backlog: Backlog, left: number): Promise<void> {
    const added: NewJob[] = [];
    while (!backlog.isEmpty && this.#open.size + added.length < MOST_JOBS)
      added.push({ id: this.#newJob(), trials: backlog.take(this.#size.next(left)) });
    if (added.length === 0) return;
    await addJobs(this.#queue, this.#connection, this.#signer, this.#options.announcement, added);
    for (const { id, trials } of added) this.#open.set(id, new Map(trials.map((trial) => [trial.id, trial])));
  }

  /** Returns a job id that no earlier coordinator of the sweep has used. */
  #newJob(): string {
    return `j${process.pid}-${Date.now().toString(36)}-${this.#jobs++}`;
  }

  async #finished(): Promise<readonly Job[]> {
    const { jobs, damaged } = await readJobs(this.#queue, ['completed', 'failed'], FETCHED - 1);
    for (const { id, problem } of damaged) {
      this.#tell(
        `Job ${id.slice(0, 100)} in the queue cannot be read and is removed: ${problem.slice(0, 200)}`,
      );
      // If this process added the damaged job, `#findLost` returns its trials to the backlog.
      await removeJob(this.#connection, this.#options.announcement.sweep, id);
    }
    return jobs;
  }

  /** Records the model usage and the duration of trials that a worker reports. */
  #learn({ outcomes, spent, isOutOfBudget }: JobResult, milliseconds: number): void {
    const { budget } = this.#options.announcement;
    if (spent !== undefined && budget !== null) {
      this.#spent = mostSpent(this.#spent, spent);
      this.#options.onSpent?.(this.#spent);
      // The worker may have used the smaller budget of an earlier coordinator. A limit counts as reached only
      // if the current budget is exhausted.
      if (isOutOfBudget === true) this.#reached ??= reachedLimit(budget, this.#spent);
    }
    this.#size.learn(outcomes.length, milliseconds);
  }

  /**
   * Adds the trials of lost jobs to the backlog. A job is lost if Redis loses its data or another client
   * damages the job.
   */
  async #findLost(backlog: Backlog, left: ReadonlyMap<string, QueueTrial>): Promise<void> {
    const lost = await this.#lost.find([...this.#open.keys()]);
    for (const id of lost) {
      for (const trial of this.#open.get(id)!.values()) if (left.has(trial.id)) backlog.add(trial);
      this.#open.delete(id);
    }
    if (lost.length === 0) return;
    await this.#meter?.raise(this.#spent);
    await this.#maintain();
  }

  #tell(text: string): void {
    if (this.#shown.has(text) || this.#shown.size > 1_000) return;
    this.#shown.add(text);
    this.#options.note(text);
  }

  /** Announces the sweep again, and extends the expiry of its keys. */
  async #maintain(): Promise<void> {
    await announce(this.#connection, this.#signer, this.#options.announcement);
  }
}
