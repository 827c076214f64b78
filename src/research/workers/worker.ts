/** Worker thread of a sweep. Runs trials one after another on one loaded data set. */
import { z } from 'zod';
import { trusted } from '../../market/index.ts';
import { openTrialWorld, SILENT } from '../../runner/index.ts';
import { channelMeter } from '../budget/meter.ts';
import { YARDSTICK, yardstick } from '../study/planned-bar.ts';
import { TaskEvaluator } from '../sweep/evaluate-task.ts';
import type { TrialResult, TrialTask } from '../sweep/executor.ts';
import { serveTasks } from './pool.ts';
import type { WorkerStart } from './thread-pool.ts';

// Each trial creates the schema of its strategy again and uses it once. `jitless` prevents zod from compiling
// schemas, because compiling takes longer than a single use.
z.config({ jitless: true });

serveTasks<WorkerStart, TrialTask, TrialResult>(async (start, deciding) => {
  const { bundle, files, heartbeat: _, environment, pythonLimits, meter, ...request } = start;
  const world = await openTrialWorld(
    {
      ...request,
      ...(request.strategy === YARDSTICK ? { strategy: yardstick } : {}),
      ...(bundle === undefined ? {} : { bundle }),
      files: { ...files, market: trusted(files.market) },
    },
    {
      environment,
      observer: SILENT,
      listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
      ...(meter === undefined ? {} : { meter: channelMeter(meter) }),
      ...(pythonLimits === undefined ? {} : { pythonLimits }),
    },
  );
  const evaluator = new TaskEvaluator(world, deciding);
  return { run: (task) => evaluator.evaluate(task), close: () => world.close() };
});
