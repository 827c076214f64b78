import { Queue } from 'bullmq';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { redisIsHere, startRedis, type TestRedis } from '../../../test/support/redis.ts';
import { jobKey, prefixOf, QUEUE } from './announced-sweeps.ts';
import { readJobs, removeJob } from './jobs.ts';
import { LostJobs, recoverJobs } from './lost-jobs.ts';
import { signerOf, WRITER } from './messages.ts';
import { connectQueue, type QueueConnection, readQueueAddress } from './redis.ts';

const here = redisIsHere();
const SWEEP = 'lost';
const LOCK = 60;
let server: TestRedis;
let connection: QueueConnection;
let queue: Queue;
let notes: string[];
let lost: LostJobs;

beforeAll(async () => {
  if (!here) return;
  server = await startRedis();
  connection = await connectQueue(readQueueAddress(server.url, {}), () => undefined);
  queue = new Queue(QUEUE, { connection: connection.redis as never, prefix: prefixOf(SWEEP) });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await queue?.close();
  connection?.close();
  await server?.stop();
});

const list = (name: string): string => `${prefixOf(SWEEP)}:${QUEUE}:${name}`;
const key = (id: string): string => jobKey(SWEEP, id);

async function put(
  name: 'active' | 'wait',
  id: string,
  fields: object = { data: '{}', opts: '{}' },
): Promise<void> {
  await connection.redis.rpush(list(name), id);
  if (Object.keys(fields).length > 0) await connection.redis.hset(key(id), fields);
}

describe.runIf(here)('the jobs that no worker can finish', () => {
  let now = 0;
  beforeEach(async () => {
    await connection.redis.flushall();
    notes = [];
    now = 1_000_000;
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    lost = new LostJobs(connection, queue, { sweep: SWEEP, lockSeconds: LOCK }, (text) => notes.push(text));
  });
  const active = () => connection.redis.lrange(list('active'), 0, -1);
  const lock = (id: string, seconds: number) =>
    connection.redis.set(`${key(id)}:lock`, 'x', 'PX', seconds * 1000);

  it('are removed after three lifetimes of a lock, if no worker has locked them meanwhile', async () => {
    for (const id of ['none', 'locked', 'forged', 'later']) await put('active', id);
    await lock('locked', LOCK - 10);
    // Simulates a lock that another client has set. Workers never set a lock that lasts longer than `LOCK`
    // seconds.
    await lock('forged', LOCK * 50);
    await lost.find([]);
    now += 100_000;
    await lock('later', LOCK - 10);
    await lost.find([]);
    await connection.redis.del(`${key('later')}:lock`);
    now += 79_999;
    await lost.find([]);
    expect(await active()).toEqual(['none', 'locked', 'forged', 'later']);
    now += 1;
    await lost.find([]);
    expect(await active()).toEqual(['locked', 'later']);
    expect(notes).toEqual(
      ['none', 'forged'].map(
        (id) => `Job ${id} in the queue is stuck and is removed: no worker has its lock.`,
      ),
    );
    expect(await connection.redis.exists(key('none'), `${key('forged')}:lock`)).toBe(0);
    // Job `later` counts as unlocked since the first check after its lock was removed. It is removed 180
    // seconds after that check.
    now += 179_998;
    await lost.find([]);
    expect(await active()).toContain('later');
    now += 1;
    await lost.find([]);
    expect(await active()).toEqual(['locked']);
  });

  it('are removed if their fields are not JSON, in the active list and among the next hundred', async () => {
    await put('wait', 'far', { data: '{', opts: '{}' });
    for (let at = 0; at < 97; at++) await put('wait', `w${at}`, {});
    await put('wait', 'next', { data: '{}', opts: 'x' });
    await put('wait', 'good');
    await put('wait', 'ended', { other: '1' });
    await put('active', 'broken', { data: '{', opts: '{}' });
    await connection.redis.rpush(list('active'), 'text');
    await connection.redis.set(key('text'), 'x');
    await lost.find([]);
    expect(notes.sort()).toEqual(
      ['broken', 'next'].map((id) => `Job ${id} in the queue cannot be read and is removed.`),
    );
    expect(await connection.redis.lrange(list('wait'), -3, -1)).toEqual(['w96', 'good', 'ended']);
    expect((await connection.redis.lrange(list('wait'), 0, 0))[0]).toBe('far');
    expect(await active()).toEqual(['text']);
    await connection.redis.rpop(list('wait'));
    await lost.find([]);
    expect(notes.filter((note) => note.includes('Job far'))).toHaveLength(1);
  });

  it('are lost if their key is missing or overwritten, or if no list has them', async () => {
    await put('active', 'listed');
    await put('active', 'missing', {});
    await put('active', 'text', {});
    await connection.redis.set(key('text'), 'x');
    await connection.redis.hset(key('unlisted'), { data: '{}', opts: '{}' });
    expect(await lost.find(['listed', 'missing', 'text', 'unlisted'])).toEqual([
      'missing',
      'text',
      'unlisted',
    ]);
    expect(await connection.redis.exists(key('text'), key('unlisted'))).toBe(0);
    expect(await lost.find(['listed'])).toEqual([]);
    expect(await lost.find([])).toEqual([]);
  });

  it('continue if another client paused the queue', async () => {
    await lost.find([]);
    expect(notes).toEqual([]);
    await queue.pause();
    await lost.find([]);
    expect(await queue.isPaused()).toBe(false);
    expect(notes).toEqual(['The queue was paused by another client of the Redis. It continues.']);
  });
});

