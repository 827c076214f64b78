import { spawnSync } from 'node:child_process';
import { signerOf } from '../src/research/queue/messages.ts';
import { connectQueue, readQueueAddress } from '../src/research/queue/redis.ts';
import { serveQueue } from '../src/research/queue/serve-queue.ts';
import { SweepQueue } from '../src/research/queue/sweep-queue.ts';
import { startRedis } from '../test/support/redis.ts';
import { type Benchmark, type Figure, median } from './figure.ts';

const TRIALS = 2_000;
const ROUNDS = 3;

/**
 * Input and result of a simulated trial. The result has 80 distinct numbers, as many as a row of a real
 * sweep.
 */
const input = (index: number): unknown => ({
  trial: { id: `trial-${index}`, parameters: { fast: index % 50, slow: 50 + (index % 150) } },
});
const result = (index: number): unknown => ({
  figures: Object.fromEntries(
    Array.from({ length: 80 }, (_, column) => [`figureNumber${column}`, Math.sin(index * 97 + column)]),
  ),
});

type Measure = 'ms' | 'operations' | 'bytes' | 'redisMs' | 'ownMs';

/** Measures the overhead of the queue, with trials that take no time and one worker in this process. */
async function overhead(batch: number | undefined): Promise<Record<Measure, number>> {
  const redis = await startRedis();
  const silent = (): void => undefined;
  const signer = signerOf('bench');
  const address = readQueueAddress(redis.url, {});
  const [mine, other] = [await connectQueue(address, silent), await connectQueue(address, silent)];
  const stop = new AbortController();
  try {
    const queue = await SweepQueue.open(mine, signer, {
      announcement: {
        sweep: 'bench',
        plan: 'a'.repeat(64),
        lockSeconds: 30,
        trialSeconds: null,
        rate: null,
        budget: null,
      },
      retries: 0,
      ...(batch === undefined ? {} : { batch }),
      note: silent,
    });
    const trials = Array.from({ length: TRIALS }, (_, index) => ({
      id: `trial-${index}`,
      input: input(index),
    }));
    const worker = serveQueue(other, signer, {
      jobs: 2,
      note: silent,
      signal: stop.signal,
      open: () =>
        Promise.resolve({
          run: ({ id }) => Promise.resolve({ result: result(Number(id.slice(6))), isDoubtful: false }),
          close: () => Promise.resolve(),
        }),
    });
    const drain = async (count: number): Promise<void> => {
      const from = done;
      for await (const _ of queue.run(trials.slice(from, from + count))) done += 1;
    };
    let done = 0;
    // The first trials are a warm-up. After them, the worker has joined the sweep and has measured how many
    // trials a batch should have.
    await drain(TRIALS / 10);
    const before = await countsOf(mine.redis);
    const startedAt = performance.now();
    const cpu = process.cpuUsage();
    await drain(TRIALS - done);
    const ms = performance.now() - startedAt;
    const own = process.cpuUsage(cpu);
    const after = await countsOf(mine.redis);
    stop.abort();
    await worker;
    await queue.close(true);
    const share = TRIALS * 0.9;
    return {
      ms: ms / share,
      operations: (after.operations - before.operations) / share,
      bytes: (after.bytes - before.bytes) / share,
      redisMs: (after.redisMs - before.redisMs) / share,
      ownMs: (own.user + own.system) / 1_000 / share,
    };
  } finally {
    stop.abort();
    mine.close();
    other.close();
    await redis.stop();
  }
}

async function countsOf(redis: {
  info(section: string): Promise<string>;
}): Promise<Record<'operations' | 'bytes' | 'redisMs', number>> {
  const text = `${await redis.info('stats')}${await redis.info('cpu')}`;
  const value = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(text)?.[1]);
  return {
    operations: value('total_commands_processed'),
    bytes: value('total_net_input_bytes') + value('total_net_output_bytes'),
    redisMs: 1_000 * (value('used_cpu_user') + value('used_cpu_sys')),
  };
}

async function queueOverhead(): Promise<Figure[]> {
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    process.stderr.write('The queue was not measured: there is no redis-server (Debian: redis-server).\n');
    return [];
  }
  const figures: Figure[] = [];
  for (const [words, batch] of [
    ['small trials, in jobs of the size that is chosen', undefined],
    ['one trial a job', 1],
  ] as const) {
    const rounds: Awaited<ReturnType<typeof overhead>>[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await overhead(batch));
    const of = (name: Measure): number => median(rounds.map((one) => one[name]));
    figures.push(
      {
        name: `queue, ${words}`,
        value: of('ms'),
        unit: 'ms a trial',
        ...(batch === undefined ? { reach: '≤ 3' } : {}),
      },
      { name: `queue, ${words}: Redis`, value: of('operations'), unit: 'operations a trial' },
      { name: `queue, ${words}: network of Redis`, value: of('bytes'), unit: 'bytes a trial' },
      { name: `queue, ${words}: processor of Redis`, value: of('redisMs'), unit: 'ms a trial' },
      {
        name: `queue, ${words}: processor of coordinator and worker`,
        value: of('ownMs'),
        unit: 'ms a trial',
      },
    );
  }
  return figures;
}

export const clusterBenchmarks: Readonly<Record<string, Benchmark>> = { cluster: queueOverhead };
