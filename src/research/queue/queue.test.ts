import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { inDepth } from '../../../test/support/depth.ts';
import { redisIsHere, startRedis, type TestRedis } from '../../../test/support/redis.ts';
import { announcementOf, prefixOf, QUEUE, SWEEPS } from './announced-sweeps.ts';
import type { QueueOutcome } from './job-outcomes.ts';
import type { QueueTrial } from './jobs.ts';
import { type Announcement, signerOf, WRITER } from './messages.ts';
import { QueueMeter } from './queue-meter.ts';
import { connectQueue, type QueueConnection, queueWarnings, readQueueAddress } from './redis.ts';
import { serveQueue } from './serve-queue.ts';
import { SweepQueue } from './sweep-queue.ts';
import type { OpenedSweep } from './sweep-worker.ts';

vi.setConfig({ testTimeout: 60_000 });
const here = redisIsHere();
let redis: TestRedis;
beforeAll(async () => {
  if (here) redis = await startRedis();
});
afterAll(async () => redis?.stop());

const connections: QueueConnection[] = [];
const workers: { readonly stop: AbortController; readonly ended: Promise<number> }[] = [];
const queues: SweepQueue[] = [];
afterEach(async () => {
  for (const { stop } of workers) stop.abort();
  await Promise.all(workers.splice(0).map(({ ended }) => ended));
  for (const queue of queues.splice(0)) await queue.close(true);
  for (const connection of connections.splice(0)) connection.close();
});

const connect = async (): Promise<QueueConnection> => {
  const connection = await connectQueue(readQueueAddress(redis.url, {}), () => undefined);
  connections.push(connection);
  return connection;
};

let sweeps = 0;
const announce = (more: Partial<Announcement> = {}): Omit<Announcement, 'protocol' | 'sandtable'> => ({
  sweep: `test-${sweeps++}`,
  plan: 'a'.repeat(64),
  lockSeconds: 1,
  trialSeconds: 1,
  rate: null,
  budget: null,
  ...more,
});

interface Opened {
  readonly queue: SweepQueue;
  readonly notes: string[];
}

async function openQueue(
  announcement: ReturnType<typeof announce>,
  { retries = 2, batch, secret = 'secret' }: { retries?: number; batch?: number; secret?: string } = {},
): Promise<Opened> {
  const notes: string[] = [];
  const queue = await SweepQueue.open(await connect(), signerOf(secret), {
    announcement,
    retries,
    ...(batch === undefined ? {} : { batch }),
    note: (text) => notes.push(text),
  });
  queues.push(queue);
  return { queue, notes };
}

async function work(
  run: OpenedSweep['run'],
  { jobs = 2, secret = 'secret' }: { jobs?: number; secret?: string } = {},
): Promise<{ readonly notes: string[]; stop(): Promise<number> }> {
  const notes: string[] = [];
  const stop = new AbortController();
  const ended = serveQueue(await connect(), signerOf(secret), {
    jobs,
    note: (text) => notes.push(text),
    signal: stop.signal,
    open: () => Promise.resolve({ run, close: () => Promise.resolve() }),
  });
  workers.push({ stop, ended });
  return {
    notes,
    stop() {
      stop.abort();
      return ended;
    },
  };
}

const trials = (count: number): QueueTrial[] =>
  Array.from({ length: count }, (_, index) => ({ id: `t${index}`, input: index }));
const good: OpenedSweep['run'] = ({ input }) =>
  Promise.resolve({ result: Number(input) * 2, isDoubtful: false });

async function collect(outcomes: AsyncIterable<QueueOutcome>): Promise<Map<string, QueueOutcome>> {
  const all = new Map<string, QueueOutcome>();
  for await (const outcome of outcomes) {
    expect(all.has(outcome.id), `${outcome.id} came twice`).toBe(false);
    all.set(outcome.id, outcome);
  }
  return all;
}

