import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createToolkit, provisionRuntime, Sandbox, simulateMarket, type Turn } from 'sandtable';
import type { PythonRuntime } from 'sandtable/sandbox';
import { exampleCode } from '../test/support/example-code.ts';
import { atLastBar } from './compute.ts';
import { type Benchmark, type Figure, median, medianTime } from './figure.ts';

/**
 * The same work twice. The second code defines a class, so the sandbox cannot prove that the heap is
 * unchanged and restores it after the call.
 */
const CLEAN = 'result = df.close.iloc[-1]';
const DIRTY = `class Unused: pass\n${CLEAN}`;
/** Milliseconds, longer than restoring the heap. Measures calls if the engine has other work between them. */
const PAUSE = 15;
/** Milliseconds, longer than starting a child process. */
const SPARE_START = 8_000;

async function ask(sandbox: Sandbox, turn: Turn, code: string): Promise<number> {
  const toolkit = createToolkit({ sandbox });
  const startedAt = performance.now();
  const answer = (await toolkit.call('compute', { code }, turn)) as { error?: string };
  if (answer.error !== undefined) throw new Error(answer.error);
  return performance.now() - startedAt;
}

async function pairs(turn: Turn, sandbox: Sandbox, rounds: number, pause: number): Promise<[number, number]> {
  const [clean, dirty]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [code, times] of [
      [CLEAN, clean],
      [DIRTY, dirty],
    ] as const) {
      // Only the second of two equal calls is measured. Its time includes work that the first one left to do,
      // such as restoring the heap.
      await ask(sandbox, turn, code);
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      times.push(await ask(sandbox, turn, code));
    }
  }
  return [median(clean), median(dirty)];
}

/** Returns the milliseconds per call of many calls without pauses. */
async function inARow(turn: Turn, sandbox: Sandbox, code: string, rounds: number): Promise<number> {
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round++) await ask(sandbox, turn, code);
  return (performance.now() - startedAt) / rounds;
}

/**
 * Python executables that may have pandas: the first one in the path, and the system's (Debian:
 * python3-pandas).
 */
const PYTHONS = ['python3', '/usr/bin/python3'];

/**
 * Returns the median duration of an expression in CPython with pandas, in milliseconds. Undefined if pandas
 * is not installed.
 */
function native(expression: string): number | undefined {
  const program = `
import time, statistics, numpy as np, pandas as pd
df = pd.DataFrame({c: np.random.rand(2000) for c in ['open', 'high', 'low', 'close', 'volume']})
code = compile(${JSON.stringify(expression)}, 'x', 'eval')
times = []
for _ in range(500):
    t = time.perf_counter(); eval(code, {'df': df}); times.append(time.perf_counter() - t)
print(statistics.median(times) * 1000)`;
  for (const python of PYTHONS) {
    const { status, stdout } = spawnSync(python, ['-c', program], { encoding: 'utf8' });
    if (status === 0) return Number(stdout);
  }
  return undefined;
}

/** Code that never checks for interrupts: with small arrays, with large arrays and without arrays. */
const HUNG = [
  'np.convolve(np.ones(10**6), np.ones(10**5))[0]',
  'np.linalg.svd(np.random.rand(2500, 2500))',
  'sum(range(10**12))',
];

/**
 * Repeatedly runs code that must be killed. Returns the milliseconds of the ordinary call after each kill,
 * with one spare process and 5,000 bars.
 */
async function afterKills(runtime: PythonRuntime, count: number, pause: number): Promise<number[]> {
  const sandbox = new Sandbox({ runtime, spares: 1 });
  const waits: number[] = [];
  await atLastBar(simulateMarket({ seed: 3, bars: 5_000 }), async (turn) => {
    const toolkit = createToolkit({ sandbox });
    await ask(sandbox, turn, CLEAN);
    for (let kill = 0; kill < count; kill++) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      await toolkit.call('compute', { code: HUNG[kill % HUNG.length] }, turn);
      waits.push(await ask(sandbox, turn, CLEAN));
    }
  });
  await sandbox.close();
  return waits;
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(share * values.length) - 1]!;
}

/**
 * Measured expressions. The first one computes almost nothing, so it measures the overhead of a call: pipe,
 * JSON, checks and dispatch.
 */
const EXPRESSIONS = [
  '1 + 1',
  'df.close.iloc[-1]',
  'df.close.tail(20).mean()',
  'df.close.tail(11).mean() - df.close.tail(22).mean()',
  'df.close.pct_change().rolling(20).std().iloc[-1]',
  'df.groupby(df.close // 10).close.mean()',
];

