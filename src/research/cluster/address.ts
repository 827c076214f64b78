import { randomBytes } from 'node:crypto';
import { readQueueAddress } from '../queue/redis.ts';
import type { ClusterOptions } from './options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Removes the password from a queue address and moves it into the environment, so that the sweep's folder
 * contains no password.
 *
 * @throws AppError `bad_queue`
 */
export function clusterAddress(
  given: Omit<ClusterOptions, 'sweep'>,
  environment: Environment,
): {
  readonly cluster: ClusterOptions;
  readonly environment: Environment;
  readonly warnings: readonly string[];
} {
  const { shown, options, warnings } = readQueueAddress(given.queue, environment);
  const { password } = options;
  return {
    cluster: { ...given, queue: shown, sweep: randomBytes(8).toString('hex') },
    environment:
      password === undefined ? environment : { ...environment, SANDTABLE_REDIS_PASSWORD: password },
    warnings,
  };
}
