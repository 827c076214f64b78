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

/** Those that BullMQ keeps beside a key for each job. */
const OF_QUEUE = [
  'wait',
  'active',
  'completed',
  'failed',
  'delayed',
  'prioritized',
  'paused',
  'meta',
  'id',
  'events',
  'stalled',
  'marker',
  'pc',
];

/** All names of a sweep that live as long as it does, but for those of its jobs. */
export function lastingNames(sweep: string): string[] {
  const prefix = prefixOf(sweep);
  return [
    announcementOf(sweep),
    refusalsOf(sweep),
    spentOf(sweep),
    openRequestsOf(sweep),
    ...OF_QUEUE.map((name) => `${prefix}:${QUEUE}:${name}`),
  ];
}

export const jobKey = (sweep: string, job: string): string => `${prefixOf(sweep)}:${QUEUE}:${job}`;
