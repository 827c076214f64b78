import processes from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Makes every start of a process throw an error. `npm run test:quick` loads this file, because its tests must
 * not start processes.
 */
for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const)
  Object.assign(processes, {
    [name]: (command: string) => {
      throw new Error(
        `This test starts the process "${command}", so it is not part of npm run test:quick. Add its file to OTHERS in .config/vitest.quick.config.ts.`,
      );
    },
  });
syncBuiltinESMExports();