describe.skipIf(!here)('a sweep through a queue', () => {
  it('runs every trial once, on any worker', async () => {
    const { queue } = await openQueue(announce());
    const served = [await work(good), await work(good)];
    const outcomes = await collect(queue.run(trials(200)));
    expect(outcomes.size).toBe(200);
    for (const [id, outcome] of outcomes) expect(outcome).toEqual({ id, result: Number(id.slice(1)) * 2 });
    const ran = await Promise.all(served.map((one) => one.stop()));
    expect(ran[0]! + ran[1]!).toBe(200);
    expect((await collect(queue.run([]))).size).toBe(0);
  });

  it('repeats a failing trial, then reports it, and continues', async () => {
    const tried: unknown[] = [];
    const { queue } = await openQueue(announce(), { retries: 3, batch: 4 });
    await work((trial) => {
      if (trial.id !== 't5') return good(trial, new AbortController().signal);
      tried.push(trial.input);
      return Promise.resolve({ result: 'poisoned', isDoubtful: true });
    });
    const outcomes = await collect(queue.run(trials(10)));
    expect(outcomes.get('t5')).toEqual({ id: 't5', result: 'poisoned' });
    expect(outcomes.size).toBe(10);
    expect(tried).toHaveLength(4);
  });

  it('stops a trial that hangs', async () => {
    const { queue } = await openQueue(announce({ trialSeconds: 0.1 }), { retries: 1 });
    await work((trial) =>
      trial.id === 't3' ? new Promise(() => undefined) : good(trial, new AbortController().signal),
    );
    const outcomes = await collect(queue.run(trials(9)));
    expect(outcomes.get('t3')).toEqual({ id: 't3', lost: 'it took longer than 0.1 s' });
    expect(outcomes.size).toBe(9);
  });

  it('continues after another coordinator was killed, with the results received meanwhile', async () => {
    const announcement = announce();
    const first = await openQueue(announcement, { batch: 3 });
    let runs = 0;
    await work((trial) => {
      runs += 1;
      return good(trial, new AbortController().signal);
    });
    const written = new Set<string>();
    for await (const { id } of first.queue.run(trials(30))) {
      written.add(id);
      if (written.size === 10) break;
    }
    await first.queue.close(false);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const second = await openQueue(announcement, { batch: 3 });
    const rest = await collect(second.queue.run(trials(30).filter(({ id }) => !written.has(id))));
    expect(new Set([...written, ...rest.keys()]).size).toBe(30);
    expect(rest.size).toBe(20);
    expect(runs).toBe(30);
  });

  it('restores trials that Redis has lost', async () => {
    const announcement = announce();
    const { queue } = await openQueue(announcement, { batch: 5 });
    const running = collect(queue.run(trials(20)));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { redis: client } = await connect();
    expect(await client.llen(`${prefixOf(announcement.sweep)}:${QUEUE}:wait`)).toBe(4);
    await client.flushall();
    await work(good);
    expect((await running).size).toBe(20);
  });

  it.runIf(inDepth(8)).each([
    ['a field', async (client: Redis, key: string) => client.hset(`${key}:meta`, 'paused', '1')],
    [
      'a list',
      async (client: Redis, key: string) => {
        await client.hset(`${key}:meta`, 'paused', '1');
        await client.rename(`${key}:wait`, `${key}:paused`);
      },
    ],
  ])('continues and reports it if another client pauses the queue by %s', async (_, pause) => {
    const announcement = announce();
    const { queue, notes } = await openQueue(announcement, { batch: 5 });
    const running = collect(queue.run(trials(20)));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { redis: client } = await connect();
    await pause(client, `${prefixOf(announcement.sweep)}:${QUEUE}`);
    await work(good);
    expect((await running).size).toBe(20);
    expect(notes.join('\n')).toContain('The queue was paused by another client of the Redis. It continues.');
  });

  it('returns the trials of a job when its worker has to leave the sweep', async () => {
    const { queue } = await openQueue(announce({ trialSeconds: 10 }), { batch: 10, retries: 0 });
    let release: (() => void) | undefined;
    const held = await work(
      (trial) =>
        new Promise((resolve) => (release = () => resolve({ result: trial.input, isDoubtful: false }))),
      { jobs: 1 },
    );
    const running = collect(queue.run(trials(10)));
    await expect.poll(() => release, { timeout: 60_000 }).toBeDefined();
    const stopped = held.stop();
    release!();
    expect(await stopped).toBe(1);
    await work(good);
    expect((await running).size).toBe(10);
  });

  it('applies one rate limit to all workers', async () => {
    const { queue } = await openQueue(announce({ rate: { trials: 2, seconds: 1 } }), { batch: 1 });
    const begun: number[] = [];
    const run: OpenedSweep['run'] = (trial) => {
      begun.push(Date.now());
      return good(trial, new AbortController().signal);
    };
    await Promise.all([work(run), work(run)]);
    expect((await collect(queue.run(trials(5)))).size).toBe(5);
    // The limit is two trials per second for both workers together. The fifth trial therefore starts about
    // two seconds after the first.
    expect(begun[4]! - begun[0]!).toBeGreaterThan(1_500);
  });

  it('stops when all workers together have used the budget, and never exceeds it', async () => {
    const budget = { calls: 13 };
    const announcement = announce({ budget, trialSeconds: null });
    const { queue } = await openQueue(announcement, { batch: 1 });
    let asked = 0;
    // Each trial makes three model requests. The budget may be exhausted at any of the three.
    const run = (meter: QueueMeter): OpenedSweep['run'] => {
      return async (trial) => {
        for (let request = 0; request < 3; request++) {
          const stopped = await meter.ask().then(
            () => false,
            () => true,
          );
          if (stopped) return { result: null, isDoubtful: false, isOutOfBudget: true };
          asked += 1;
          await new Promise((resolve) => setTimeout(resolve, 5));
          await meter.paid(10, 0.5);
        }
        return { result: trial.input, isDoubtful: false };
      };
    };
    for (let one = 0; one < 2; one++)
      await work(run(new QueueMeter(await connect(), announcement.sweep, budget)), { jobs: 2 });
    const finished: QueueOutcome[] = [];
    const all = async (): Promise<void> => {
      for await (const outcome of queue.run(trials(50))) finished.push(outcome);
    };
    await expect(all()).rejects.toMatchObject({
      message: 'The shared budget of all trials is exhausted: 13 calls.',
    });
    expect(asked).toBe(13);
    expect(finished.length).toBeGreaterThanOrEqual(1);
    expect(finished.length).toBeLessThanOrEqual(4);
  });

  it('exceeds dollars and tokens by at most the last request, for any number of workers', async () => {
    const meter = new QueueMeter(await connect(), `test-${sweeps++}`, { usd: 1, tokens: 1e6 });
    const size = [0.3, 0.1, 0.2, 0.25];
    let spent = 0;
    const trader = async (): Promise<void> => {
      for (let request = 0; ; request++) {
        await meter.ask();
        await new Promise((resolve) => setTimeout(resolve, 3));
        spent += size[request % size.length]!;
        await meter.paid(1, size[request % size.length]!);
      }
    };
    const ends = await Promise.allSettled([trader(), trader(), trader(), trader()]);
    for (const end of ends)
      expect(end).toMatchObject({ status: 'rejected', reason: { code: 'shared_budget_spent' } });
    expect(spent).toBeGreaterThanOrEqual(1);
    // The limit of 1 US dollar is exceeded by at most one request of the largest size (0.3), not by one
    // request per worker.
    expect(spent).toBeLessThan(1.3);
    await meter.raise({ calls: 0, tokens: 5, usd: 7 });
    expect(await meter.spent()).toMatchObject({ usd: 7 });
  });
});

