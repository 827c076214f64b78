import type { Queue } from 'bullmq';
import { AppError, messageOf } from '../../kernel/index.ts';
import {
  announcementOf,
  KEPT_SECONDS,
  lastingNames,
  prefixOf,
  QUEUE,
  refusalsOf,
  SWEEPS,
  typesOfKeys,
} from './announced-sweeps.ts';
import type { QueueConnection } from './redis.ts';

/** Key of a sweep with another Redis type than Sandtable writes. */
interface DamagedKey {
  readonly key: string;
  readonly found: string;
  readonly expected: string;
}

/**
 * Checks the Redis types of a sweep's keys and of the list of sweeps. Any client of the Redis can overwrite them: keys are
 * not signed.
 *
 * @throws AppError `queue_damaged` for the first key of another type
 */
export async function checkKeys(connection: QueueConnection, sweep: string): Promise<void> {
  const [first] = await damagedKeys(connection, sweep);
  if (first !== undefined) throw damagedQueue(connection, first);
}

async function damagedKeys({ redis }: QueueConnection, sweep: string): Promise<DamagedKey[]> {
  const types = new Map([[SWEEPS, 'zset'], ...typesOfKeys(sweep)]);
  const pipeline = redis.pipeline();
  for (const key of types.keys()) pipeline.type(key);
  const answers = (await pipeline.exec()) ?? [];
  return [...types].flatMap(([key, expected], index) => {
    const found = String(answers[index]?.[1] ?? 'none');
    return found === 'none' || found === expected ? [] : [{ key, found, expected }];
  });
}

function damagedQueue({ shown }: QueueConnection, { key, found, expected }: DamagedKey): AppError {
  return new AppError({
    code: 'queue_damaged',
    message: `The queue ${shown} cannot be used: the key ${key} has the Redis type ${found}. Sandtable expects ${expected}.`,
    hint: `Another client of this Redis wrote the key. Delete it (redis-cli del '${key}'), then start the sweep again with --resume.`,
    kind: 'run',
  });
}

/** True if Redis answered a command with an error, for example because a key has the wrong type. */
export function isRefusedCommand(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/**
 * Explains an error of a coordinator's command.
 *
 * @returns AppError `queue_damaged` or `queue_refused` if Redis refused the command, else the error itself
 */
export async function explained(
  connection: QueueConnection,
  sweep: string,
  error: unknown,
): Promise<unknown> {
  if (!isRefusedCommand(error)) return error;
  const [first] = await damagedKeys(connection, sweep).catch(() => []);
  if (first !== undefined) return damagedQueue(connection, first);
  return new AppError({
    code: 'queue_refused',
    message: `The queue ${connection.shown} refused a command: ${messageOf(error).slice(0, 300)}`,
    hint: 'Check the Redis and its user, then start the sweep again with --resume.',
    kind: 'run',
    cause: error,
  });
}

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
        `The worker ${worker.slice(0, LONGEST_NAME)} does not take part: ${text.slice(0, LONGEST_TEXT)}`,
    );
}

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
