import type { Job, Queue } from 'bullmq';
import type { ModelSpending } from '../../agent/index.ts';
import { budgetReached, mostSpent, NOTHING_SPENT, reachedLimit } from '../budget/reached.ts';
import { announce } from './announce.ts';
import { Backlog, type QueueTrial } from './backlog.ts';
import { BatchSize } from './batch-size.ts';
import { clearSweep, lostJobs, openBull, unlockedJobs } from './bull.ts';
import { checkKeys, explained } from './damage.ts';
import { lossText, pause } from './losses.ts';
import { type JobResult, type QueueJob, readDocument, readResult, WRITER } from './messages.ts';
import { jobKey, KEPT_SECONDS, refusalsOf } from './names.ts';
import type { QueueOutcome, SweepQueueOptions } from './outcome.ts';
import { QueueMeter } from './queue-meter.ts';
import { readJobs, removeJob } from './read-jobs.ts';
import type { QueueConnection } from './redis.ts';
import type { Signer } from './secret.ts';

/** Jobs that wait in Redis at once: enough for every worker, and no more of its memory than that takes. */
const MOST_JOBS = 4_000;
/** Finished jobs that are fetched at once. */
const FETCHED = 100;
/** How long to wait for something to do, in milliseconds: at first, and at most. */
const WAITS = [5, 250] as const;
/** How often what the sweep has in Redis is looked after, in milliseconds. */
const CARE = 20_000;
/** Without a result for so long, in milliseconds, it is looked whether the jobs are still there. */
const DOUBT = 5_000;
/** Lifetimes of a lock after which a job without a lock is stuck. Workers look for such jobs once in each lifetime. */
const STUCK_LOCKS = 3;

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
  readonly #attempts = new Map<string, number>();
  readonly #size: BatchSize;
  readonly #told = new Set<string>();
  /** Times at which jobs were first seen without a lock. */
  readonly #unlockedSince = new Map<string, number>();
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
    const { sweep, budget } = options.announcement;
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
        for (const outcome of this.#outcomesOf(job, backlog, left)) {
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
        await this.#tellRefusals();
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

  /** What an earlier coordinator of this sweep left in the queue, so that nothing is put there twice. */
  async #recover(left: ReadonlyMap<string, QueueTrial>): Promise<QueueTrial[]> {
    const waiting = new Set<string>();
    if (!this.#recovered) {
      this.#recovered = true;
      const states = ['wait', 'active', 'delayed', 'completed', 'failed'] as const;
      for (const job of (await readJobs(this.#queue, states, -1)).jobs) {
        const trials = this.#trialsOf(job);
        if (trials === undefined) continue;
        const own = trials.flatMap(({ id, input }) => {
          const trial = left.get(id);
          // The same trial may be asked for with less or more to tell.
          const isSame = trial !== undefined && JSON.stringify(trial.input) === JSON.stringify(input);
          return isSame && !waiting.has(id) ? [trial] : [];
        });
        this.#open.set(job.id!, new Map(own.map((trial) => [trial.id, trial])));
        for (const { id } of own) waiting.add(id);
      }
    }
    return [...left.values()].filter(({ id }) => !waiting.has(id));
  }

  #trialsOf(job: Job): QueueJob['trials'] | undefined {
    const opened = this.#signer.open('job', job.data);
    if ('refused' in opened) return undefined;
    const read = readDocument('job', opened.document);
    if ('refused' in read) return undefined;
    const { sweep, plan } = this.#options.announcement;
    return read.read.sweep === sweep && read.read.plan === plan && read.read.batch === job.id
      ? read.read.trials
      : undefined;
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

  /** What of a finished job is final; its other trials go back to the backlog. */
  #outcomesOf(job: Job, backlog: Backlog, left: ReadonlyMap<string, QueueTrial>): readonly QueueOutcome[] {
    const open = this.#open.get(job.id ?? '');
    if (open === undefined) return this.#ignore(job);
    const read = this.#resultOf(job);
    const missing = new Map([...open].filter(([id]) => left.has(id)));
    const final: QueueOutcome[] = [];
    const again = (trial: QueueTrial, outcome: QueueOutcome): void => {
      const attempts = (this.#attempts.get(trial.id) ?? 0) + 1;
      this.#attempts.set(trial.id, attempts);
      if (attempts <= this.#options.retries) backlog.addAlone(trial);
      else final.push(outcome);
    };
    if ('refused' in read) {
      // Who has a job for itself is the one to blame; of several each gets a chance of its own.
      for (const trial of missing.values()) {
        if (missing.size > 1) backlog.addAlone(trial);
        else again(trial, { id: trial.id, lost: read.refused });
      }
      return final;
    }
    for (const outcome of read.result.outcomes) {
      const trial = missing.get(outcome.id);
      if (trial === undefined) continue;
      missing.delete(outcome.id);
      if ('lost' in outcome) again(trial, { id: trial.id, lost: outcome.lost });
      else if (outcome.isDoubtful) again(trial, { id: trial.id, result: outcome.result });
      else final.push({ id: trial.id, result: outcome.result });
    }
    const { budget } = this.#options.announcement;
    if (read.result.spent !== undefined && budget !== null) {
      this.#spent = mostSpent(this.#spent, read.result.spent);
      this.#options.onSpent?.(this.#spent);
      // A worker may have kept to the budget of an earlier coordinator.
      if (read.result.isOutOfBudget === true) this.#reached ??= reachedLimit(budget, this.#spent);
    }
    this.#size.learn(read.result.outcomes.length, (job.finishedOn ?? 0) - (job.processedOn ?? 0));
    for (const trial of missing.values()) backlog.add(trial);
    return final;
  }

  #resultOf(job: Job): { readonly result: JobResult } | { readonly refused: string } {
    const { finishedOn, failedReason, returnvalue } = job as { returnvalue: unknown } & Job;
    if (failedReason !== undefined && failedReason !== '') return { refused: lossText(failedReason) };
    const read = readResult(this.#signer, this.#options.announcement.sweep, job.id, returnvalue);
    if ('result' in read) return read;
    const problem = read.refused;
    this.#tell(`The result of job ${job.id} (finished ${finishedOn}) is refused: ${problem}.`);
    return { refused: `its result was refused: ${problem}` };
  }

  /** A late result, or what somebody else put there. */
  #ignore(job: Job): readonly QueueOutcome[] {
    if (this.#trialsOf(job) === undefined)
      this.#tell(`Job ${job.id} was not put into the queue by this sweep: it is ignored.`);
    return [];
  }

  /** Puts trials back whose jobs Redis has lost, or that another client damaged. */
  async #findLost(backlog: Backlog, left: ReadonlyMap<string, QueueTrial>): Promise<void> {
    const { sweep, lockSeconds } = this.#options.announcement;
    await this.#removeStuck(sweep, lockSeconds);
    const ids = [...this.#open.keys()];
    const lost = await lostJobs(this.#connection, this.#queue, sweep, ids);
    for (const id of lost) {
      for (const trial of this.#open.get(id)!.values()) if (left.has(trial.id)) backlog.add(trial);
      this.#open.delete(id);
    }
    if (lost.length === 0) return;
    await this.#meter?.raise(this.#spent);
    await this.#lookAfter();
  }

  /** Removes jobs that have had no lock for so long that BullMQ cannot take them back. */
  async #removeStuck(sweep: string, lockSeconds: number): Promise<void> {
    const now = Date.now();
    const unlocked = await unlockedJobs(this.#connection, sweep, lockSeconds);
    for (const id of this.#unlockedSince.keys()) if (!unlocked.includes(id)) this.#unlockedSince.delete(id);
    for (const id of unlocked) {
      const since = this.#unlockedSince.get(id) ?? now;
      this.#unlockedSince.set(id, since);
      if (now - since < STUCK_LOCKS * lockSeconds * 1_000) continue;
      this.#tell(`Job ${id.slice(0, 100)} in the queue is stuck and is removed: no worker holds its lock.`);
      await removeJob(this.#connection, sweep, id);
      this.#unlockedSince.delete(id);
    }
  }

  async #tellRefusals(): Promise<void> {
    const refusals = await this.#connection.redis.hgetall(refusalsOf(this.#options.announcement.sweep));
    for (const [worker, text] of Object.entries(refusals).slice(0, 20))
      this.#tell(`The worker ${worker.slice(0, 100)} takes no part: ${text.slice(0, 500)}`);
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
