import { setTimeout as sleep } from 'node:timers/promises';

/** Options of `retry`. */
interface RetryOptions {
  /** Maximum number of attempts, at least 1. */
  readonly attempts: number;
  /**
   * Returns the time to wait before the next attempt in ms, or `undefined` if a further attempt cannot help.
   *
   * @param attempt number of the failed attempt, from 1
   */
  readonly waitAfter: (error: unknown, attempt: number) => number | undefined;
  /** Called before each wait. */
  readonly onRetry?: ((error: unknown, milliseconds: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls a function again while it fails and a further attempt can help.
 *
 * @throws the error of the last attempt; the reason of `signal` if the caller aborted
 */
export async function retry<T>(options: RetryOptions, attemptOnce: () => Promise<T>): Promise<T> {
  const { attempts, waitAfter, onRetry, signal } = options;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await attemptOnce();
    } catch (error) {
      signal?.throwIfAborted();
      const wait = attempt < attempts ? waitAfter(error, attempt) : undefined;
      if (wait === undefined) throw error;
      onRetry?.(error, wait);
      await sleep(wait, undefined, { signal });
    }
  }
}

/**
 * Returns the wait time requested by a server, in ms, from `retry-after-ms`, or from `retry-after` in seconds
 * or as a date. `undefined` if the headers state none.
 *
 * @param now milliseconds since 1970, for a date
 */
export function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds;
  const text = headers?.get('retry-after')?.trim() ?? '';
  if (text === '') return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(seconds * 1_000, 0);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0);
}
