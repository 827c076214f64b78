import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sampled } from '../../../test/support/depth.ts';
import { redisIsHere, startRedis, type TestRedis } from '../../../test/support/redis.ts';
import {
  announcementOf,
  jobKey,
  lastingNames,
  prefixOf,
  QUEUE,
  refusalsOf,
  SWEEPS,
  spentOf,
} from './announced-sweeps.ts';
import type { QueueOutcome } from './job-outcomes.ts';
import { signerOf } from './messages.ts';
import { connectQueue, type QueueConnection, readQueueAddress } from './redis.ts';
import { serveQueue } from './serve-queue.ts';
import { SweepQueue } from './sweep-queue.ts';
import type { OpenedSweep } from './sweep-worker.ts';

vi.setConfig({ testTimeout: 120_000 });
const here = redisIsHere();
const signer = signerOf('secret');
let redis: TestRedis;
beforeAll(async () => {
  if (here) redis = await startRedis();
});
afterAll(async () => redis?.stop());

/**
 * Coordinator and worker of one sweep, and another client of the same Redis server that does not know the
 * shared secret.
 */
interface Scene {
  readonly sweep: string;
  readonly queue: SweepQueue;
  readonly client: QueueConnection['redis'];
  /** Messages of the coordinator (`notes`) and of the worker (`workerNotes`). */
  readonly notes: string[];
  readonly workerNotes: string[];
  readonly workerHasEnded: () => boolean;
  work(): Promise<void>;
}

const good: OpenedSweep['run'] = ({ input }) =>
  Promise.resolve({ result: Number(input) * 2, isDoubtful: false });

let sweeps = 0;
async function scene(act: (scene: Scene) => Promise<void>): Promise<void> {
  const connections: QueueConnection[] = [];
  const connect = async (): Promise<QueueConnection> => {
    const connection = await connectQueue(readQueueAddress(redis.url, {}), () => undefined);
    connections.push(connection);
    return connection;
  };
  const [notes, workerNotes]: string[][] = [[], []];
  const stop = new AbortController();
  let [ended, served]: [boolean, Promise<unknown>] = [false, Promise.resolve()];
  const { redis: client } = await connect();
  await client.flushall();
  const sweep = `damaged-${sweeps++}`;
  const announcement = {
    ...{ sweep, plan: 'a'.repeat(64), lockSeconds: 1, trialSeconds: 5 },
    ...{ rate: null, budget: null },
  };
  const queue = await SweepQueue.open(await connect(), signer, {
    announcement,
    retries: 2,
    batch: 2,
    note: (text) => notes!.push(text),
  });
  try {
    await act({
      ...{ sweep, queue, client, notes: notes!, workerNotes: workerNotes! },
      workerHasEnded: () => ended,
      async work() {
        const connection = await connect();
        served = serveQueue(connection, signer, {
          jobs: 2,
          note: (text) => workerNotes!.push(text),
          signal: stop.signal,
          open: () => Promise.resolve({ run: good, close: () => Promise.resolve() }),
        }).finally(() => {
          ended = true;
        });
        served.catch(() => undefined);
      },
    });
    stop.abort();
    await served;
  } finally {
    stop.abort();
    await served.catch(() => undefined);
    await client.flushall();
    await queue.close(true);
    for (const connection of connections) connection.close();
  }
}

const trials = (count: number): { id: string; input: number }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `t${index}`, input: index }));

async function collect(outcomes: AsyncIterable<QueueOutcome>): Promise<Map<string, QueueOutcome>> {
  const all = new Map<string, QueueOutcome>();
  for await (const outcome of outcomes) all.set(outcome.id, outcome);
  return all;
}

const expectAll = (outcomes: ReadonlyMap<string, QueueOutcome>, count: number): void => {
  expect(outcomes.size).toBe(count);
  for (const [id, outcome] of outcomes) expect(outcome).toEqual({ id, result: 2 * Number(id.slice(1)) });
};

