import { AppError, messageOf } from '../../kernel/index.ts';
import { SWEEPS, typesOfKeys } from './names.ts';
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

export async function damagedKeys({ redis }: QueueConnection, sweep: string): Promise<DamagedKey[]> {
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