describe.skipIf(!here)('an unsigned document', () => {
  it('is never run as a job, and is reported', async () => {
    const announcement = announce();
    const { queue, notes } = await openQueue(announcement);
    const ran: string[] = [];
    const worker = await work((trial) => {
      ran.push(trial.id);
      return good(trial, new AbortController().signal);
    });
    const { Queue } = await import('bullmq');
    const { redis: client } = await connect();
    const forger = new Queue(QUEUE, { connection: client, prefix: prefixOf(announcement.sweep) });
    const document = {
      ...WRITER,
      sweep: announcement.sweep,
      plan: announcement.plan,
      batch: 'forged',
      trials: [{ id: 'evil', input: 0 }],
    };
    await forger.add('trials', document, { jobId: 'unsigned' });
    await forger.add('trials', signerOf('guess').sign('job', document), { jobId: 'forged' });
    const right = signerOf('secret').sign('job', document);
    await forger.add('trials', right, { jobId: 'copied' });
    expect((await collect(queue.run(trials(20)))).size).toBe(20);
    await expect.poll(() => worker.notes.join('\n'), { timeout: 60_000 }).toMatch(/Refused the job copied/);
    expect(worker.notes.join('\n')).toMatch(/Refused the job unsigned .*it is not signed/);
    expect(worker.notes.join('\n')).toMatch(/Refused the job forged .*does not match SANDTABLE_SWEEP_SECRET/);
    expect(ran).not.toContain('evil');
    expect(notes.join('\n')).not.toContain('evil');
    await forger.close();
  });

  it('is refused as a result, and the trial runs again', async () => {
    const announcement = announce();
    const { queue, notes } = await openQueue(announcement, { batch: 1 });
    const running = collect(queue.run(trials(3)));
    const { Worker } = await import('bullmq');
    const { redis: client } = await connect();
    let forged = 0;
    const forger = new Worker(
      QUEUE,
      () => {
        forged += 1;
        return Promise.resolve({ body: 'AAAA', signature: 'ff' });
      },
      { connection: client, prefix: prefixOf(announcement.sweep) },
    );
    await expect.poll(() => forged, { timeout: 60_000 }).toBeGreaterThan(0);
    await forger.close();
    await work(good);
    const outcomes = await running;
    expect(outcomes.size).toBe(3);
    expect([...outcomes.values()].filter((one) => 'result' in one && one.result === 'AAAA')).toEqual([]);
    expect(notes.join('\n')).toMatch(/The result of job .* is refused: its signature does not match/);
  });

  it('signed with another secret is ignored, and both sides report it', async () => {
    const { queue, notes } = await openQueue(announce());
    const wrong = await work(() => Promise.reject(new Error('must not run')), { secret: 'another' });
    const running = collect(queue.run(trials(5)));
    await expect
      .poll(() => wrong.notes.join('\n'), { timeout: 60_000 })
      .toMatch(/does not match SANDTABLE_SWEEP_SECRET/);
    await expect
      .poll(() => notes.join('\n'), { timeout: 60_000 })
      .toMatch(/does not take part: its signature/);
    await work(good);
    expect((await running).size).toBe(5);
  });

  it('is reported with its version as a sweep of another version', async () => {
    const { redis: client } = await connect();
    const sweep = `test-${sweeps++}`;
    const other = { ...announce(), sweep, protocol: 99, sandtable: '9.9.9' };
    await client.set(announcementOf(sweep), JSON.stringify(signerOf('secret').sign('sweep', other)));
    await client.zadd(SWEEPS, Math.floor(Date.now() / 1_000) + 60, sweep);
    await client.lpush(`${prefixOf(sweep)}:${QUEUE}:wait`, 'x');
    const worker = await work(good);
    await expect
      .poll(() => worker.notes.join('\n'), { timeout: 60_000 })
      .toMatch(
        /written by Sandtable 9\.9\.9 \(protocol 99\), but this is Sandtable .*Use the same version on all machines/,
      );
    expect(await client.llen(`${prefixOf(sweep)}:${QUEUE}:wait`)).toBe(1);
    await client.flushall();
  });
});

