import { type Announcement, WRITER } from './messages.ts';
import { announcementOf, KEPT_SECONDS, lastingNames, metaOf, SWEEPS } from './names.ts';
import type { QueueConnection } from './redis.ts';
import { openAnnouncement, type Signer } from './secret.ts';

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
