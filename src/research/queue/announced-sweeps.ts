import { type Announcement, openAnnouncement, type Signer, WRITER } from './messages.ts';
import type { QueueConnection } from './redis.ts';

/**
 * Key in Redis of the list of announced sweeps, which workers can join. The list is a sorted set of the names
 * of sweeps. The score is the Unix time in seconds at which the announcement expires.
 */
export const SWEEPS = 'sandtable:sweeps';

/**
 * Name of the BullMQ queue of every sweep. The Redis keys of the queue begin with the sweep's prefix
 * (`prefixOf`) and this name.
 */
export const QUEUE = 'trials';

/** Seconds after which Redis removes the keys of a sweep, unless their expiry is renewed. */
export const KEPT_SECONDS = 7 * 86_400;

/**
 * Returns the prefix of all Redis keys of a sweep. The braces make a Redis cluster store all keys of the
 * sweep on one node.
 */
export const prefixOf = (sweep: string): string => `sandtable:{${sweep}}`;

export const announcementOf = (sweep: string): string => `${prefixOf(sweep)}:sweep`;
/**
 * Returns the key of a hash with one field for each worker that refuses the sweep. The value is the reason
 * for the refusal.
 */
export const refusalsOf = (sweep: string): string => `${prefixOf(sweep)}:refusals`;
/** Returns the key of the total model usage of all trials: a hash of model calls, tokens and US dollars. */
export const spentOf = (sweep: string): string => `${prefixOf(sweep)}:spent`;
/**
 * Returns the key of the list of unanswered model requests. Each entry has the time at which the request
 * counts as lost.
 */
export const openRequestsOf = (sweep: string): string => `${prefixOf(sweep)}:requests`;

/** Returns the key of the settings that BullMQ stores for a sweep's queue. */
const metaOf = (sweep: string): string => `${prefixOf(sweep)}:${QUEUE}:meta`;

/**
 * Removes the settings of a queue if its sweep has ended.
 *
 * When a worker checks for stalled jobs, BullMQ writes these settings again, without an expiry. This function
 * must therefore be called after the worker has stopped.
 */
export async function removeLeftSettings({ redis }: QueueConnection, sweep: string): Promise<void> {
  if ((await redis.exists(announcementOf(sweep))) === 0) await redis.del(metaOf(sweep));
}

/** Redis types of the keys that BullMQ stores for a queue, without the keys of its jobs. */
const OF_QUEUE = {
  wait: 'list',
  active: 'list',
  paused: 'list',
  completed: 'zset',
  failed: 'zset',
  delayed: 'zset',
  prioritized: 'zset',
  marker: 'zset',
  meta: 'hash',
  id: 'string',
  pc: 'string',
  events: 'stream',
  stalled: 'set',
} as const;

/** Returns the Redis type of each key of a sweep. Keys of single jobs are not included. */
export function typesOfKeys(sweep: string): ReadonlyMap<string, string> {
  const queue = Object.entries(OF_QUEUE).map(
    ([name, type]) => [`${prefixOf(sweep)}:${QUEUE}:${name}`, type] as const,
  );
  return new Map<string, string>([
    [announcementOf(sweep), 'string'],
    [refusalsOf(sweep), 'hash'],
    [spentOf(sweep), 'hash'],
    [openRequestsOf(sweep), 'zset'],
    ...queue,
  ]);
}

/** Returns all keys of a sweep. Keys of single jobs are not included. */
export const lastingNames = (sweep: string): string[] => [...typesOfKeys(sweep).keys()];

export const jobKey = (sweep: string, job: string): string => `${prefixOf(sweep)}:${QUEUE}:${job}`;

/**
 * Entry in the list of announced sweeps: a valid announcement, or the reason why the announcement is refused.
 */
export type FoundSweep = { readonly sweep: string; readonly signed: string } & (
  | { readonly announcement: Announcement }
  | { readonly refused: string }
);

/**
 * Number of names after which one call of `look` stops reading the list of sweeps. Sweeps that had a valid
 * announcement in an earlier call do not count.
 */
const PAGE = 2_000;
/** Largest number of refused entries that one call of `look` returns. */
const MOST_REFUSED = 20;
/** Largest length of a sweep's name, and of an announcement, in bytes. */
const LONGEST_NAME = 200;
const LONGEST_ANNOUNCEMENT = 65_536;

