import type { Announcement } from './messages.ts';

/** What became of a trial: its result, or how it was lost more often than it may be. */
export type QueueOutcome =
  | { readonly id: string; readonly result: unknown }
  | { readonly id: string; readonly lost: string };

export interface SweepQueueOptions {
  readonly announcement: Omit<Announcement, 'protocol' | 'sandtable'>;
  /** How often a trial that fails or is lost is tried again. */
  readonly retries: number;
  /** Trials a job; by how long they take when left out. */
  readonly batch?: number;
  readonly note: (text: string) => void;
  /** Puts the outcomes that were given so far on the disk, before the queue forgets them. */
  readonly flush?: () => void;
}
