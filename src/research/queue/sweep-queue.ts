import type { Job, Queue } from 'bullmq';
import type { ModelSpending } from '../../agent/index.ts';
import { budgetReached, mostSpent, NOTHING_SPENT, reachedLimit } from '../budget/reached.ts';
import { announce } from './announce.ts';
import { Backlog, type QueueTrial } from './backlog.ts';
import { BatchSize } from './batch-size.ts';
import { clearSweep, openBull } from './bull.ts';
import { checkKeys, explained } from './damage.ts';
import { JobOutcomes } from './job-outcomes.ts';
import { pause } from './losses.ts';
import { LostJobs } from './lost-jobs.ts';
import { type JobResult, type QueueJob, WRITER } from './messages.ts';
import { jobKey, KEPT_SECONDS } from './names.ts';
import type { QueueOutcome, SweepQueueOptions } from './outcome.ts';
import { QueueMeter } from './queue-meter.ts';
import { readJobs, removeJob } from './read-jobs.ts';
import { recoverJobs } from './recover-jobs.ts';
import type { QueueConnection } from './redis.ts';
import { readRefusals } from './refusals.ts';
import type { Signer } from './secret.ts';

/** Jobs that wait in Redis at once: enough for every worker, and no more of its memory than that takes. */
const MOST_JOBS = 4_000;
/** Finished jobs that are fetched at once. */
const FETCHED = 100;
/** Time between two looks at the queue, in milliseconds: at first, and at most. */
const WAITS = [5, 250] as const;
/** How often what the sweep has in Redis is looked after, in milliseconds. */
const CARE = 20_000;
/** Without a result for so long, in milliseconds, it is looked whether the jobs are still there. */
const DOUBT = 5_000;

/**
 * The coordinator's side of a sweep's queue. What it has been given lives here, and in the sweep's own journal; Redis may
 * lose everything at any moment and costs only work done twice.
 */
export class SweepQueue {
  readonly #queue: Queue;
  readonly #connection: QueueConnection;
  readonly #signer: Signer;
  readonly #options: SweepQueueOptions;
  /** Jobs that workers have not finished, and their trials. */
  readonly #open = new Map<string, ReadonlyMap<string, QueueTrial>>();
  readonly #size: BatchSize;
  readonly #told = new Set<string>();
  readonly #outcomes: JobOutcomes;
  readonly #lost: LostJobs;
  #care: NodeJS.Timeout | undefined;
  #jobs = 0;
  #recovered = false;
  /** The limit of the budget that workers have reached. */
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

  /** Announces the sweep to workers. */
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
      await opened.#lookAfter();
    } catch (error) {
      throw await explained(connection, sweep, error);
    }
    opened.#care = setInterval(() => void opened.#lookAfter().catch(() => undefined), CARE);
    return opened;
  }

  /**
   * Has workers run trials. Each is given once, in the order in which they finish; a job leaves Redis when its outcomes are
   * on the disk, so that what the caller has not written down yet is given again to whoever resumes the sweep.
   */
  async *run(trials: readonly QueueTrial[], signal?: AbortSignal): AsyncGenerator<QueueOutcome> {
    const { redis } = this.#connection;
    // A command waits for a Redis that is away; whoever interrupts the sweep does not.
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
      // A job of another client does not count as progress.
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
      // Trials under way may end without another request; what waits is given back.
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

  /** How many trials wait for a worker or are with one. */
  get openTrials(): number {
    return [...this.#open.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** @param finished whether nothing of the sweep is to stay in Redis */
  async close(finished: boolean): Promise<void> {
    clearInterval(this.#care);
    if (finished && this.#connection.redis.status === 'ready')
      await clearSweep(this.#connection, this.#options.announcement.sweep);
    await this.#queue.close();
  }

  /** Returns the trials that are not in the queue. */
  async #recover(left: ReadonlyMap<string, QueueTrial>): Promise<QueueTrial[]> {
    if (this.#recovered) return [...left.values()];
    this.#recovered = true;
    const found = await recoverJobs(this.#queue, this.#signer, this.#options.announcement, left);
    for (const [id, trials] of found) this.#open.set(id, trials);
    const waiting = new Set([...found.values()].flatMap((trials) => [...trials.keys()]));
    return [...left.values()].filter(({ id }) => !waiting.has(id));
  }

  /** Puts trials into the queue, as long as it has room; those that were tried before each in a job of its own. */
  async #fill(backlog: Backlog, left: number): Promise<void> {
    const added: { id: string; trials: QueueTrial[] }[] = [];
    while (!backlog.isEmpty && this.#open.size + added.length < MOST_JOBS)
      added.push({ id: this.#newJob(), trials: backlog.take(this.#size.next(left)) });
    if (added.length === 0) return;
    const { sweep, plan } = this.#options.announcement;
    await this.#queue.addBulk(
      added.map(({ id, trials }) => ({
        name: 'trials',
        data: this.#signer.sign('job', { ...WRITER, sweep, plan, batch: id, trials } satisfies QueueJob),
        opts: { jobId: id, removeOnComplete: false, removeOnFail: false },
      })),
    );
    const pipeline = this.#connection.redis.pipeline();
    for (const { id, trials } of added) {
      this.#open.set(id, new Map(trials.map((trial) => [trial.id, trial])));
      pipeline.expire(jobKey(sweep, id), KEPT_SECONDS);
    }
    await pipeline.exec();
  }

  /** A name that no coordinator of the sweep has used. */
  #newJob(): string {
    return `j${process.pid}-${Date.now().toString(36)}-${this.#jobs++}`;
  }

  async #finished(): Promise<readonly Job[]> {
    const { jobs, damaged } = await readJobs(this.#queue, ['completed', 'failed'], FETCHED - 1);
    for (const { id, problem } of damaged) {
      this.#tell(
        `Job ${id.slice(0, 100)} in the queue cannot be read and is removed: ${problem.slice(0, 200)}`,
      );
      // If the job was a job of this sweep, `#findLost` returns its trials to the backlog.
      await removeJob(this.#connection, this.#options.announcement.sweep, id);
    }
    return jobs;
  }

  /** Takes over what a worker reports about the budget, and how long the trials took. */
  #learn({ outcomes, spent, isOutOfBudget }: JobResult, milliseconds: number): void {
    const { budget } = this.#options.announcement;
    if (spent !== undefined && budget !== null) {
      this.#spent = mostSpent(this.#spent, spent);
      this.#options.onSpent?.(this.#spent);
      // A worker may have kept to the budget of an earlier coordinator.
      if (isOutOfBudget === true) this.#reached ??= reachedLimit(budget, this.#spent);
    }
    this.#size.learn(outcomes.length, milliseconds);
  }

  /** Puts trials back whose jobs Redis has lost, or that another client damaged. */
  async #findLost(backlog: Backlog, left: ReadonlyMap<string, QueueTrial>): Promise<void> {
    const lost = await this.#lost.find([...this.#open.keys()]);
    for (const id of lost) {
      for (const trial of this.#open.get(id)!.values()) if (left.has(trial.id)) backlog.add(trial);
      this.#open.delete(id);
    }
    if (lost.length === 0) return;
    await this.#meter?.raise(this.#spent);
    await this.#lookAfter();
  }

  #tell(text: string): void {
    if (this.#told.has(text) || this.#told.size > 1_000) return;
    this.#told.add(text);
    this.#options.note(text);
  }

  /** Announces the sweep anew, and puts off the day when Redis forgets it. */
  async #lookAfter(): Promise<void> {
    await announce(this.#connection, this.#signer, this.#options.announcement);
  }
}