describe.skipIf(!here)('the data of a sweep in Redis', () => {
  it('have its prefix, expire, and are deleted at the end of the sweep', async () => {
    const announcement = announce();
    const { queue } = await openQueue(announcement, { batch: 1 });
    const worker = await work(good);
    const seen = collect(queue.run(trials(40)));
    const { redis: client } = await connect();
    await seen;
    const keys = (await client.keys('*')).filter((key) => key !== SWEEPS);
    expect(keys.every((key) => key.startsWith(prefixOf(announcement.sweep)))).toBe(true);
    await worker.stop();
    await queue.close(true);
    expect(await client.keys('*')).toEqual([]);
  });

  it('expire when no process renews them', async () => {
    const announcement = announce();
    const { queue } = await openQueue(announcement, { batch: 1 });
    const stop = new AbortController();
    const running = collect(queue.run(trials(3), stop.signal));
    await new Promise((resolve) => setTimeout(resolve, 200));
    stop.abort();
    await running;
    await queue.close(false);
    const again = await openQueue(announcement);
    await again.queue.close(false);
    const { redis: client } = await connect();
    for (const key of await client.keys('*')) expect(await client.ttl(key), key).toBeGreaterThan(0);
    await client.flushall();
  });
});

describe('a Redis server of version', () => {
  const serverOf = (version: string): QueueConnection => {
    const info = `# Server\r\nredis_version:${version}\r\naof_enabled:1\r\nmaxmemory_policy:noeviction\r\n`;
    return { redis: { info: async () => info }, shown: 'redis://host' } as unknown as QueueConnection;
  };

  it.each(['6.2.0', '7.0.15', '8.0.0', '10.1.0'])('%s is used without a warning', async (version) => {
    expect(await queueWarnings(serverOf(version))).toEqual([]);
  });

  it.each(['5.0.14', '6.0.16'])('%s is used with a warning', async (version) => {
    expect(await queueWarnings(serverOf(version))).toEqual([
      `redis://host is Redis ${version}. Redis 6.2 or later is recommended.`,
    ]);
  });

  it('4.0.9 is refused', async () => {
    await expect(queueWarnings(serverOf('4.0.9'))).rejects.toMatchObject({
      code: 'queue_too_old',
      message: 'The queue redis://host is Redis 4.0.9. It must be Redis 5 or later.',
      hint: 'Upgrade it, if possible to Redis 6.2 or later.',
    });
  });
});

