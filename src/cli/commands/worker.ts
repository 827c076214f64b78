import { availableParallelism } from 'node:os';
import { z } from 'zod';
import type { Fault } from '../../kernel/index.ts';
import { runWorker } from '../../research/index.ts';
import { numberText } from '../flags/flag-values.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, printLine } from '../io.ts';
import { onInterrupt } from '../run-context.ts';

const flagsSchema = z.object({
  queue: z.string().default(''),
  store: z.string().default(''),
  jobs: numberText({ min: 1, max: 1_024, whole: true }).optional(),
  quiet: z.boolean().optional(),
});

/**
 * Returns a fault if `--queue` (Redis server with the trials) or `--store` (folder or bucket with the files
 * of the sweeps) is missing.
 */
function missing(given: unknown): Fault[] {
  const { queue, store } = given as { readonly queue?: string; readonly store?: string };
  return [
    ...(queue === undefined
      ? [
          {
            where: '--queue',
            message: 'is missing. Pass the address of Redis, for example redis://localhost:6379',
          },
        ]
      : []),
    ...(store === undefined
      ? [
          {
            where: '--store',
            message: 'is missing. Pass the folder shared by all machines, or s3://bucket/prefix',
          },
        ]
      : []),
  ];
}

/**
 * Environment variables with secrets of the cluster. They are removed from the environment before this
 * process runs strategies, which come from other machines.
 */
const SECRETS = ['SANDTABLE_SWEEP_SECRET', 'SANDTABLE_REDIS_PASSWORD'];

/** `sandtable worker`: runs trials for sweeps of other machines until it is interrupted. */
export async function workerCommand(given: unknown, io: Io): Promise<number> {
  const {
    queue,
    store,
    jobs = availableParallelism(),
    quiet,
  } = readFlags(flagsSchema, given, 'worker', missing(given));
  const environment = { ...io.env };
  if (io.env === process.env) {
    // Hides the command line, which may contain secrets, in the process list. Also removes secrets from the
    // environment, because the threads that run strategies inherit it.
    process.title = 'sandtable worker';
    for (const name of SECRETS) delete process.env[name];
  }
  const note = (text: string): void => {
    if (quiet !== true) printLine(io.stderr, `note: ${text}`);
  };
  const interrupt = onInterrupt(undefined, () => {
    printLine(
      io.stderr,
      'Stopping when the running trials have ended. Press Ctrl-C again to stop immediately.',
    );
  });
  try {
    note(
      `Waiting for sweeps, with ${jobs} ${jobs === 1 ? 'trial' : 'trials'} in parallel. Press Ctrl-C to stop.`,
    );
    const trials = await runWorker({ queue, store, jobs, environment, note, signal: interrupt.signal });
    note(`Ended after ${trials} ${trials === 1 ? 'trial' : 'trials'}.`);
    return 0;
  } finally {
    interrupt.release();
  }
}
