import type { Job } from 'bullmq';
import type { Backlog, QueueTrial } from './backlog.ts';
import { lossText } from './losses.ts';
import type { Announcement, JobResult } from './messages.ts';
import { openJob, openResult } from './open-document.ts';
import type { QueueOutcome } from './outcome.ts';
import type { Signer } from './secret.ts';

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
      // A late result, or an entry of another client.
      if ('refused' in openJob(this.#signer, this.#announcement, job.id, job.data))
        this.#tell(`Job ${job.id} was not put into the queue by this sweep: it is ignored.`);
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
