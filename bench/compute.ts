import { spawnSync } from 'node:child_process';
import {
  createToolkit,
  type Market,
  provisionRuntime,
  runBacktest,
  Sandbox,
  simulateMarket,
  type Turn,
} from 'sandtable';
import { type Benchmark, median, medianTime } from './figure.ts';

/** Calls `work` at the last bar of a market. */
export async function atLastBar(market: Market, work: (turn: Turn) => Promise<void>): Promise<void> {
  const { length } = market.clock;
  const result = await runBacktest({
    market,
    decider: { decide: (turn) => (turn.bar === length - 1 ? work(turn) : undefined) },
  });
  if (result.outcome !== 'completed') throw result.error;
}

async function callTimes(sandbox: Sandbox, bars: number, code: string, calls: number): Promise<number> {
  const toolkit = createToolkit({ sandbox });
  const times: number[] = [];
  await atLastBar(simulateMarket({ seed: 3, bars, interval: '1h' }), async (turn) => {
    for (let call = 0; call < calls + 200; call++) {
      const startedAt = performance.now();
      const answer = (await toolkit.call('compute', { code }, turn)) as { error?: string };
      if (answer.error !== undefined) throw new Error(answer.error);
      if (call >= 200) times.push(performance.now() - startedAt);
    }
  });
  return median(times);
}

/**
 * Returns the milliseconds that CPython with pandas needs to copy a DataFrame of `bars` rows and evaluate
 * `df.close.iloc[-1]`. Undefined if pandas is not installed.
 */
function nativePython(bars: number): number | undefined {
  const program = `
import sys, time, statistics
import numpy as np, pandas as pd
df = pd.DataFrame({c: np.random.rand(${bars}) for c in ['open', 'high', 'low', 'close', 'volume']})
code = compile('df.close.iloc[-1]', 'x', 'eval')
times = []
for _ in range(500):
    t = time.perf_counter(); eval(code, {'df': df.copy()}); times.append(time.perf_counter() - t)
print(statistics.median(times) * 1000)`;
  const { status, stdout } = spawnSync('python3', ['-c', program], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

export const computeBenchmarks: Readonly<Record<string, Benchmark>> = {
  async compute() {
    const runtime = await provisionRuntime();
    const figures = [];
    let first = 0;
    for (const bars of [250, 5_000, 100_000]) {
      const sandbox = new Sandbox({ runtime, spares: 0 });
      const value = await callTimes(sandbox, bars, 'df.close.iloc[-1]', 2_000);
      await sandbox.close();
      if (first === 0) first = value;
      const name = `compute df.close.iloc[-1], p50, ${bars.toLocaleString('en-US')} bars`;
      figures.push({
        name,
        value,
        unit: 'ms',
        reach: bars === 100_000 ? `≤ 0.2, ≤ 1.3 × the first (${(value / first).toFixed(2)} ×)` : '≤ 0.2',
      });
      const native = nativePython(bars);
      if (native !== undefined)
        figures.push({
          name: '… CPython and pandas in one process, with df.copy()',
          value: native,
          unit: 'ms',
        });
    }
    return figures;
  },

  async coldStart() {
    const runtime = await provisionRuntime();
    const value = await medianTime(7, async () => {
      const sandbox = new Sandbox({ runtime, spares: 0 });
      await callOnce(sandbox, 'df.close.rolling(20).mean()');
      await sandbox.close();
    });
    return [
      { name: 'cold start of a sandbox to its first pandas result', value, unit: 'ms', reach: '≤ 3,000' },
    ];
  },

  async guard() {
    const runtime = await provisionRuntime();
    const sandbox = new Sandbox({ runtime, spares: 1 });
    await callOnce(sandbox, '1 + 1');
    const loop = await medianTime(9, () => callOnce(sandbox, 'while True: pass'));
    const [hung, next]: [number[], number[]] = [[], []];
    for (let round = 0; round < 5; round++) {
      // Waits until the spare process is ready. In a run, the time between such calls is usually long enough
      // for this.
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      hung.push(await medianTime(1, () => callOnce(sandbox, 'np.linalg.svd(np.random.rand(2500, 2500))'), 0));
      next.push(await medianTime(1, () => callOnce(sandbox, '1 + 1'), 0));
    }
    await sandbox.close();
    return [
      { name: 'guard: while True: pass, answered', value: loop, unit: 'ms', reach: '≤ 560' },
      {
        name: 'guard: C code that cannot be interrupted, answered',
        value: median(hung),
        unit: 'ms',
        reach: '≤ 1,200',
      },
      { name: '… the next call, on a fresh sandbox', value: median(next), unit: 'ms' },
    ];
  },
};

async function callOnce(sandbox: Sandbox, code: string): Promise<void> {
  const toolkit = createToolkit({ sandbox });
  await atLastBar(simulateMarket({ seed: 3, bars: 250 }), async (turn) => {
    await toolkit.call('compute', { code }, turn);
  });
}
