import type { WorkerStart } from '../workers/messages.ts';

/** Inputs of the threads that run a sweep's trials, on any machine. */
export interface SweepGround
  extends Pick<WorkerStart, 'strategy' | 'bundle' | 'parameters' | 'options' | 'settings' | 'files'> {
  /** Seconds without a decision after which a trial is aborted. */
  readonly decisionSeconds: number;
}
