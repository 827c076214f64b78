import { availableParallelism } from 'node:os';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RULE_TIMEOUT_SECONDS } from '../../agents/index.ts';
import type { ThreadPoolOptions } from '../workers/thread-pool.ts';
import { runWorlds } from './run-worlds.ts';

const pools = vi.hoisted((): { options: ThreadPoolOptions<number, unknown>; closed: number }[] => []);
const state = vi.hoisted(() => ({ isBuilt: true, fails: false }));
vi.mock('../workers/thread-pool.ts', () => ({
  isBuilt: () => state.isBuilt,
  ThreadPool: class {
    readonly #own: (typeof pools)[number];
    constructor(options: ThreadPoolOptions<number, unknown>) {
      this.#own = { options, closed: 0 };
      pools.push(this.#own);
    }
    async *run(worlds: readonly number[]): AsyncIterable<unknown> {
      for (const world of worlds) yield { world };
      if (state.fails) throw new Error('no thread');
    }
    async close(): Promise<void> {
      this.#own.closed += 1;
    }
  },
}));
beforeEach(() => {
  pools.length = 0;
  Object.assign(state, { isBuilt: true, fails: false });
});

interface Given {
  readonly worlds?: number;
  readonly bars?: number;
  readonly request?: object;
  readonly tools?: readonly string[];
  readonly settings?: object;
}
/** Runs worlds of a strategy file. Returns the finished worlds and the printed text. */
async function run({ worlds = 10, bars = 20_000, request = {}, tools = [], settings = {} }: Given = {}) {
  const [rows, notes]: [unknown[], string[]] = [[], []];
  const end = await runWorlds({
    request: { strategy: 's.ts', ...request },
    runner: {
      strategy: { kind: 'rules', tools },
      ...{ settings, maker: { facts: { bars } } },
      world: async (world: number) => ({ row: { alone: world } }),
    },
    context: {
      environment: { A: 'b' },
      pythonLimits: undefined,
      observer: { note: (text: string) => notes.push(text) },
    },
    signal: new AbortController().signal,
    worlds: Array.from({ length: worlds }, (_, at) => at + 1),
    ...{ spent: {}, paid: () => undefined },
    done: (row: unknown, spent: unknown) => rows.push(row, spent),
  } as never);
  expect(end).toEqual({ isExhausted: false });
  return { rows, notes };
}
const jobsOf = async (given: Given): Promise<number> => {
  pools.length = 0;
  await run(given);
  return pools[0]?.options.jobs ?? 1;
};

describe('worlds of a strategy file', () => {
  it('run in threads from 200,000 bars in total on, or if the strategy uses tools', async () => {
    const cores = Math.min(availableParallelism(), 10);
    expect(await jobsOf({ worlds: 10, bars: 20_000 })).toBe(cores);
    expect(await jobsOf({ worlds: 10, bars: 19_999 })).toBe(1);
    expect(await jobsOf({ worlds: 10, bars: 1, tools: ['compute'] })).toBe(cores);
  });

  it('run in the requested number of threads, at most one for each world', async () => {
    expect(await jobsOf({ bars: 1, request: { jobs: 3 } })).toBe(3);
    expect(await jobsOf({ bars: 1, worlds: 2, request: { jobs: 3 } })).toBe(2);
    expect(await jobsOf({ worlds: 0, request: { jobs: 3 } })).toBe(1);
    expect(await jobsOf({ request: { jobs: 1 } })).toBe(1);
  });

  it('run in the main thread for a strategy or bars in code, and before a build', async () => {
    expect(await jobsOf({ request: { strategy: {}, jobs: 3 } })).toBe(1);
    expect(await jobsOf({ request: { market: {}, jobs: 3 } })).toBe(1);
    state.isBuilt = false;
    expect(await jobsOf({ request: { jobs: 3 } })).toBe(1);
  });

  it('are reported as they finish, and printed text is forwarded', async () => {
    const { rows, notes } = await run({ worlds: 2, request: { jobs: 2 } });
    expect(rows).toEqual([{ world: 1 }, undefined, { world: 2 }, undefined]);
    const [{ options, closed }] = pools as [(typeof pools)[number]];
    options.print!('hello \n');
    expect([notes, closed, options.finishes, options.seconds]).toEqual([
      ['hello'],
      1,
      false,
      RULE_TIMEOUT_SECONDS,
    ]);
    expect(options.start).toMatchObject({ request: { strategy: 's.ts' }, environment: { A: 'b' } });
    expect(options.lost(7, 'gone', 1)).toMatchObject({ world: 7, outcome: 'failed', error: 'gone' });
    await run({ request: { jobs: 2 }, settings: { decisionTimeout: 4 } });
    expect(pools[1]!.options.seconds).toBe(4);
  });

  it('end their threads after an error', async () => {
    state.fails = true;
    await expect(run({ request: { jobs: 2 } })).rejects.toThrow('no thread');
    expect(pools[0]!.closed).toBe(1);
  });
});
