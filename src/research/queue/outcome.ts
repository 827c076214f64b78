import type { ModelSpending } from '../../agent/index.ts';
import type { Announcement } from './messages.ts';

/** What became of a trial: its result, or how it was lost more often than it may be. */
export type QueueOutcome =
  | { readonly id: string; readonly result: unknown }
  | { readonly id: string; readonly lost: string };

export interface SweepQueueOptions {
  readonly announcement: Omit<Announcement, 'protocol' | 'sandtable'>;
  /** How often a trial is tried again that is lost, or that its machine may have failed. */
  readonly retries: number;
  /** Trials a job; by how long they take when left out. */
  readonly batch?: number;
  /** What was spent on models before. */
  readonly spent?: ModelSpending;
  readonly note: (text: string) => void;
  /** Given what all trials have spent on models so far. */
  readonly onSpent?: (spent: ModelSpending) => void;
  /** Puts the outcomes that were given so far on the disk, before the queue forgets them. */
  readonly flush?: () => void;
}
