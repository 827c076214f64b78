import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/**
 * Properties are tried with the same random cases in every run, so that a suite that passed passes again; another number,
 * or `random`, in SANDTABLE_SEED tries others. The library is loaded only for files that use it.
 */
const given = process.env.SANDTABLE_SEED ?? '1';
const { testPath } = expect.getState();
if (given !== 'random' && testPath !== undefined && readFileSync(testPath, 'utf8').includes('fast-check')) {
  const { configureGlobal } = await import('fast-check');
  configureGlobal({ seed: Number(given) });
}
