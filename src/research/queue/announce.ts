import { type Announcement, WRITER } from './messages.ts';
import { announcementOf, KEPT_SECONDS, lastingNames, metaOf, SWEEPS } from './names.ts';
import type { QueueConnection } from './redis.ts';
import type { Signer } from './secret.ts';

/** Events of a queue that BullMQ retains. Sandtable does not read them. */
const MOST_EVENTS = 10;

/** Announces a sweep to workers, and extends the expiry of its keys in Redis. */
export async function announce(
  { redis }: QueueConnection,
  signer: Signer,
  announcement: Omit<Announcement, 'protocol' | 'sandtable'>,
): Promise<void> {
  const { sweep } = announcement;
  const signed = signer.sign('sweep', { ...WRITER, ...announcement } satisfies Announcement);
  const until = Math.floor(Date.now() / 1_000) + KEPT_SECONDS;
  const pipeline = redis.pipeline();
  pipeline.set(announcementOf(sweep), JSON.stringify(signed), 'EX', KEPT_SECONDS);
  pipeline.zadd(SWEEPS, until, sweep);
  pipeline.expire(SWEEPS, KEPT_SECONDS);
  pipeline.hset(metaOf(sweep), 'opts.maxLenEvents', MOST_EVENTS);
  for (const name of lastingNames(sweep)) pipeline.expire(name, KEPT_SECONDS);
  await pipeline.exec();
}
