import type { Queue } from 'bullmq';
import type { QueueTrial } from './backlog.ts';
import { type Announcement, type QueueJob, WRITER } from './messages.ts';
import { jobKey, KEPT_SECONDS } from './names.ts';
import type { QueueConnection } from './redis.ts';
import type { Signer } from './secret.ts';

/** Job to be put into the queue. */
export interface NewJob {
  readonly id: string;
  readonly trials: QueueTrial[];
}

/** Signs jobs and puts them into the queue of a sweep. Redis removes them after `KEPT_SECONDS`. */
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
