import { KEPT_SECONDS, refusalsOf } from './names.ts';
import type { QueueConnection } from './redis.ts';

/** Refusals of a sweep that are shown. Any client of the Redis can add more. */
const MOST_SHOWN = 20;
const LONGEST_TEXT = 500;
const LONGEST_NAME = 100;

/** Reports to the coordinator of a sweep why a worker refuses the sweep. */
export async function reportRefusal(
  { redis }: QueueConnection,
  worker: string,
  sweep: string,
  text: string,
): Promise<void> {
  const pipeline = redis.pipeline();
  pipeline.hset(refusalsOf(sweep), worker, text.slice(0, LONGEST_TEXT));
  pipeline.expire(refusalsOf(sweep), KEPT_SECONDS);
  await pipeline.exec();
}

/** Returns one sentence for each worker that refuses a sweep. */
export async function readRefusals({ redis }: QueueConnection, sweep: string): Promise<string[]> {
  const refusals = await redis.hgetall(refusalsOf(sweep));
  return Object.entries(refusals)
    .slice(0, MOST_SHOWN)
    .map(
      ([worker, text]) =>
        `The worker ${worker.slice(0, LONGEST_NAME)} takes no part: ${text.slice(0, LONGEST_TEXT)}`,
    );
}
