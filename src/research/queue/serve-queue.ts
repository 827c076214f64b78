import { messageOf } from '../../kernel/index.ts';
import { pause } from './losses.ts';
import { type Announcement, readDocument } from './messages.ts';
import { announcementOf, KEPT_SECONDS, lastingNames, prefixOf, QUEUE, refusalsOf, SWEEPS } from './names.ts';
import type { QueueConnection } from './redis.ts';
import type { Signer } from './secret.ts';
import { type OpenedSweep, SweepWorker, type SweepWorkerOptions, WORKER_NAME } from './sweep-worker.ts';

export interface ServeOptions extends SweepWorkerOptions {
  /** Fetches a sweep's bundle and data. */
  readonly open: (announcement: Announcement) => Promise<OpenedSweep>;
}

/** How often a worker looks for sweeps, in milliseconds. */
const LOOK = 1_000;
/** How often it puts off the day when Redis forgets its sweep. */
const CARE = 20;
/** After so long it tries a sweep again that it could not open, in milliseconds: a store may be away for a time. */
const AGAIN = 60_000;

/** Sweeps that this worker takes no part in, by name. */
type Refused = Map<string, { readonly signed: string; readonly until: number }>;

/**
 * Works for every sweep that is announced in a queue, one at a time, until it is told to end.
 *
 * @returns how many trials it ran
 */
export async function serveQueue(
  connection: QueueConnection,
  signer: Signer,
  { open, ...options }: ServeOptions,
): Promise<number> {
  const { signal } = options;
  const { redis } = connection;
  // A command waits for a Redis that is away; whoever ends the worker does not.
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
  let current: SweepWorker | undefined;
  /** The announcement it works by. */
  let signed = '';
  let trials = 0;
  const leave = async (): Promise<void> => {
    const leaving = current;
    current = undefined;
    await leaving?.close();
    trials += leaving?.trials ?? 0;
  };
  const work = async (): Promise<void> => {
    for (let look = 0; !signal.aborted; look++) {
      const sweeps = await announced(connection, signer);
      if (signal.aborted) break;
      const own = sweeps.find(({ sweep }) => sweep === current?.announcement.sweep);
      if (current !== undefined && own === undefined) {
        options.note(`The sweep ${current.announcement.sweep} has ended.`);
        await leave();
      }
      if (current !== undefined && own !== undefined && own.signed !== signed) {
        // Whoever went on with it gave another budget.
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
          options.note(`No part in the sweep ${next.sweep}: ${text}`);
          await refuse(connection, next.sweep, text);
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

type Found = { readonly sweep: string; readonly signed: string } & (
  | { readonly announcement: Announcement }
  | { readonly refused: string }
);

async function announced({ redis }: QueueConnection, signer: Signer): Promise<Found[]> {
  await redis.zremrangebyscore(SWEEPS, '-inf', Math.floor(Date.now() / 1_000));
  const ids = await redis.zrange(SWEEPS, '0', '99');
  if (ids.length === 0) return [];
  const texts = await Promise.all(ids.map((id) => redis.get(announcementOf(id))));
  return ids.flatMap((sweep, index): Found[] => {
    const signed = texts[index];
    if (signed === null || signed === undefined) return [];
    const opened = signer.open('sweep', parsed(signed));
    if ('refused' in opened) return [{ sweep, signed, refused: `${opened.refused}.` }];
    const read = readDocument('sweep', opened.document);
    if ('refused' in read) return [{ sweep, signed, refused: `${read.refused}.` }];
    if (read.read.sweep !== sweep)
      return [{ sweep, signed, refused: 'it was announced under another name.' }];
    return [{ sweep, signed, announcement: read.read }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The sweep to work for: the one under way, unless another has jobs and this one has none. */
async function choose(
  { redis }: QueueConnection,
  sweeps: readonly Found[],
  current: SweepWorker | undefined,
  refused: Refused,
): Promise<Found | undefined> {
  if (current !== undefined && current.idle < LOOK) return undefined;
  const open = sweeps.filter(({ sweep, signed }) => {
    const before = refused.get(sweep);
    return before?.signed !== signed || before.until < Date.now();
  });
  for (const list of ['wait', 'active']) {
    for (const one of open) {
      const length = await redis.llen(`${prefixOf(one.sweep)}:${QUEUE}:${list}`);
      if (length > 0) return one;
    }
    // A job that is with somebody else is no reason to leave.
    if (current !== undefined) return undefined;
  }
  return undefined;
}

async function refuse({ redis }: QueueConnection, sweep: string, text: string): Promise<void> {
  await redis.hset(refusalsOf(sweep), WORKER_NAME, text.slice(0, 500));
  await redis.expire(refusalsOf(sweep), KEPT_SECONDS);
}

async function keep({ redis }: QueueConnection, sweep: string): Promise<void> {
  const pipeline = redis.pipeline();
  for (const name of lastingNames(sweep)) pipeline.expire(name, KEPT_SECONDS);
  await pipeline.exec();
}
