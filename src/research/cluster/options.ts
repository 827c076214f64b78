import { z } from 'zod';

/** How a sweep uses many machines; what of it a resumed sweep remembers holds no secret. */
export interface ClusterOptions {
  /** `redis://…` or `rediss://…`, without a password. */
  readonly queue: string;
  /** A folder, or `s3://bucket/prefix`. */
  readonly store: string;
  /** The sweep's name in Redis, which no other sweep has. */
  readonly sweep: string;
  /** How often a trial that fails or is lost is tried again; 2 when left out. */
  readonly retries?: number | undefined;
  /** After so many seconds without a sign of life a worker has lost its job; 30 when left out. */
  readonly lockSeconds?: number | undefined;
  /** The most that one trial may take, in seconds; no limit when left out. */
  readonly trialSeconds?: number | undefined;
  /** Trials that all workers together may begin in a minute. */
  readonly rate?: number | undefined;
}

const remembered = z.object({ queue: z.string(), store: z.string(), sweep: z.string() });

/** Where a sweep's folder says that its queue is. */
export function readClusterOptions(given: unknown): z.infer<typeof remembered> | undefined {
  return remembered.safeParse(given).data;
}
