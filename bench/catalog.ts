import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadMarket, mapColumns, saveBars, simulateMarket } from '../src/market/index.ts';
import type { Benchmark } from './figure.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MINUTES = 98_280;
const SYMBOLS = 8;

/**
 * Measures reading from a catalogue of eight symbols with two years of minute bars each: one month of two
 * symbols, and all bars of one symbol.
 */
async function catalog(): ReturnType<Benchmark> {
  const root = mkdtempSync(join(tmpdir(), 'sandtable-bench-'));
  try {
    const [one] = simulateMarket({
      seed: 1,
      bars: 2 * MINUTES,
      interval: '1min',
      start: '2022-01-03',
    }).series;
    for (let index = 0; index < SYMBOLS; index++) {
      const symbol = `S${index}`;
      const series = { ...mapColumns(one!, (column) => column), symbol, interval: '1min' };
      await saveBars([series], root, { sources: [], query: {} });
    }
    const period = { from: '2022-02-01', to: '2022-02-28' };
    const measure = async (options: Parameters<typeof loadMarket>[0]) => {
      collect();
      const before = process.memoryUsage();
      const from = performance.now();
      const { market } = await loadMarket(options);
      const milliseconds = performance.now() - from;
      collect();
      const after = process.memoryUsage();
      const bars = market.series.reduce((sum, { time }) => sum + time.length, 0);
      return { milliseconds, bars, bytes: after.arrayBuffers - before.arrayBuffers };
    };
    await measure({ paths: [`${root}/@S0`], ...period });
    const month = await measure({ paths: [`${root}/@*`], symbols: ['S1', 'S2'], ...period });
    const whole = await measure({ paths: [`${root}/@S3`] });
    return [
      {
        name: `catalog: a month of 2 of 8 symbols, ${month.bars} minute bars`,
        value: month.milliseconds,
        unit: 'ms',
      },
      {
        name: `catalog: memory of a bar, ${whole.bars} of them`,
        value: whole.bytes / whole.bars,
        unit: 'bytes',
      },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

export const catalogBenchmarks = { catalog } satisfies Readonly<Record<string, Benchmark>>;
