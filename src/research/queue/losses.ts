import { AppError, messageOf } from '../../kernel/index.ts';

export function budgetSpent(kind: string): AppError {
  return new AppError({
    code: 'budget_spent',
    message: `The workers have spent the budget of the sweep: ${kind}.`,
    hint: 'What they finished is kept. Continue with sandtable sweep --resume and a larger --budget.',
    kind: 'run',
  });
}

/** Why a job has no result, as the trials that it held say it. */
export function lossText(reason: string): string {
  if (/stalled/.test(reason)) return 'its worker died or hung';
  return `its worker failed: ${messageOf(reason)}`;
}

/** Waits, or until the signal. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}
