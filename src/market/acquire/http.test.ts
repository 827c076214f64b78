import { expect, it } from 'vitest';
import { providerOf } from './providers/index.ts';

it('names the provider that was meant', () => {
  expect(() => providerOf('stoq')).toThrow(/Unknown provider "stoq"/);
  expect(providerOf('ccxt:kraken').name).toBe('ccxt:kraken');
});
