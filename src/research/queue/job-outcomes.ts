import type { Job } from 'bullmq';
import type { ModelSpending } from '../../agents/index.ts';
import { messageOf } from '../../kernel/index.ts';
import { THREAD_ENDED } from '../sweep/lost.ts';
import type { Backlog, QueueTrial } from './jobs.ts';
import type { Announcement, JobResult } from './messages.ts';
import { openJob, openResult, type Signer } from './secret.ts';

/** Final outcomes of a finished job, and its result if it has a valid one. */
interface FinishedJob {
  readonly final: readonly QueueOutcome[];
  readonly result?: JobResult;
}

/** Decides which trials of finished jobs are final, and which run again. */
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
   * Reads a finished job. Trials that are not final are added to the backlog.
   *
   * @param open trials of the job. `undefined` if the job is not a job of this coordinator
   * @param left trials without an outcome
   */
  read(
    job: Job,
    open: ReadonlyMap<string, QueueTrial> | undefined,
    backlog: Backlog,
    left: ReadonlyMap<string, QueueTrial>,
  ): FinishedJob {
    if (open === undefined) {
      // The job is already finished. Its result came late, or another client wrote the entry.
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
      // A trial that is alone in its job caused the loss. Several trials each get a separate job.
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

/** Outcome of a trial: its result, or the reason why it was lost more often than allowed. */
export type QueueOutcome =
  | { readonly id: string; readonly result: unknown }
  | { readonly id: string; readonly lost: string };

export interface SweepQueueOptions {
  readonly announcement: Omit<Announcement, 'protocol' | 'sandtable'>;
  /** Number of retries of a trial that is lost or that may have failed because of its machine. */
  readonly retries: number;
  /** Trials per job. If omitted, chosen by their duration. */
  readonly batch?: number;
  /** Model usage before this process. */
  readonly spent?: ModelSpending;
  readonly note: (text: string) => void;
  /** Called with the total model usage of all trials. */
  readonly onSpent?: (spent: ModelSpending) => void;
  /** Writes the outcomes received so far to disk, before the queue removes them. */
  readonly flush?: () => void;
}

/** Returns the reason why a job has no result, as the error text of its trials. */
function lossText(reason: string): string {
  if (/stalled/.test(reason)) return THREAD_ENDED;
  return `its worker failed: ${messageOf(reason)}`;
}

/** Waits for a time, or until the signal is aborted. */
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
