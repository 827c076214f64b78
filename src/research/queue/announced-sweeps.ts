import { type Announcement, openAnnouncement, type Signer, WRITER } from './messages.ts';
import type { QueueConnection } from './redis.ts';

/** Sorted set of the announced sweeps, with the time until which each is announced. */
export const SWEEPS = 'sandtable:sweeps';

/** Name of the queue below a sweep's prefix. */
export const QUEUE = 'trials';

/** Expiry in seconds of a sweep's keys in Redis after the last renewal. */
export const KEPT_SECONDS = 7 * 86_400;

/** Returns the prefix of all keys of a sweep in Redis. The braces place them on one node of a cluster. */
export const prefixOf = (sweep: string): string => `sandtable:{${sweep}}`;

export const announcementOf = (sweep: string): string => `${prefixOf(sweep)}:sweep`;
/** Returns the key of the refusals of a sweep, by worker. */
export const refusalsOf = (sweep: string): string => `${prefixOf(sweep)}:refusals`;
/** Returns the key of the model usage of all trials, by kind. */
export const spentOf = (sweep: string): string => `${prefixOf(sweep)}:spent`;
/** Returns the key of unanswered model requests, with the times at which they count as lost. */
export const openRequestsOf = (sweep: string): string => `${prefixOf(sweep)}:requests`;

/** Returns the key of the queue settings that BullMQ reads. */
const metaOf = (sweep: string): string => `${prefixOf(sweep)}:${QUEUE}:meta`;

/**
 * Removes the settings of a queue if its sweep has ended.
 *
 * BullMQ writes them again, without an expiry, when a worker looks for stalled jobs. Call after the worker has stopped.
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

/** Redis type of each key that lives as long as a sweep. The keys of its jobs are not included. */
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

/** All keys of a sweep that live as long as it does. The keys of its jobs are not included. */
export const lastingNames = (sweep: string): string[] => [...typesOfKeys(sweep).keys()];

export const jobKey = (sweep: string, job: string): string => `${prefixOf(sweep)}:${QUEUE}:${job}`;

/** Entry of the list of sweeps, with its signed announcement or the reason why it is refused. */
export type FoundSweep = { readonly sweep: string; readonly signed: string } & (
  | { readonly announcement: Announcement }
  | { readonly refused: string }
);

/** Names that one look reads from the list of sweeps. */
const PAGE = 2_000;
/** Refused entries that one look returns. */
const MOST_REFUSED = 20;
/** Longest name of a sweep, and longest announcement, in bytes. */
const LONGEST_NAME = 200;
const LONGEST_ANNOUNCEMENT = 65_536;

/**
 * Finds the sweeps that are announced in a queue. Any client of the Redis can add entries to the list. Signed
 * entries come first, and every look continues where the last look stopped. Foreign entries therefore cannot
 * hide a sweep.
 */
export class AnnouncedSweeps {
  readonly #connection: QueueConnection;
  readonly #signer: Signer;
  /** Names of sweeps that had a signed announcement at any time. They are read at each look. */
  #known: ReadonlySet<string> = new Set();
  #cursor = '0';
  /** Position of the first refused entry that the next look returns. */
  #turn = 0;

  constructor(connection: QueueConnection, signer: Signer) {
    this.#connection = connection;
    this.#signer = signer;
  }

  /** @throws ReplyError if another client changed the type of the list */
  async look(): Promise<readonly FoundSweep[]> {
    const { redis } = this.#connection;
    await redis.zremrangebyscore(SWEEPS, '-inf', Math.floor(Date.now() / 1_000));
    const names = new Set(this.#known);
    const known = names.size;
    do {
      // The answer alternates between names and scores.
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
      // An announcement of another type has an error in place of its text.
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

/** Events of a queue that BullMQ retains. Sandtable does not read them. */
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
