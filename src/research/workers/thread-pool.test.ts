import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { ThreadPool } from './thread-pool.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-threads-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Thread whose task makes decisions for the given milliseconds. Then the thread ends. */
const SCRIPT = `
import { parentPort } from 'node:worker_threads';
let beats;
parentPort.on('message', ({ type, start, task }) => {
  if (type === 'start') {
    beats = new Int32Array(start.heartbeat);
    parentPort.postMessage({ type: 'ready' });
  }
  if (type !== 'task') return;
  setInterval(() => { beats[0] += 1; }, 20);
  setTimeout(() => process.exit(1), task);
});
`;

it('reports the time since the start of a lost task, also if the task made decisions', async () => {
  const script = join(folder, 'thread.mjs');
  writeFileSync(script, SCRIPT);
  const pool = new ThreadPool<number, number>({
    script: pathToFileURL(script),
    start: {},
    jobs: 1,
    seconds: 60,
    finishes: true,
    lost: (_task, _message, seconds) => seconds,
  });
  const results: number[] = [];
  for await (const seconds of pool.run([1_600])) results.push(seconds);
  await pool.close();
  // The pool notices decisions every half second, so the last noticed one is much newer than the task.
  expect(results).toEqual([expect.any(Number)]);
  expect(results[0]).toBeGreaterThan(1.5);
});
