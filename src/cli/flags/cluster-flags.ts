import type { Command } from 'commander';
import { z } from 'zod';
import type { Fault } from '../../kernel/index.ts';
import type { ClusterOptions } from '../../research/index.ts';
import { flagNamed, numberText, wholeText } from './flag-values.ts';

const seconds = numberText({ min: 0, max: 1e6, above: true });

/** Flags of `sweep` for other machines. */
export const clusterFields = {
  queue: z.string().optional(),
  store: z.string().optional(),
  retries: numberText({ min: 0, max: 100, whole: true }).optional(),
  trialTimeout: seconds.optional(),
  workerTimeout: numberText({ min: 1, max: 3_600 }).optional(),
  rate: wholeText(1).optional(),
};

export function addClusterFlags(command: Command): Command {
  return command
    .optionsGroup('Many machines:')
    .option(
      '--queue <address>',
      'run the trials on sandtable workers: redis://host:6379 or rediss://host:6379',
    )
    .option(
      '--store <folder|address>',
      'store for bundle and data: a folder shared by all machines, or s3://bucket/prefix',
    )
    .option('--retries <n>', 'retries of a trial that fails or is lost (default 2)')
    .option(
      '--trial-timeout <seconds>',
      'timeout of one trial (default none; the decision timeout still applies)',
    )
    .option(
      '--worker-timeout <seconds>',
      'time without a heartbeat after which a worker loses its trials (default 30)',
    )
    .option('--rate <trials>', 'trials that all workers together may start per minute, if they call models')
    .optionsGroup('Other options:');
}

interface ClusterFlags {
  readonly queue?: string | undefined;
  readonly store?: string | undefined;
  readonly retries?: number | undefined;
  readonly trialTimeout?: number | undefined;
  readonly workerTimeout?: number | undefined;
  readonly rate?: number | undefined;
}

/** Returns the faults of combinations of these flags. */
export function clusterFaults(given: unknown): Fault[] {
  const { queue, store, ...rest } = given as Record<keyof ClusterFlags, unknown>;
  if (queue !== undefined && store === undefined)
    return [
      {
        where: '--queue',
        message: 'requires --store: a folder shared by all machines, or s3://bucket/prefix',
      },
    ];
  if (queue !== undefined) return [];
  const others = ['retries', 'trialTimeout', 'workerTimeout', 'rate'] as const;
  return [
    ...(store === undefined ? [] : ['store']),
    ...others.filter((name) => rest[name] !== undefined),
  ].map((name) => ({
    where: flagNamed(name),
    message: 'requires --queue',
  }));
}

/** Returns the cluster options of a sweep. `undefined` for a sweep on this machine. */
export function clusterOf(flags: ClusterFlags): Omit<ClusterOptions, 'sweep'> | undefined {
  const { queue, store, retries, trialTimeout, workerTimeout, rate } = flags;
  if (queue === undefined || store === undefined) return undefined;
  return {
    queue,
    store,
    ...(retries === undefined ? {} : { retries }),
    ...(trialTimeout === undefined ? {} : { trialSeconds: trialTimeout }),
    ...(workerTimeout === undefined ? {} : { lockSeconds: workerTimeout }),
    ...(rate === undefined ? {} : { rate }),
  };
}
