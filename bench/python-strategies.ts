import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadStrategy } from '../src/agents/index.ts';
import { runBacktest } from '../src/engine/index.ts';
import { simulateMarket } from '../src/market/index.ts';
import { type Benchmark, type Figure, median } from './figure.ts';

const BARS = 5_000;
const SIGNAL_BARS = 100_000;
/** Number of first bars that are not measured, because Python starts during them. */
const WARM_UP = 250;

const SIGNALS = `
parameters = {"fast": 20, "slow": 50}
def signals(df, p):
    return (df.close.rolling(p.fast).mean() > df.close.rolling(p.slow).mean()).astype(float)
`;

/** Measures each decision of a Python strategy, in milliseconds. */
async function decisions(file: string): Promise<number[]> {
  const market = simulateMarket({ seed: 1, bars: BARS });
  const strategy = await loadStrategy(file);
  const decider = strategy.createDecider(undefined, BARS, market.symbols, { environment: {} });
  const times: number[] = [];
  const { error } = await runBacktest({
    market,
    decider: {
      readsEvents: true,
      async decide(turn) {
        const startedAt = performance.now();
        await decider.decide(turn);
        if (turn.bar >= WARM_UP) times.push(performance.now() - startedAt);
      },
      close: () => decider.close?.(),
    },
  });
  if (error !== undefined) throw error;
  return times;
}

async function signals(file: string): Promise<number> {
  const market = simulateMarket({ seed: 1, bars: SIGNAL_BARS, interval: '1h' });
  const startedAt = performance.now();
  const strategy = await loadStrategy(file);
  const decider = strategy.createDecider(undefined, SIGNAL_BARS, market.symbols, {
    environment: {},
    series: market.series,
    clock: market.clock,
    runId: () => 'bench',
  });
  const { error } = await runBacktest({ market, decider });
  if (error !== undefined) throw error;
  return (performance.now() - startedAt) / 1000;
}

export const pythonStrategyBenchmarks: Readonly<Record<string, Benchmark>> = {
  async pythonStrategy(): Promise<Figure[]> {
    const times = await decisions('strategies/python/rsi_dip.py');
    const half = times.length >> 1;
    const name = 'a strategy in Python with RSI and a mean of 200 closes, a bar, p50';
    return [
      { name: `${name}, 5,000 bars`, value: median(times), unit: 'ms', reach: '≤ 0.6' },
      { name: '… of the first half', value: median(times.slice(0, half)), unit: 'ms' },
      { name: '… of the second half', value: median(times.slice(half)), unit: 'ms', reach: 'the same' },
    ];
  },
  async pythonSignals(): Promise<Figure[]> {
    const folder = mkdtempSync(join(tmpdir(), 'sandtable-bench-'));
    try {
      const file = join(folder, 'cross.py');
      writeFileSync(file, SIGNALS);
      const value = await signals(file);
      return [
        {
          name: 'signals of two means, 100,000 bars, with Python’s start and 400 checks',
          value,
          unit: 's',
          reach: '≤ 4',
        },
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