/**
 * Finds the sweeps that are announced in Redis. Any client of the Redis server can add entries to the list.
 *
 * Entries with a valid signature are returned first. Each call of `look` continues where the previous call
 * stopped. For both reasons, entries of other clients cannot hide a sweep.
 */
export class AnnouncedSweeps {
  readonly #connection: QueueConnection;
  readonly #signer: Signer;
  /**
   * Names of sweeps that once had a valid announcement. Each call of `look` reads the announcements of these
   * sweeps again.
   */
  #known: ReadonlySet<string> = new Set();
  #cursor = '0';
  /** Index, among the refused entries, of the first entry that the next call of `look` returns. */
  #turn = 0;

  constructor(connection: QueueConnection, signer: Signer) {
    this.#connection = connection;
    this.#signer = signer;
  }

  /**
   * Returns the announced sweeps, valid announcements first.
   *
   * @throws ReplyError if another client has overwritten the list of sweeps with a key of another Redis type
   */
  async look(): Promise<readonly FoundSweep[]> {
    const { redis } = this.#connection;
    await redis.zremrangebyscore(SWEEPS, '-inf', Math.floor(Date.now() / 1_000));
    const names = new Set(this.#known);
    const known = names.size;
    do {
      // Redis returns names and scores alternately.
      const [cursor, entries] = await redis.zscan(SWEEPS, this.#cursor, 'COUNT', 500);
      for (const [index, name] of entries.entries())
        if (index % 2 === 0 && name.length <= LONGEST_NAME) names.add(name);
      this.#cursor = cursor;
    } while (this.#cursor !== '0' && names.size - known < PAGE);
    const pipeline = redis.pipeline();
    for (const name of names)
      pipeline.zscore(SWEEPS, name).getrange(announcementOf(name), 0, LONGEST_ANNOUNCEMENT);
    const answers = (await pipeline.exec()) ?? [];
    const found = [...names].flatMap((sweep, index): FoundSweep[] => {
      const score = answers[2 * index]?.[1] ?? null;
      const signed = answers[2 * index + 1]?.[1];
      // If the Redis type of an announcement is not a string, `signed` is not a text, and the entry is
      // ignored.
      return score === null || typeof signed !== 'string' || signed === '' ? [] : [this.#read(sweep, signed)];
    });
    const trusted = found.filter((one) => 'announcement' in one || this.#known.has(one.sweep));
    this.#known = new Set(trusted.map(({ sweep }) => sweep));
    const others = found.filter(({ sweep }) => !this.#known.has(sweep));
    this.#turn = this.#turn >= others.length ? 0 : this.#turn;
    const some = others.slice(this.#turn, this.#turn + MOST_REFUSED);
    this.#turn += MOST_REFUSED;
    return [...trusted, ...some];
  }

  #read(sweep: string, signed: string): FoundSweep {
    const opened = openAnnouncement(this.#signer, sweep, signed);
    return 'refused' in opened ? { sweep, signed, ...opened } : { sweep, signed, announcement: opened.read };
  }
}

/** Largest number of events that BullMQ stores for a queue. Sandtable does not read the events. */
const MOST_EVENTS = 10;

/** Announces a sweep to workers, and extends the expiry of its keys in Redis. */
export async function announce(
  { redis }: QueueConnection,
  signer: Signer,
  announcement: Omit<Announcement, 'protocol' | 'sandtable'>,
): Promise<void> {
  const { sweep } = announcement;
  const signed = signer.sign('sweep', { ...WRITER, ...announcement } satisfies Announcement);
  const until = Math.floor(Date.now() / 1_000) + KEPT_SECONDS;
  const pipeline = redis.pipeline();
  pipeline.set(announcementOf(sweep), JSON.stringify(signed), 'EX', KEPT_SECONDS);
  pipeline.zadd(SWEEPS, until, sweep);
  pipeline.expire(SWEEPS, KEPT_SECONDS);
  pipeline.hset(metaOf(sweep), 'opts.maxLenEvents', MOST_EVENTS);
  for (const name of lastingNames(sweep)) pipeline.expire(name, KEPT_SECONDS);
  await pipeline.exec();
}