describe.runIf(here)('the jobs of an earlier coordinator', () => {
  it('belong to the trials that are left, each to the first of its jobs', async () => {
    vi.restoreAllMocks();
    await connection.redis.flushall();
    const signer = signerOf('secret');
    const announcement = { sweep: SWEEP, plan: 'a'.repeat(64) };
    const add = (batch: string, trials: readonly object[], by = signer) =>
      queue.add('trials', by.sign('job', { ...WRITER, ...announcement, batch, trials }), { jobId: batch });
    await add('j1', [
      { id: 'a', input: 1 },
      { id: 'done', input: 1 },
    ]);
    await add('j2', [
      { id: 'a', input: 1 },
      { id: 'b', input: { x: 2 } },
      { id: 'c', input: 5 },
    ]);
    await add('j3', [{ id: 'c', input: 3 }], signerOf('other'));
    const left = new Map(
      Object.entries({ a: 1, b: { x: 2 }, c: 3 }).map(([id, input]) => [id, { id, input }] as const),
    );
    const found = await recoverJobs(queue, signer, announcement, left);
    expect([...found].map(([id, own]) => [id, [...own.keys()]])).toEqual([
      ['j1', ['a']],
      // Job j2 also contains trial c, but with another input than the sweep's trial c. Trial c is therefore
      // not recovered and runs again.
      ['j2', ['b']],
    ]);
    expect(found.get('j2')!.get('b')).toBe(left.get('b'));
  });
});

describe.runIf(here)('reading the jobs of a queue', () => {
  beforeEach(() => connection.redis.flushall());

  it('reports a job without data, but not a job that is removed while the jobs are read', async () => {
    for (const id of ['there', 'deleted', 'removed']) await put('wait', id);
    await connection.redis.del(key('deleted'));
    const ranges = queue.getRanges.bind(queue);
    vi.spyOn(queue, 'getRanges').mockImplementationOnce(async (...given) => {
      const ids = await ranges(...given);
      await removeJob(connection, SWEEP, 'removed');
      await connection.redis.lrem(list('wait'), 0, 'removed');
      return ids;
    });
    const { jobs, damaged } = await readJobs(queue, ['wait'], -1);
    expect(jobs.map(({ id }) => id)).toEqual(['there']);
    expect(damaged).toEqual([{ id: 'deleted', problem: 'its job is missing' }]);
  });
});
