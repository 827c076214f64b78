import type { ProcessGuard } from './guard/process-guard.ts';

/** Milliseconds after which the user is informed how to end a run immediately. */
const SOON = 1_000;

/**
 * Turns the first Ctrl-C (or SIGTERM) into an abort at the end of the bar. The second one ends the process
 * immediately.
 *
 * @param guard ends a running run normally, and lets signals end a blocked process
 * @param slow called if the first signal has not ended the run soon
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
