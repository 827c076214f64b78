import { defineConfig } from 'vitest/config';

/** A file of the sources: what the package's name means in a test. */
const source = (file: string): string => new URL(`../src/${file}`, import.meta.url).pathname;

export default defineConfig({
  resolve: {
    alias: [
      { find: /^sandtable$/, replacement: source('index.ts') },
      { find: /^sandtable\/(sandbox|toolkit)$/, replacement: source('$1.ts') },
      { find: /^sandtable\/(\w+)$/, replacement: source('$1/index.ts') },
    ],
  },
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'strategies/**/*.test.ts', 'bench/**/*.test.ts'],
    setupFiles: ['test/seed.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A process of its own for each file costs more than most of their tests. What a file changes for all, it puts back.
    isolate: false,
    // A hang ends the suite; a machine busy with other work must not.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
