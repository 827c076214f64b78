import type { Queue } from 'bullmq';
import { damagedKeys, isRefusedCommand } from './damage.ts';
import { announcementOf, jobKey, lastingNames, prefixOf, QUEUE, SWEEPS } from './names.ts';
import type { QueueConnection } from './redis.ts';

/** Takes a sweep's jobs and all else it has out of Redis; workers that are at it notice and leave. */
export async function clearSweep(connection: QueueConnection, sweep: string): Promise<void> {
  const { redis } = connection;
  await redis.del(announcementOf(sweep));
  for (const { key } of await damagedKeys(connection, sweep)) if (key !== SWEEPS) await redis.del(key);
  const queue = await openBull(connection, sweep);
  try {
    await redis.zrem(SWEEPS, sweep);
    await queue.obliterate({ force: true });
  } catch (error) {
    // Another client changed a key. The remaining keys expire.
    if (!isRefusedCommand(error)) throw error;
  }
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

/** Jobs that no worker will ever finish: their key is gone or overwritten, or they are in no list of the queue. */
export async function lostJobs(
  { redis }: QueueConnection,
  queue: Queue,
  sweep: string,
  jobs: readonly string[],
): Promise<string[]> {
  // One script reads all lists: a job that moves is in one of them.
  const listed = new Set(
    await queue.getRanges(['wait', 'active', 'delayed', 'prioritized', 'completed', 'failed'], 0, -1),
  );
  const pipeline = redis.pipeline();
  for (const id of jobs) pipeline.type(jobKey(sweep, id));
  const answers = (await pipeline.exec()) ?? [];
  const lost = jobs.filter((id, index) => {
    const [problem, type] = answers[index] ?? [];
    return problem === null && (type !== 'hash' || !listed.has(id));
  });
  if (lost.length > 0) await redis.del(...lost.map((id) => jobKey(sweep, id)));
  return lost;
}

/**
 * Jobs that are with a worker by their list, without a lock that a worker could have set: the worker has ended, or another
 * client damaged the job so that BullMQ cannot take it back.
 */
export async function unlockedJobs(
  { redis }: QueueConnection,
  sweep: string,
  lockSeconds: number,
): Promise<string[]> {
  const ids = await redis.lrange(`${prefixOf(sweep)}:${QUEUE}:active`, 0, -1);
  const pipeline = redis.pipeline();
  for (const id of ids) pipeline.pttl(`${jobKey(sweep, id)}:lock`);
  const answers = (await pipeline.exec()) ?? [];
  return ids.filter((_, index) => {
    const left = Number(answers[index]?.[1] ?? -1);
    return left < 0 || left > lockSeconds * 1_000;
  });
}
