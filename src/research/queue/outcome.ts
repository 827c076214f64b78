import type { ModelSpending } from '../../agent/index.ts';
import type { Announcement } from './messages.ts';

/** Outcome of a trial: its result, or the reason why it was lost more often than allowed. */
export type QueueOutcome =
  | { readonly id: string; readonly result: unknown }
  | { readonly id: string; readonly lost: string };

export interface SweepQueueOptions {
  readonly announcement: Omit<Announcement, 'protocol' | 'sandtable'>;
  /** Number of retries of a trial that is lost or that may have failed because of its machine. */
  readonly retries: number;
  /** Trials per job. If omitted, chosen by their duration. */
  readonly batch?: number;
  /** Model usage before this process. */
  readonly spent?: ModelSpending;
  readonly note: (text: string) => void;
  /** Called with the total model usage of all trials. */
  readonly onSpent?: (spent: ModelSpending) => void;
  /** Writes the outcomes received so far to disk, before the queue removes them. */
  readonly flush?: () => void;
}