describe.skipIf(!here)('a Redis server', () => {
  it('without an append-only file is used with a warning', async () => {
    const plain = await startRedis(['--appendonly', 'no', '--requirepass', 'p@ss word']);
    try {
      const address = readQueueAddress(plain.url, { SANDTABLE_REDIS_PASSWORD: 'p@ss word' });
      const connection = await connectQueue(address, () => undefined);
      expect((await queueWarnings(connection)).join()).toMatch(/no append-only file/);
      connection.close();
      await expect(connectQueue(readQueueAddress(plain.url, {}), () => undefined)).rejects.toMatchObject({
        code: 'queue_unreachable',
        hint: expect.stringContaining('SANDTABLE_REDIS_PASSWORD'),
      });
      const wrong = readQueueAddress(plain.url.replace('//', '//:sesame@'), {});
      await expect(connectQueue(wrong, () => undefined)).rejects.toThrow(/^(?!.*sesame)/);
    } finally {
      await plain.stop();
    }
  });

  it('that is unavailable does not prevent a worker from ending', async () => {
    const own = await startRedis();
    const connection = await connectQueue(readQueueAddress(own.url, {}), () => undefined);
    const stop = new AbortController();
    const ended = serveQueue(connection, signerOf('secret'), {
      jobs: 1,
      note: () => undefined,
      signal: stop.signal,
      open: () => Promise.resolve({ run: good, close: () => Promise.resolve() }),
    });
    await own.kill();
    await vi.waitFor(() => expect(connection.redis.status).not.toBe('ready'), { timeout: 60_000 });
    stop.abort();
    expect(await ended).toBe(0);
    connection.close();
    await own.stop();
  });

  it('that does not exist is reported', async () => {
    await expect(
      connectQueue(readQueueAddress('redis://:geheim@127.0.0.1:9', {}), () => undefined),
    ).rejects.toMatchObject({ code: 'queue_unreachable', message: expect.not.stringContaining('geheim') });
  });
});
