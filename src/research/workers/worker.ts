/** A worker thread of a sweep: one world, and one trial after the other in it. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError, messageOf } from '../../kernel/index.ts';
import { trusted } from '../../market/index.ts';
import { openTrialWorld, SILENT } from '../../runner/index.ts';
import { channelMeter } from '../budget/channel-meter.ts';
import { TaskEvaluator } from '../evaluate-task.ts';
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts';

const port = parentPort!;
const say = (message: FromWorker): void => port.postMessage(message);

async function main(): Promise<void> {
  const start = workerData as WorkerStart;
  const { bundle, files, heartbeat, environment, pythonLimits, meter, ...request } = start;
  const beats = new Int32Array(heartbeat);
  const world = await openTrialWorld(
    {
      ...request,
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
  const evaluator = new TaskEvaluator(world, () => {
    beats[0]! += 1;
  });
  let last: Promise<unknown> = Promise.resolve();
  port.on('message', (message: ToWorker) => {
    last = last.then(async () => {
      if (message.type === 'task') {
        beats[0]! += 1;
        return say({ type: 'result', result: await evaluator.evaluate(message.task) });
      }
      await world.close();
      port.close();
    });
  });
  say({ type: 'ready' });
}

main().catch((error: unknown) => {
  const { code, hint } = error instanceof AppError ? error : { code: 'worker_failed', hint: '' };
  say({ type: 'broken', code, message: messageOf(error), hint });
  port.close();
});
