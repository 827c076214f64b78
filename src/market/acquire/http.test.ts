import { expect, it } from 'vitest';
import { providerOf } from './providers/index.ts';

it('suggests the closest provider', () => {
  expect(() => providerOf('stoq')).toThrow(/Unknown provider "stoq"/);
  expect(providerOf('ccxt:kraken').name).toBe('ccxt:kraken');
});
