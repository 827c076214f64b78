import type { LateCommands } from '../broker/index.ts';

/** Source of bars that do not exist yet when the run starts, and the times at which decisions were made. */
export interface BarFeed extends LateCommands {
  /** Waits for the next bar and appends it to the market. Returns false at the end of the feed. */
  next(): Promise<boolean>;
  /** True if a decision is made at this bar. False if a later bar was already known. */
  isDue(bar: number): Promise<boolean>;
  /** Called after the decision at a bar, before the bar's last event. */
  decided(bar: number): void;
}
