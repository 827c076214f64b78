import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { sandtable: new URL('../src/index.ts', import.meta.url).pathname } },
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'strategies/**/*.test.ts', 'bench/**/*.test.ts'],
    setupFiles: ['test/seed.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A hang ends the suite; a machine busy with other work must not.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
