import type { Queue } from 'bullmq';
import { damagedKeys, isRefusedCommand } from './damage.ts';
import { announcementOf, lastingNames, prefixOf, QUEUE, SWEEPS } from './names.ts';
import type { QueueConnection } from './redis.ts';

/** Removes a sweep's jobs and all its other keys from Redis. Its workers notice this and leave. */
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

/** Opens a sweep's queue under the sweep's prefix. */
export async function openBull({ redis }: QueueConnection, sweep: string): Promise<Queue> {
  const { Queue: BullQueue } = await import('bullmq');
  const queue = new BullQueue(QUEUE, {
    connection: redis,
    prefix: prefixOf(sweep),
    skipVersionCheck: true,
    // BullMQ would write the key without an expiry, also for a queue that is refused. `announce` writes the key.
    skipMetasUpdate: true,
  });
  // The connection reports that Redis is unreachable.
  queue.on('error', () => undefined);
  return queue;
}