export const isolationBenchmarks: Readonly<Record<string, Benchmark>> = {
  async isolation() {
    const runtime = await provisionRuntime();
    const figures: Figure[] = [];
    for (const [children, spares] of [
      ['one child', 0],
      ['and a spare', 1],
    ] as const) {
      const sandbox = new Sandbox({ runtime, spares });
      await atLastBar(simulateMarket({ seed: 3, bars: 2_000 }), async (turn) => {
        for (let call = 0; call < 200; call++) await ask(sandbox, turn, CLEAN);
        // Time for the spare to start.
        if (spares > 0) await new Promise((resolve) => setTimeout(resolve, SPARE_START));
        for (const [name, pause] of [
          ['one after the other', 0],
          ['with work between them', PAUSE],
        ] as const) {
          const [clean, dirty] = await pairs(turn, sandbox, 150, pause);
          const how = `${children}, ${name}`;
          figures.push(
            { name: `a clean call, p50, ${how}`, value: clean, unit: 'ms' },
            { name: `a dirty call costs more, p50, ${how}`, value: dirty - clean, unit: 'ms', reach: '≤ 5' },
          );
        }
        const clean = await inARow(turn, sandbox, CLEAN, 200);
        const dirty = await inARow(turn, sandbox, DIRTY, 200);
        figures.push({
          name: `each of 200 dirty calls in a row costs more, ${children}`,
          value: dirty - clean,
          unit: 'ms',
          reach: '≤ 5',
        });
      });
      await sandbox.close();
    }
    return figures;
  },

  async native() {
    const runtime = await provisionRuntime();
    const figures: Figure[] = [];
    const sandbox = new Sandbox({ runtime, spares: 0 });
    if (native('1 + 1') === undefined)
      process.stderr.write(`No CPython with pandas here (${PYTHONS.join(', ')}): nothing to compare with.\n`);
    await atLastBar(simulateMarket({ seed: 3, bars: 2_000 }), async (turn) => {
      for (const expression of EXPRESSIONS) {
        const times: number[] = [];
        for (let call = 0; call < 400; call++) times.push(await ask(sandbox, turn, expression));
        const here = median(times.slice(100));
        figures.push({ name: `compute ${expression}, p50`, value: here, unit: 'ms' });
        const there = native(expression);
        if (there === undefined) continue;
        figures.push(
          { name: '… native CPython and pandas, in one process', value: there, unit: 'ms' },
          { name: '… as many times as long', value: here / there, unit: '×' },
        );
      }
    });
    await sandbox.close();
    return figures;
  },

  async cleanShares() {
    const runtime = await provisionRuntime();
    const figures: Figure[] = [];
    for (const [name, code] of exampleCode()) {
      const sandbox = new Sandbox({ runtime, spares: 0 });
      await atLastBar(simulateMarket({ seed: 3, bars: 400 }), async (turn) => {
        for (let call = 0; call < 20; call++) await ask(sandbox, turn, code);
      });
      const { calls, clean } = sandbox.counts;
      await sandbox.close();
      figures.push({ name: `clean calls of ${name}`, value: (100 * clean) / calls, unit: '%', reach: '100' });
    }
    return figures;
  },

  async imageHash() {
    const { stdlib, packages } = await provisionRuntime();
    const files = [stdlib, ...packages.flatMap(({ index, data }) => [index, data])].map((file) =>
      readFileSync(file),
    );
    const value = await medianTime(9, () => {
      for (const bytes of files) createHash('sha256').update(bytes).digest('hex');
    });
    return [{ name: 'hashing the Python image, once a child', value, unit: 'ms' }];
  },

  async kills() {
    const busy = [1, 2].map(() => spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }));
    try {
      const runtime = await provisionRuntime();
      const figures: Figure[] = [];
      for (const [how, count, pause, reach] of [
        ['4 s apart', 15, 4_000, '≤ 300'],
        ['one after the other', 30, 0, '≤ 3,000'],
      ] as const) {
        const waits = await afterKills(runtime, count, pause);
        const name = `the call after a kill, two busy processes, ${count} kills ${how}`;
        figures.push(
          { name: `${name}, p50`, value: median(waits), unit: 'ms' },
          { name: '… p95', value: percentile(waits, 0.95), unit: 'ms', reach },
        );
      }
      return figures;
    } finally {
      for (const process_ of busy) process_.kill();
    }
  },
};
