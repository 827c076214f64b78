import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Job, Worker } from 'bullmq';
import { messageOf } from '../../kernel/index.ts';
import { prefixOf, QUEUE, removeLeftSettings } from './announced-sweeps.ts';
import {
  type Announcement,
  type JobResult,
  openJob,
  type QueueJob,
  type Signer,
  type TrialOutcome,
  WRITER,
} from './messages.ts';
import { QueueMeter } from './queue-meter.ts';
import type { QueueConnection } from './redis.ts';

/** Sweep whose strategy and data a worker has loaded. */
export interface OpenedSweep {
  /** Runs one trial. If `run` throws, the trial is lost and the coordinator retries it. */
  run(trial: QueueJob['trials'][number], signal: AbortSignal): Promise<TrialRun>;
  close(): Promise<void>;
}

export interface TrialRun {
  readonly result: unknown;
  /**
   * True if this machine may have caused the outcome, for example because Python is missing. The coordinator
   * then retries the trial.
   */
  readonly isDoubtful: boolean;
  /** True if the trial has no result because the shared budget was exhausted. */
  readonly isOutOfBudget?: boolean;
}

export interface SweepWorkerOptions {
  /** Number of trials that run in parallel. */
  readonly jobs: number;
  readonly note: (text: string) => void;
  /** Stops the worker after the current trials. */
  readonly signal: AbortSignal;
}

/** Name of this process in messages and results. */
export const WORKER_NAME = `${hostname()}-${process.pid}-${randomUUID().slice(0, 4)}`;

/** Worker of one sweep: receives jobs, runs their trials and returns the outcomes. */
export class SweepWorker {
  readonly announcement: Announcement;
  readonly #connection: QueueConnection;
  readonly #signer: Signer;
  readonly #opened: OpenedSweep;
  readonly #note: (text: string) => void;
  readonly #signal: AbortSignal;
  #worker: Worker | undefined;
  #atWork = 0;
  #idleSince = Date.now();
  #stopping = false;
  #trials = 0;
  readonly #meter: QueueMeter | undefined;

  private constructor(
    announcement: Announcement,
    connection: QueueConnection,
    signer: Signer,
    opened: OpenedSweep,
    { note, signal }: SweepWorkerOptions,
  ) {
    this.announcement = announcement;
    this.#connection = connection;
    this.#signer = signer;
    this.#opened = opened;
    const { sweep, budget } = announcement;
    this.#meter = budget === null ? undefined : new QueueMeter(connection, sweep, budget);
    this.#note = note;
    this.#signal = signal;
  }

  static async start(
    announcement: Announcement,
    connection: QueueConnection,
    signer: Signer,
    opened: OpenedSweep,
    options: SweepWorkerOptions,
  ): Promise<SweepWorker> {
    const bullmq = await import('bullmq');
    const worker = new SweepWorker(announcement, connection, signer, opened, options);
    const { sweep, lockSeconds, rate } = announcement;
    worker.#worker = new bullmq.Worker(QUEUE, (job) => worker.#work(job), {
      connection: connection.redis,
      prefix: prefixOf(sweep),
      skipVersionCheck: true,
      concurrency: options.jobs,
      lockDuration: lockSeconds * 1_000,
      stalledInterval: lockSeconds * 1_000,
      // BullMQ must not retry a stalled job, because the coordinator decides if its trials run again.
      maxStalledCount: 0,
      drainDelay: 1,
      // The delay after an error is short, so that an error caused by another client's damaged job interrupts
      // the worker only briefly.
      runRetryDelay: 1_000,
      ...(rate === null ? {} : { limiter: { max: rate.trials, duration: rate.seconds * 1_000 } }),
    });
    worker.#worker.on('error', () => undefined);
    return worker;
  }

  /** Milliseconds since the worker became idle. 0 while it is busy. */
  get idle(): number {
    return this.#atWork > 0 ? 0 : Date.now() - this.#idleSince;
  }

  /** Number of trials that this worker has run for the sweep. */
  get trials(): number {
    return this.#trials;
  }

  /**
   * Stops the worker after the current trials. Trials of the worker's jobs that have not started run on other
   * workers.
   */
  async close(): Promise<void> {
    this.#stopping = true;
    // If Redis is unreachable, the worker cannot return its jobs. The locks of these jobs expire, and the
    // coordinator adds their trials again.
    const isAway = this.#connection.redis.status !== 'ready';
    const closing = this.#worker?.close(isAway).catch(() => undefined);
    if (!isAway) {
      await closing;
      // An error is ignored, because the next check for sweeps reports that Redis fails.
      await removeLeftSettings(this.#connection, this.announcement.sweep).catch(() => undefined);
    }
    await this.#opened.close();
  }

  async #work(job: Job): Promise<unknown> {
    this.#atWork += 1;
    try {
      const { sweep } = this.announcement;
      const read = openJob(this.#signer, this.announcement, job.id, job.data);
      if ('refused' in read) {
        this.#note(`Refused the job ${job.id} of the sweep ${sweep}: ${read.refused}.`);
        throw new Error(`refused: ${read.refused}`);
      }
      const result: JobResult = {
        ...WRITER,
        sweep,
        batch: job.id ?? '',
        worker: WORKER_NAME,
        ...(await this.#runAll(read.read.trials)),
      };
      return this.#signer.sign('result', result);
    } finally {
      this.#atWork -= 1;
      this.#idleSince = Date.now();
    }
  }

  async #runAll(
    trials: QueueJob['trials'],
  ): Promise<Pick<JobResult, 'outcomes' | 'isOutOfBudget' | 'spent'>> {
    const outcomes: TrialOutcome[] = [];
    let isOutOfBudget = false;
    for (const trial of trials) {
      if (this.#stopping || this.#signal.aborted) break;
      isOutOfBudget = (await this.#meter?.reached()) !== undefined;
      if (isOutOfBudget) break;
      const outcome = await this.#runOne(trial);
      isOutOfBudget = outcome === undefined;
      if (outcome === undefined) break;
      outcomes.push(outcome);
      this.#trials += 1;
    }
    if (this.#meter === undefined) return { outcomes };
    return { outcomes, isOutOfBudget, spent: await this.#meter.spent() };
  }

  /** Runs one trial. Returns `undefined` if the exhausted budget stopped the trial. */
  async #runOne(trial: QueueJob['trials'][number]): Promise<TrialOutcome | undefined> {
    const { trialSeconds } = this.announcement;
    const late = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_resolve, reject) => {
      if (trialSeconds === null) return;
      timer = setTimeout(() => {
        late.abort();
        reject(new Error(`it took longer than ${trialSeconds} s`));
      }, trialSeconds * 1_000);
    });
    try {
      const ran = await Promise.race([this.#opened.run(trial, late.signal), deadline]);
      if (ran.isOutOfBudget === true) return undefined;
      return { id: trial.id, result: ran.result, isDoubtful: ran.isDoubtful };
    } catch (error) {
      return { id: trial.id, lost: messageOf(error) };
    } finally {
      clearTimeout(timer);
    }
  }
}
