import type { Job, JobType, Queue } from 'bullmq';
import { messageOf } from '../../kernel/index.ts';
import { jobKey, prefixOf, QUEUE } from './names.ts';
import type { QueueConnection } from './redis.ts';

/** Jobs of a queue that can be read, and the names of entries that are not jobs. */
interface ReadJobs {
  readonly jobs: readonly Job[];
  readonly damaged: readonly { readonly id: string; readonly problem: string }[];
}

/**
 * Reads the jobs in some states, oldest first. Any client of the Redis can add entries: an entry that cannot be read does
 * not hide the others.
 *
 * @param last position of the last entry of each state; -1 for all
 */
export async function readJobs(queue: Queue, states: readonly JobType[], last: number): Promise<ReadJobs> {
  const { Job: BullJob } = await import('bullmq');
  const ids = await queue.getRanges([...states], 0, last, true);
  const jobs: Job[] = [];
  const damaged: { id: string; problem: string }[] = [];
  await Promise.all(
    ids.map(async (id) => {
      try {
        const job: Job | undefined = await BullJob.fromId(queue, id);
        // Between the two commands a job can leave the queue.
        if (job === undefined) damaged.push({ id, problem: 'its job is missing' });
        // The id in the fields is not signed. The job's entry in the queue decides.
        else if (job.id !== id) damaged.push({ id, problem: 'it has the name of another job' });
        else jobs.push(job);
      } catch (error) {
        damaged.push({ id, problem: messageOf(error) });
      }
    }),
  );
  const order = new Map(ids.map((id, index) => [id, index]));
  jobs.sort((one, other) => order.get(one.id!)! - order.get(other.id!)!);
  return { jobs, damaged };
}

/** Removes a job from Redis, also if BullMQ refuses to, for example because of a lock. */
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
