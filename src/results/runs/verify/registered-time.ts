import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Registered } from '../../analysis/index.ts';

/** Place where the hash of a registration was published, named by the person who verifies. */
export interface Publication {
  /** Place in words, for example `the tag forward-1`. */
  readonly place: string;
  /** Hashes that the place contains, in hex. */
  readonly hashes: readonly string[];
  /** Time that the place states, in milliseconds since 1970. `undefined` if it states none. */
  readonly at?: number | undefined;
  /** Facts about the place, one sentence each. */
  readonly notes: readonly string[];
}

interface Facts {
  /** Times of all bars of the journal. Empty if the journal has no real dates. */
  readonly bars: readonly number[];
  /** Times of the newest bar of each data file. */
  readonly ends: readonly number[];
  readonly publication: Publication | undefined;
}

const name = 'time of registration';

/**
 * Checks the time of a registration. The time is written by the author's machine, so it is verified only by a
 * publication. Data that did not exist at that time refute it, and so does a feed that started earlier. A
 * publication after the start of the feed is refused.
 */
export function timeCheck(
  folder: string,
  { sha256, registeredAt }: Registered,
  { bars, ends, publication }: Facts,
): Check {
  const failed = (detail: string): Check => ({ name, outcome: 'failed', detail });
  const at = Date.parse(registeredAt);
  if (Number.isNaN(at)) return failed(`${registeredAt} is not a time`);
  const feed = feedTimes(folder);
  // A plan names the hashes of its data, and therefore cannot be older than their last bar.
  const known = feed === undefined ? bars : bars.slice(0, feed.firstBar ?? bars.length);
  const newest = Math.max(...ends, known.at(-1) ?? Number.NEGATIVE_INFINITY);
  if (newest > at)
    return failed(
      `it states ${registeredAt}, but it names data whose last bar is of ${isoOf(newest)}, so it was written later`,
    );
  const started = feed?.started;
  if (started !== undefined && started < at)
    return failed(`it states ${registeredAt}, but the run received since ${isoOf(started)}`);
  if (publication !== undefined) {
    const { place, hashes, at: published } = publication;
    if (!hashes.includes(sha256)) return failed(`its SHA-256, ${sha256}, is not in ${place}`);
    if (published !== undefined && Math.floor(published / 1_000) < Math.floor(at / 1_000))
      return failed(`it states ${registeredAt}, but ${place} is of ${isoOf(published)}, which is earlier`);
    if (published !== undefined && started !== undefined && published > started)
      return failed(`${place} is of ${isoOf(published)}, but the run received since ${isoOf(started)}`);
  }
  const facts = [
    ...(Number.isFinite(newest) ? [`the last bar of its data is of ${isoOf(newest)}`] : []),
    ...(started === undefined ? [] : [`the feed started at ${isoOf(started)}`]),
    ...(feed?.writtenAt === undefined ? [] : [`the run found its file last written at ${feed.writtenAt}`]),
  ];
  const later =
    bars.length === 0 && Number.isFinite(newest)
      ? 'All of its data existed before it, so this is not a forward test'
      : barsAfter(bars, at, feed?.firstBar);
  if (publication !== undefined)
    return {
      name,
      outcome: 'verified',
      detail: [
        `its SHA-256 is in ${publication.place}`,
        ...publication.notes,
        ...facts.map(sentence),
        later,
      ].join('. '),
    };
  return {
    name,
    outcome: 'not checked',
    detail: [
      `${registeredAt} is of the author's clock, which the author can set`,
      ...facts.map(sentence),
      later,
      'Compare its SHA-256 with a published one: --published HASH, or --tag NAME',
    ].join('. '),
  };
}

/** States how many traded bars are later than the registration. */
function barsAfter(bars: readonly number[], at: number, firstBar: number | undefined): string {
  if (bars.length === 0) return 'How many bars are later is unknown';
  const traded = bars.slice(firstBar ?? 0);
  const later = traded.filter((time) => time >= at).length;
  const what = firstBar === undefined ? 'bars' : 'received bars';
  return later === 0
    ? `None of the ${traded.length} ${what} is later than it: all of them existed before, so this is not a forward test`
    : `${later} of ${traded.length} ${what} are later than it`;
}

interface FeedTimes {
  /** Time of the machine at which a process first started to receive. */
  readonly started: number | undefined;
  /** Number of the first received bar. `undefined` if none was received. */
  readonly firstBar: number | undefined;
  /** Time at which the file of the registration was last written, as the run found it. */
  readonly writtenAt: string | undefined;
}

/** Returns times of `feed.jsonl`. `undefined` if the run is not a forward run. */
function feedTimes(folder: string): FeedTimes | undefined {
  const file = join(folder, 'feed.jsonl');
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  const started = Date.parse(/"type":"started","at":"([^"]+)"/.exec(text)?.[1] ?? '');
  const firstBar = /\{"type":"bar","bar":(\d+),/.exec(text)?.[1];
  return {
    started: Number.isNaN(started) ? undefined : started,
    firstBar: firstBar === undefined ? undefined : Number(firstBar),
    writtenAt: /"registrationWrittenAt":"([^"]+)"/.exec(text)?.[1],
  };
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}

/** Result of one check of a run. */
export interface Check {
  /** File or property that was checked. */
  readonly name: string;
  readonly outcome: 'verified' | 'failed' | 'not checked';
  /** Facts that were compared, the first difference, or the reason why nothing was compared. */
  readonly detail: string;
}
