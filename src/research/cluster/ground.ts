import type { WorkerStart } from '../workers/messages.ts';

/** What the threads of a sweep's trials are started with, on whichever machine. */
export interface SweepGround
  extends Pick<WorkerStart, 'strategy' | 'bundle' | 'parameters' | 'options' | 'settings' | 'files'> {
  /** Seconds without a decision after which a trial is given up. */
  readonly decisionSeconds: number;
}