describe.skipIf(!here)('another client of the Redis, without the secret,', () => {
  it('does not stop a worker by changing the type of the list of sweeps, and the sweep reports the key', async () => {
    await scene(async ({ client, queue, work, workerNotes, workerHasEnded }) => {
      await client.set(SWEEPS, 'x');
      await work();
      await expect
        .poll(() => workerNotes.join('\n'), { timeout: 60_000 })
        .toMatch(/Cannot read the list of sweeps/);
      await expect(collect(queue.run(trials(4)))).rejects.toMatchObject({
        code: 'queue_damaged',
        message: expect.stringMatching(
          /key sandtable:sweeps has the Redis type string. Sandtable expects zset/,
        ),
        hint: expect.stringContaining("redis-cli del 'sandtable:sweeps'"),
      });
      expect(workerNotes.filter((text) => text.startsWith('Cannot read'))).toHaveLength(1);
      expect(workerHasEnded()).toBe(false);
    });
  });

  it.each(
    sampled(['completed', 'failed', 'wait', 'active', 'meta', 'stalled', 'id', 'marker', 'events'], 9, 4),
  )('can at most end the sweep with a clear error by changing the type of the key %s', async (name) => {
    await scene(async ({ client, queue, sweep, work, workerHasEnded }) => {
      const running = collect(queue.run(trials(40)));
      running.catch(() => undefined);
      await expect.poll(() => client.llen(`${prefixOf(sweep)}:${QUEUE}:wait`)).toBeGreaterThan(0);
      const key = `${prefixOf(sweep)}:${QUEUE}:${name}`;
      await client.del(key);
      if (name === 'id') await client.lpush(key, 'x');
      else await client.set(key, 'x');
      await work();
      const end = await running.catch((error: unknown) => error);
      // BullMQ repairs some of the damaged keys, and the sweep then completes. For other keys, the sweep
      // ends with an error.
      if (end instanceof Map) expectAll(end, 40);
      else expect(end).toMatchObject({ code: 'queue_damaged', message: expect.stringContaining(key) });
      expect(workerHasEnded()).toBe(false);
    });
  });

  it('cannot hide a sweep with 3,000 announcements, or a result with 300 entries', async () => {
    await scene(async ({ client, queue, sweep, work, workerNotes, notes }) => {
      const running = collect(queue.run(trials(60)));
      const until = Math.floor(Date.now() / 1_000) + 60;
      const pipeline = client.pipeline();
      for (let index = 0; index < 3_000; index++) {
        const fake = `fake-${index}`;
        pipeline.zadd(SWEEPS, until, fake);
        pipeline.set(announcementOf(fake), `{"body":"x","signature":"${index}"}`);
        pipeline.lpush(`${prefixOf(fake)}:${QUEUE}:wait`, 'x');
      }
      const prefix = `${prefixOf(sweep)}:${QUEUE}`;
      for (let index = 0; index < 100; index++) {
        pipeline.zadd(
          `${prefix}:completed`,
          1,
          `missing-${index}`,
          1,
          `broken-${index}`,
          1,
          `locked-${index}`,
        );
        pipeline.hset(jobKey(sweep, `broken-${index}`), { data: '{"', opts: '[' });
        pipeline.hset(jobKey(sweep, `locked-${index}`), {
          data: '{}',
          opts: '{}',
          name: 'x',
          timestamp: '1',
        });
        pipeline.set(`${jobKey(sweep, `locked-${index}`)}:lock`, 'x');
      }
      await pipeline.exec();
      await work();
      expectAll(await running, 60);
      expect(workerNotes.filter((text) => text.includes('fake-')).length).toBeLessThanOrEqual(100);
      expect(notes.join('\n')).toMatch(/Job broken-0 in the queue cannot be read and is removed/);
    });
  });

  type Damage = (client: QueueConnection['redis'], key: string, wait: string, id: string) => unknown;
  const damages: readonly (readonly [string, Damage])[] = [
    ['overwrites', (client, key) => client.set(key, 'x')],
    ['fills with other data', (client, key) => client.hset(key, { data: '{"', opts: '[' })],
    ['deletes', (client, key) => client.del(key)],
    ['takes out of the list', (client, _key, wait, id) => client.lrem(wait, 0, id)],
  ];
  it.each(sampled(damages, 4))('cannot lose a trial of a job that it %s', async (_, damage) => {
    await scene(async ({ client, queue, sweep, work }) => {
      const running = collect(queue.run(trials(12)));
      const wait = `${prefixOf(sweep)}:${QUEUE}:wait`;
      await expect.poll(() => client.llen(wait)).toBe(6);
      const [first] = await client.lrange(wait, 0, 0);
      await damage(client, jobKey(sweep, first!), wait, first!);
      await work();
      expectAll(await running, 12);
    });
  });

  it('cannot make a worker leave by changing the type of an announcement or of refusals', async () => {
    await scene(async ({ client, queue, sweep, work, workerNotes, workerHasEnded }) => {
      await work();
      expectAll(await collect(queue.run(trials(4))), 4);
      await client.set(announcementOf(sweep), '{"body":"x","signature":"ff"}');
      await client.set(refusalsOf(sweep), 'x');
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      expect(workerNotes.join('\n')).not.toMatch(/has ended|No part/);
      expect(workerHasEnded()).toBe(false);
    });
  });

  it('cannot prevent that a resumed sweep ends with the name of the damaged key', async () => {
    await scene(async ({ client, sweep }) => {
      await client.set(spentOf(sweep), 'x');
      const connection = await connectQueue(readQueueAddress(redis.url, {}), () => undefined);
      const announcement = { sweep, plan: 'a'.repeat(64), lockSeconds: 1, trialSeconds: 1, rate: null };
      await expect(
        SweepQueue.open(connection, signer, {
          announcement: { ...announcement, budget: { calls: 5 } },
          retries: 0,
          note: () => undefined,
        }),
      ).rejects.toMatchObject({ code: 'queue_damaged', message: expect.stringContaining(spentOf(sweep)) });
      // The refused coordinator writes no key without an expiry. Only the damaged key, which this test wrote,
      // has none (`ttl` is -1).
      for (const key of await client.keys('*'))
        expect(await client.ttl(key), key)[key === spentOf(sweep) ? 'toBe' : 'toBeGreaterThan'](
          key === spentOf(sweep) ? -1 : 0,
        );
      connection.close();
    });
  });
});

it.skipIf(!here)('a worker that leaves an ended sweep removes what BullMQ wrote after the end', async () => {
  await scene(async ({ sweep, queue, client, work }) => {
    await work();
    expectAll(await collect(queue.run(trials(4))), 4);
    await queue.close(true);
    await client.hset(`${prefixOf(sweep)}:${QUEUE}:meta`, 'opts.maxLenEvents', 10_000);
    await expect.poll(() => client.exists(`${prefixOf(sweep)}:${QUEUE}:meta`), { timeout: 60_000 }).toBe(0);
  });
});

it('the Redis type of each key of a sweep is known', () => {
  expect(new Set(lastingNames('x')).size).toBe(17);
});
