import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/**
 * Property tests use the same random cases in every run, so that their results are reproducible.
 * `SANDTABLE_SEED` sets another seed, and with the value `random` each run uses a different one. The library
 * fast-check is loaded only for test files that use it.
 */
const given = process.env.SANDTABLE_SEED ?? '1';
const { testPath } = expect.getState();
if (given !== 'random' && testPath !== undefined && readFileSync(testPath, 'utf8').includes('fast-check')) {
  const { configureGlobal } = await import('fast-check');
  configureGlobal({ seed: Number(given) });
}
