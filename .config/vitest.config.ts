import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import SlowFirst from './slow-first.ts';

/** A file of the sources: what the package's name means in a test. */
const source = (file: string): string => fileURLToPath(new URL(`../src/${file}`, import.meta.url));

const include = ['src/**/*.test.ts', 'test/**/*.test.ts', 'strategies/**/*.test.ts', 'bench/**/*.test.ts'];
/** Tests that start no process and no server. */
const CALCULATIONS = [
  'src/{kernel,market}/*.test.ts',
  'src/market/!(acquire)/**/*.test.ts',
  'src/{broker,engine,results/analysis}/**/*.test.ts',
];

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
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    // A hang ends the suite; a machine busy with other work must not.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      // A process of its own costs more than most of these tests: they start none and change nothing for others.
      { extends: true, test: { name: 'in one process', include: CALCULATIONS, isolate: false } },
      { extends: true, test: { name: 'in their own', include, exclude: CALCULATIONS } },
    ],
  },
});
