import { messageOf } from '../../kernel/index.ts';
import { THREAD_ENDED } from '../lost.ts';

/** Why a job has no result, as the trials that it held say it. */
export function lossText(reason: string): string {
  if (/stalled/.test(reason)) return THREAD_ENDED;
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
