import type { Queue } from 'bullmq';
import { announcementOf, jobKey, lastingNames, prefixOf, QUEUE, SWEEPS } from './names.ts';
import type { QueueConnection } from './redis.ts';

/** Takes a sweep's jobs and all else it has out of Redis; workers that are at it notice and leave. */
export async function clearSweep(connection: QueueConnection, sweep: string): Promise<void> {
  const { redis } = connection;
  await redis.zrem(SWEEPS, sweep);
  await redis.del(announcementOf(sweep));
  const queue = await openBull(connection, sweep);
  await queue.obliterate({ force: true });
  await queue.close();
  await redis.del(...lastingNames(sweep));
}

/** A sweep's queue, under the sweep's own prefix. */
export async function openBull({ redis }: QueueConnection, sweep: string): Promise<Queue> {
  const { Queue: BullQueue } = await import('bullmq');
  const queue = new BullQueue(QUEUE, {
    connection: redis,
    prefix: prefixOf(sweep),
    skipVersionCheck: true,
    // Nobody reads them; they would cost memory.
    streams: { events: { maxLen: 10 } },
  });
  // The connection tells when Redis is away.
  queue.on('error', () => undefined);
  return queue;
}

/** Those of some jobs that Redis has lost. */
export async function lostJobs(
  { redis }: QueueConnection,
  sweep: string,
  jobs: readonly string[],
): Promise<string[]> {
  const pipeline = redis.pipeline();
  for (const id of jobs) pipeline.exists(jobKey(sweep, id));
  const answers = (await pipeline.exec()) ?? [];
  return jobs.filter((_, index) => answers[index]?.[0] === null && answers[index]?.[1] === 0);
}
