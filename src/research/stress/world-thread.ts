/** Thread of a stress test. Reads strategy and data, then runs the requested worlds one after another. */
import type { WorldRow } from '../../results/analysis/index.ts';
import { SILENT } from '../../runner/index.ts';
import { serveTasks } from '../workers/pool.ts';
import type { WorldThreadStart } from './run-worlds.ts';
import { openWorldRunner } from './world-runner.ts';

serveTasks<WorldThreadStart, number, WorldRow>(async ({ request, environment, pythonLimits }, deciding) => {
  const runner = await openWorldRunner(
    request,
    {
      environment,
      observer: SILENT,
      listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
      pythonLimits,
    },
    deciding,
  );
  return {
    run: async (world) => (await runner.world(world)).row,
    close: () => runner.close(),
  };
});
