import { expect, it } from 'vitest';
import { retry, retryAfter } from './request.ts';

it('reads the wait of a response from headers in milliseconds, in seconds and as a date', () => {
  const of = (headers: Record<string, string>) => retryAfter(new Headers(headers), Date.UTC(2020, 0, 1));
  expect(of({ 'retry-after-ms': '250', 'retry-after': '9' })).toBe(250);
  expect(of({ 'retry-after': '1.5' })).toBe(1_500);
  expect(of({ 'retry-after': 'Wed, 01 Jan 2020 00:00:03 GMT' })).toBe(3_000);
  expect(of({ 'retry-after': 'soon' })).toBeUndefined();
  expect(of({ 'retry-after': '0x10' })).toBeUndefined();
  expect(of({})).toBeUndefined();
});

it('retries until an attempt succeeds', async () => {
  const waits: number[] = [];
  let attempts = 0;
  const result = await retry(
    { attempts: 3, waitAfter: (_error, attempt) => attempt, onRetry: (_error, wait) => waits.push(wait) },
    () => (++attempts < 3 ? Promise.reject(new Error('busy')) : Promise.resolve('done')),
  );
  expect([result, attempts, waits]).toEqual(['done', 3, [1, 2]]);
});

it('throws the error of the last attempt, or of an attempt that must not be retried', async () => {
  let attempts = 0;
  const failing = () => Promise.reject(new Error(`attempt ${++attempts}`));
  await expect(retry({ attempts: 2, waitAfter: () => 0 }, failing)).rejects.toThrow('attempt 2');
  await expect(retry({ attempts: 5, waitAfter: () => undefined }, failing)).rejects.toThrow('attempt 3');
});

it('ends a wait when the caller aborts', async () => {
  const ending = new AbortController();
  const reason = new Error('interrupted');
  const options = {
    attempts: 2,
    waitAfter: () => 60_000,
    onRetry: () => queueMicrotask(() => ending.abort(reason)),
    signal: ending.signal,
  };
  await expect(retry(options, () => Promise.reject(new Error('busy')))).rejects.toThrow();
});

it('reads a wait of zero, and never a negative wait', () => {
  const now = Date.UTC(2020, 0, 1);
  const of = (headers: Record<string, string>) => retryAfter(new Headers(headers), now);
  expect(of({ 'retry-after-ms': '0', 'retry-after': '9' })).toBe(0);
  expect(of({ 'retry-after-ms': '-1', 'retry-after': '9' })).toBe(9_000);
  expect(of({ 'retry-after': 'Tue, 31 Dec 2019 23:59:00 GMT' })).toBe(0);
  expect(of({ 'retry-after': '0' })).toBe(0);
  expect(retryAfter(undefined, now)).toBeUndefined();
});

it('makes one attempt without a wait if only one is allowed, and none after an abort', async () => {
  let waits = 0;
  const failing = () => Promise.reject(new Error('busy'));
  const options = { attempts: 1, waitAfter: () => ++waits };
  await expect(retry(options, failing)).rejects.toThrow('busy');
  expect(waits).toBe(0);
  const ended = new AbortController();
  ended.abort(new Error('stopped'));
  let attempts = 0;
  const counted = () => Promise.resolve(++attempts);
  await expect(retry({ ...options, signal: ended.signal }, counted)).rejects.toThrow('stopped');
  expect(attempts).toBe(0);
  const during = new AbortController();
  const aborting = () => {
    during.abort(new Error('stopped'));
    return failing();
  };
  await expect(retry({ ...options, attempts: 2, signal: during.signal }, aborting)).rejects.toThrow(
    'stopped',
  );
  expect(waits).toBe(0);
});
