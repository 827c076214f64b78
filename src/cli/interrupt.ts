import type { ProcessGuard } from './guard/process-guard.ts';

/** How long a run may take to stop by itself before the user reads how to end it at once, in milliseconds. */
const SOON = 1_000;

/**
 * Turns the first Ctrl-C (or a polite kill) into an abort at the end of the bar; the second ends the process at once.
 *
 * @param guard ends a run under way in good order, and lets signals end a process that cannot hear them
 * @param slow called when the first has not ended the run soon
 */
export function onInterrupt(
  guard?: ProcessGuard,
  slow?: () => void,
): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  let reminder: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (controller.signal.aborted) {
      if (guard === undefined) process.exit(1);
      guard.interrupt();
    }
    controller.abort();
    if (slow !== undefined) reminder = setTimeout(slow, SOON).unref();
  };
  const deafen = guard === undefined ? hear(stop) : guard.hear(stop);
  return {
    signal: controller.signal,
    release() {
      clearTimeout(reminder);
      deafen();
    },
  };
}

function hear(stop: () => void): () => void {
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
}
