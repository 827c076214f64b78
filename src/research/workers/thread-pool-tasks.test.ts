import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { isBuilt, ThreadPool, type ThreadPoolOptions, ThreadReserve } from './thread-pool.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-thread-tasks-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Thread that answers a number with its double. Other tasks: `exit` ends the thread, `throw` throws an error,
 * `hang` never answers, `print` prints, `thread` answers with the id of the thread.
 */
const SCRIPT = `
import { parentPort, threadId } from 'node:worker_threads';
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function resultOf(task) {
  if (task === 'exit') process.exit(1);
  if (task === 'throw') setTimeout(() => { throw new Error('odd'); });
  if (task === 'throw' || task === 'hang') return new Promise(() => undefined);
  if (task === 'thread') return threadId;
  await sleep(task === 'print' ? 50 : 1);
  return task === 'print' ? 'printed' : task * 2;
}
async function take({ type, start, task }) {
  if (type === 'close') return parentPort.close();
  if (type === 'start') {
    if (start.broken) return parentPort.postMessage({ type: 'broken', code: 'own_code', message: 'bad data', hint: 'fix it' });
    if (start.dies) process.exit(1);
    return parentPort.postMessage({ type: 'ready' });
  }
  if (task === 'print') {
    process.stdout.write('out ');
    process.stderr.write('err ');
  }
  parentPort.postMessage({ type: 'result', result: await resultOf(task) });
}
let last = Promise.resolve();
parentPort.on('message', (message) => { last = last.then(() => take(message)); });
`;
const script = pathToFileURL(join(folder, 'thread.mjs'));
writeFileSync(join(folder, 'thread.mjs'), SCRIPT);

type Task = number | 'exit' | 'throw' | 'hang' | 'print' | 'thread';
type Result = number | string;
const pools: ThreadPool<Task, Result>[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

function poolOf(own: Partial<ThreadPoolOptions<Task, Result>> = {}): ThreadPool<Task, Result> {
  const pool = new ThreadPool<Task, Result>({
    ...{ script, start: {}, jobs: 1, seconds: 60, finishes: true },
    lost: (task, message) => `${task}: ${message}`,
    ...own,
  });
  pools.push(pool);
  return pool;
}

async function all(pool: ThreadPool<Task, Result>, tasks: readonly Task[], signal?: AbortSignal) {
  const results: Result[] = [];
  for await (const result of pool.run(tasks, signal)) results.push(result);
  return results;
}

describe('a pool of threads', () => {
  it('runs every task, in order with one thread', async () => {
    const pool = poolOf();
    expect(await all(pool, [1, 2, 3, 4, 5])).toEqual([2, 4, 6, 8, 10]);
    expect(await all(pool, [7])).toEqual([14]);
    expect(await all(pool, [])).toEqual([]);
    const tasks = Array.from({ length: 20 }, (_, task) => task);
    const results = await all(poolOf({ jobs: 3 }), tasks);
    expect(results.sort((one, other) => Number(one) - Number(other))).toEqual(tasks.map((task) => task * 2));
  });

  it('reports the task whose thread ends as lost, and runs the others in a new thread', async () => {
    const pool = poolOf();
    expect(await all(pool, [1, 'exit', 2, 'throw', 3])).toEqual([
      2,
      'exit: the strategy ended its thread',
      4,
      'throw: the strategy ended its thread: odd',
      6,
    ]);
  });

  it('ends a thread whose task exceeds the timeout, but not an idle thread', async () => {
    const pool = poolOf({ seconds: 0.05 });
    expect(await all(pool, [1])).toEqual([2]);
    await new Promise((resolve) => setTimeout(resolve, 600));
    const [id] = await all(pool, ['thread']);
    expect(await all(pool, ['thread', 'hang', 4])).toEqual([
      id,
      'hang: a decision took longer than 0.05 s',
      8,
    ]);
    expect(await all(pool, ['thread'])).not.toEqual([id]);
  });

  it('reports a thread that cannot start, in each run', async () => {
    const pool = poolOf({ start: { broken: true }, jobs: 2 });
    for (const _ of [1, 2])
      await expect(all(pool, [1])).rejects.toMatchObject({
        ...{ code: 'own_code', message: 'bad data', hint: 'fix it', kind: 'run' },
      });
    await expect(all(poolOf({ start: { dies: true } }), [1])).rejects.toMatchObject({
      ...{ code: 'worker_failed', kind: 'run' },
      message: 'A worker did not start: the strategy ended its thread.',
    });
    expect(() => poolOf({ script: pathToFileURL(join(folder, 'none.mjs')) })).toThrow(
      expect.objectContaining({ code: 'not_built', kind: 'run' }),
    );
    expect([isBuilt(script), isBuilt(pathToFileURL(join(folder, 'none.mjs')))]).toEqual([true, false]);
  });

  it('finishes or drops running tasks after an abort, as its options state', async () => {
    for (const finishes of [true, false]) {
      const stop = new AbortController();
      const results: Result[] = [];
      const tasks = Array.from({ length: 10 }, (_, task) => task);
      for await (const result of poolOf({ finishes }).run(tasks, stop.signal)) {
        results.push(result);
        stop.abort();
      }
      // One thread has two tasks: the next one was already sent when the first result arrived.
      expect(results.slice(0, 1)).toEqual([0]);
      expect(results.length).toBeLessThan(finishes ? 5 : 2);
      expect(results.length).toBeGreaterThan(finishes ? 1 : 0);
    }
    const aborted = new AbortController();
    aborted.abort();
    expect(await all(poolOf(), [1, 2], aborted.signal)).toEqual([]);
  });

  it('passes on the text that its threads print', async () => {
    let text = '';
    const print = (more: string): void => {
      text += more;
    };
    expect(await all(poolOf({ print }), ['print'])).toEqual(['printed']);
    expect(text.split(' ').sort()).toEqual(['', 'err', 'out']);
  });

  it('uses reserved threads first', async () => {
    const reserve = new ThreadReserve(script, 2);
    const taken = reserve.take();
    // The id is -1 after the end of the thread. The two reserved threads have consecutive ids.
    const first = taken!.threadId;
    await taken!.terminate();
    expect(await all(poolOf({ reserve }), ['thread'])).toEqual([first + 1]);
    expect(reserve.take()).toBeUndefined();
    const unused = new ThreadReserve(script, 1);
    await unused.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(unused.take()).toBeUndefined();
  });

  it('uses no reserved threads if the text of its threads is passed on', async () => {
    const reserve = new ThreadReserve(script, 1);
    expect(await all(poolOf({ reserve, print: () => undefined }), [1])).toEqual([2]);
    expect(reserve.take()).toBeDefined();
  });
});
