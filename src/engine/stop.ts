import { AppError, type AppErrorOptions } from '../kernel/index.ts';

/** Thrown by a decider to end its run cleanly. The run can be resumed later. */
export class RunStop extends AppError {
  readonly outcome: 'stopped' | 'budget_exhausted';

  constructor(outcome: RunStop['outcome'], options: AppErrorOptions) {
    super({ ...options, kind: 'run' });
    this.outcome = outcome;
  }
}
