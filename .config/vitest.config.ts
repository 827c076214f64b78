import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import SlowFirst from './slow-first.ts';
import { testFilesWhere } from './test-files.ts';

/** A file of the sources: what the package's name means in a test. */
const source = (file: string): string => fileURLToPath(new URL(`../src/${file}`, import.meta.url));

/** Replaces a module for the whole process, which the other files of the process would then use too. */
const MOCK = /\bvi\.(mock|doMock)\(|gallery\/(commands|gallery)\.ts/;
const include = testFilesWhere(() => true);
const alone = testFilesWhere((_, text) => MOCK.test(text));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^sandtable$/, replacement: source('index.ts') },
      { find: /^sandtable\/(sandbox|toolkit)$/, replacement: source('$1.ts') },
      { find: /^sandtable\/steps$/, replacement: source('testing/steps/index.ts') },
      { find: /^sandtable\/(\w+)$/, replacement: source('$1/index.ts') },
    ],
  },
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    setupFiles: ['test/seed.ts'],
    pool: 'forks',
    // Tests of processes wait a third of the time, so more workers than cores finish earlier.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { sequencer: SlowFirst },
    // A hang ends the suite; a machine busy with other work must not.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The default of one second is too short for a machine that is busy with other work.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      // Starting a process and loading modules takes longer than most test files, so files share both.
      { extends: true, test: { name: 'shared', include, exclude: alone, isolate: false } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
