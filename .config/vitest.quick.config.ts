import { defineConfig, mergeConfig } from 'vitest/config';
import whole from './vitest.config.ts';

/** What a change is checked with in between: everything that needs neither Python nor a process of its own. */
export default mergeConfig(
  whole,
  defineConfig({
    test: {
      exclude: [
        'src/sandbox/**',
        'src/toolkit/{contract,inspect,repl,repl-laws}.test.ts',
        'src/toolkit/scripts/**',
        'test/docs/**',
        'src/agent/load-strategy.test.ts',
        'src/cli/tools-document.test.ts',
      ],
    },
  }),
);
