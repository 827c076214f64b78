import { expect, it } from 'vitest';
import { retryAfter } from './http.ts';
import { providerOf } from './providers/index.ts';

it('reads Retry-After as seconds and as a date', () => {
  const now = Date.UTC(2020, 0, 1);
  expect([
    retryAfter('2'),
    retryAfter('Wed, 01 Jan 2020 00:00:30 GMT', now),
    retryAfter(null),
    retryAfter('soon'),
  ]).toEqual([2_000, 30_000, -1, -1]);
});

it('names the provider that was meant', () => {
  expect(() => providerOf('stoq')).toThrow(/no provider "stoq"/);
  expect(providerOf('ccxt:kraken').name).toBe('ccxt:kraken');
});
