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
export const metaOf = (sweep: string): string => `${prefixOf(sweep)}:${QUEUE}:meta`;

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
