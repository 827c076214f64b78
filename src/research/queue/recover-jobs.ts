import type { Queue } from 'bullmq';
import type { QueueTrial } from './backlog.ts';
import type { Announcement } from './messages.ts';
import { openJob } from './open-document.ts';
import { readJobs } from './read-jobs.ts';
import type { Signer } from './secret.ts';

/**
 * Finds the jobs that an earlier coordinator of the same sweep left in the queue, so that no trial is added twice.
 *
 * @param left trials without an outcome
 * @returns the trials of each job. A trial that two jobs contain belongs to the first
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
      // The same trial may be requested with other inputs.
      if (trial === undefined || seen.has(id) || JSON.stringify(trial.input) !== JSON.stringify(input))
        continue;
      own.set(id, trial);
      seen.add(id);
    }
    found.set(job.id!, own);
  }
  return found;
}
