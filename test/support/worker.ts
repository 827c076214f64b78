import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Path of the built command line. */
const PROGRAM = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));

/** Process `sandtable worker` of one test. */
export interface WorkerProcess {
  /** Returns all text that the worker has printed so far. */
  text(): string;
  /** Waits until the worker has printed a text. Throws if the worker ends before. */
  says(text: string): Promise<void>;
  kill(): Promise<void>;
}

/** @param environment environment variables in addition to those of this process */
export function startWorker(
  queue: string,
  store: string,
  environment: Readonly<Record<string, string | undefined>>,
): WorkerProcess {
  const words = ['worker', '--queue', queue, '--store', store, '--jobs', '1'];
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...words], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => {
      printed += String(bytes);
    });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    text: () => printed,
    async says(text) {
      while (!printed.includes(text)) {
        if (hasEnded()) throw new Error(`The worker ended before it said "${text}": ${printed}`);
        await sleep(20);
      }
    },
    async kill() {
      if (hasEnded()) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
