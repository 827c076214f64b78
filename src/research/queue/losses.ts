import { messageOf } from '../../kernel/index.ts';
import { THREAD_ENDED } from '../lost.ts';

/** Returns the reason why a job has no result, as the error text of its trials. */
export function lossText(reason: string): string {
  if (/stalled/.test(reason)) return THREAD_ENDED;
  return `its worker failed: ${messageOf(reason)}`;
}

/** Waits for a time, or until the signal is aborted. */
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
