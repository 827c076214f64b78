/** The sweeps that workers may find, with the time until which each is announced. */
export const SWEEPS = 'sandtable:sweeps';

/** The queue's name below a sweep's prefix. */
export const QUEUE = 'trials';

/** How long what a sweep has in Redis stays there when nobody looks after it any more, in seconds. */
export const KEPT_SECONDS = 7 * 86_400;

/** The beginning of all names that a sweep has in Redis; the braces keep them on one node of a cluster. */
export const prefixOf = (sweep: string): string => `sandtable:{${sweep}}`;

export const announcementOf = (sweep: string): string => `${prefixOf(sweep)}:sweep`;
/** What workers have to say about a sweep that they refuse, by worker. */
export const refusalsOf = (sweep: string): string => `${prefixOf(sweep)}:refusals`;
/** What all trials have spent on models so far, by kind. */
export const spentOf = (sweep: string): string => `${prefixOf(sweep)}:spent`;
/** Requests to models that have no answer yet, with when they are given up for lost. */
export const openRequestsOf = (sweep: string): string => `${prefixOf(sweep)}:requests`;

/** Settings of the queue that BullMQ reads. */
export const metaOf = (sweep: string): string => `${prefixOf(sweep)}:${QUEUE}:meta`;

/** Redis types of the keys that BullMQ keeps for a queue, without the keys of its jobs. */
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
