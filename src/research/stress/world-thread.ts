import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../kernel/index.ts';
import { SILENT } from '../../runner/index.ts';
import type { FromThread, ThreadStart, ToThread } from './threads.ts';
import { openWorldRunner } from './world-runner.ts';

/** One thread of a stress test: reads strategy and data for itself, and runs the worlds it is asked for one by one. */
const port = parentPort;
if (port !== null) {
  const { request, environment, pythonLimits } = workerData as ThreadStart;
  const send = (message: FromThread): void => port.postMessage(message);
  const opening = openWorldRunner(request, {
    environment,
    observer: SILENT,
    listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
    pythonLimits,
  });
  // Told with the first world.
  opening.catch(() => undefined);
  port.on('message', (message: ToThread) => {
    void answer(message).then(send);
  });
  const answer = async (message: ToThread): Promise<FromThread> => {
    try {
      const runner = await opening;
      if (message.type === 'world') return { type: 'row', row: (await runner.world(message.world)).row };
      await runner.close();
    } catch (error) {
      if (message.type === 'world') return { type: 'broken', world: message.world, error: messageOf(error) };
    }
    setImmediate(() => port.close());
    return { type: 'closed' };
  };
}
