import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { WorkerStart } from '../workers/messages.ts';
import { readQueueAddress } from './redis.ts';

/** Options of a sweep on several machines. The options stored for resuming contain no secret. */
export interface ClusterOptions {
  /** `redis://…` or `rediss://…`, without a password. */
  readonly queue: string;
  /** Folder, or `s3://bucket/prefix`. */
  readonly store: string;
  /** Unique name of the sweep in Redis. */
  readonly sweep: string;
  /** Number of retries of a trial that fails or is lost. Default: 2. */
  readonly retries?: number | undefined;
  /** Seconds without a sign of life after which a worker loses its job. Default: 30. */
  readonly lockSeconds?: number | undefined;
  /** Timeout of one trial in seconds. Default: no limit. */
  readonly trialSeconds?: number | undefined;
  /** Maximum number of trials that all workers together start per minute. */
  readonly rate?: number | undefined;
}

const remembered = z.object({ queue: z.string(), store: z.string(), sweep: z.string() });

/** Reads the queue options stored in a sweep's folder. Returns undefined if the options are missing or invalid. */
export function readClusterOptions(given: unknown): z.infer<typeof remembered> | undefined {
  return remembered.safeParse(given).data;
}

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

/** Inputs of the threads that run a sweep's trials, on any machine. */
export interface SweepGround
  extends Pick<WorkerStart, 'strategy' | 'bundle' | 'parameters' | 'options' | 'settings' | 'files'> {
  /** Seconds without a decision after which a trial is aborted. */
  readonly decisionSeconds: number;
}
