import { messageOf } from '../../kernel/index.ts';
import {
  AnnouncedSweeps,
  type FoundSweep,
  KEPT_SECONDS,
  lastingNames,
  prefixOf,
  QUEUE,
  SWEEPS,
} from './announced-sweeps.ts';
import { isRefusedCommand, pause, reportRefusal } from './job-outcomes.ts';
import type { Announcement, Signer } from './messages.ts';
import type { QueueConnection } from './redis.ts';
import { type OpenedSweep, SweepWorker, type SweepWorkerOptions, WORKER_NAME } from './sweep-worker.ts';

export interface ServeOptions extends SweepWorkerOptions {
  /** Fetches the strategy and the data of a sweep from the store. */
  readonly open: (announcement: Announcement) => Promise<OpenedSweep>;
}

/** Mean interval in milliseconds at which a worker looks for announced sweeps. */
const LOOK = 1_000;
/** Number of checks for announced sweeps between two renewals of the expiry of a sweep's keys. */
const CARE = 20;
/**
 * Milliseconds after which a worker retries a sweep that it could not open, for example because the store was
 * unreachable.
 */
const AGAIN = 60_000;

/**
 * Largest number of entries without a valid announcement that the worker reports within `AGAIN` milliseconds.
 */
const MOST_REFUSED = 100;

/**
 * Sweeps that this worker refuses, by name. `signed` is the refused announcement. `until` is the time of the
 * next attempt, in milliseconds since 1970.
 */
type Refused = Map<string, { readonly signed: string; readonly until: number }>;

/**
 * Runs trials of every sweep announced in a queue, one sweep at a time, until the worker is stopped.
 *
 * @returns number of trials that the worker ran
 */
export async function serveQueue(
  connection: QueueConnection,
  signer: Signer,
  { open, ...options }: ServeOptions,
): Promise<number> {
  const { signal } = options;
  const { redis } = connection;
  // Redis commands wait while Redis is unreachable. A request to stop the worker therefore ends the
  // connection, so that the worker stops immediately.
  let release = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    release = (): void => {
      if (redis.status === 'ready') return;
      redis.disconnect();
      resolve();
    };
  });
  signal.addEventListener('abort', release, { once: true });
  const refused: Refused = new Map();
  const found = new AnnouncedSweeps(connection, signer);
  let problem = '';
  let current: SweepWorker | undefined;
  /** Signed announcement of the current sweep. */
  let signed = '';
  let trials = 0;
  const leave = async (): Promise<void> => {
    const leaving = current;
    current = undefined;
    await leaving?.close();
    trials += leaving?.trials ?? 0;
  };
  const findSweeps = async (): Promise<readonly FoundSweep[] | undefined> => {
    try {
      const sweeps = await found.look();
      problem = '';
      return sweeps;
    } catch (error) {
      if (!isRefusedCommand(error)) throw error;
      // Any client can write to the keys in Redis, so invalid data of another client may have caused the
      // error. The worker must continue.
      const text = messageOf(error).slice(0, 300);
      if (text !== problem)
        options.note(`Cannot read the list of sweeps ${SWEEPS} in the queue; trying again: ${text}`);
      problem = text;
      return undefined;
    }
  };
  const work = async (): Promise<void> => {
    for (let look = 0; !signal.aborted; look++) {
      const sweeps = await findSweeps();
      if (sweeps === undefined) {
        await pause(LOOK, signal);
        continue;
      }
      if (signal.aborted) break;
      const own = sweeps.find(({ sweep }) => sweep === current?.announcement.sweep);
      if (current !== undefined && own === undefined) {
        options.note(`The sweep ${current.announcement.sweep} has ended.`);
        await leave();
      }
      if (current !== undefined && own !== undefined && 'announcement' in own && own.signed !== signed) {
        // The announcement has changed, for example because the sweep was resumed with another budget. The
        // worker closes the sweep and opens it again with the new announcement. An announcement without a
        // valid signature has no effect.
        await leave();
      }
      const next = await choose(connection, sweeps, current, refused);
      if (next !== undefined && next.sweep !== current?.announcement.sweep) {
        await leave();
        try {
          if ('refused' in next) throw new Error(next.refused);
          const opened = await open(next.announcement);
          signed = next.signed;
          current = await SweepWorker.start(next.announcement, connection, signer, opened, options);
          options.note(`Working for the sweep ${next.sweep}.`);
        } catch (error) {
          refused.set(next.sweep, { signed: next.signed, until: Date.now() + AGAIN });
          const text = messageOf(error);
          options.note(`Not taking part in the sweep ${next.sweep}: ${text}`);
          await reportRefusal(connection, WORKER_NAME, next.sweep, text);
        }
        continue;
      }
      if (current !== undefined && look % CARE === 0) await keep(connection, current.announcement.sweep);
      await pause(LOOK * (0.75 + 0.5 * Math.random()), signal);
    }
  };
  try {
    await Promise.race([work(), left]);
  } catch (error) {
    if (!signal.aborted || redis.status === 'ready') throw error;
  } finally {
    signal.removeEventListener('abort', release);
    await leave();
  }
  return trials;
}

/**
 * Returns the sweep that the worker should work for next. `undefined` means that the worker stays with its
 * current sweep, or waits if it has no current sweep. The worker changes its sweep only if the current sweep
 * has no waiting jobs and another sweep has waiting jobs.
 */
async function choose(
  { redis }: QueueConnection,
  sweeps: readonly FoundSweep[],
  current: SweepWorker | undefined,
  refused: Refused,
): Promise<FoundSweep | undefined> {
  if (current !== undefined && current.idle < LOOK) return undefined;
  for (const [sweep, { until }] of refused) if (until < Date.now()) refused.delete(sweep);
  const open = sweeps.filter((one) => {
    if (refused.get(one.sweep)?.signed === one.signed) return false;
    return (
      'announcement' in one || (refused.size < MOST_REFUSED && one.sweep !== current?.announcement.sweep)
    );
  });
  for (const list of ['wait', 'active']) {
    const pipeline = redis.pipeline();
    for (const { sweep } of open) pipeline.llen(`${prefixOf(sweep)}:${QUEUE}:${list}`);
    const answers = (await pipeline.exec()) ?? [];
    // Redis answers with an error instead of a number if a key is damaged. The error counts as 0 and affects
    // only the sweep of this key.
    const found = open.find((_, index) => Number(answers[index]?.[1] ?? 0) > 0);
    if (found !== undefined) return found;
    // If no sweep has waiting jobs, the worker stays with its current sweep while other workers run jobs.
    if (current !== undefined) return undefined;
  }
  return undefined;
}

async function keep({ redis }: QueueConnection, sweep: string): Promise<void> {
  const pipeline = redis.pipeline();
  for (const name of lastingNames(sweep)) pipeline.expire(name, KEPT_SECONDS);
  await pipeline.exec();
}
