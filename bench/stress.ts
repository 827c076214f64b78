import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { simulateMarket, stress } from 'sandtable';
import type { Benchmark, Figure } from './figure.ts';

const STRATEGY = fileURLToPath(new URL('../strategies/sma-cross.ts', import.meta.url));
const [WORLDS, BARS] = [500, 2_000];

/**
 * Measures a complete stress test, from reading the data file to writing the results folder. The test runs a
 * strategy on randomised markets of daily bars, on one thread and on all cores.
 */
const stressWorlds: Benchmark = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-bench-'));
  try {
    const [bars] = simulateMarket({ seed: 1, bars: BARS }).series;
    const rows = Array.from(
      bars!.time,
      (time, at) =>
        `${new Date(time).toISOString().slice(0, 10)},${bars!.open[at]},${bars!.high[at]},${bars!.low[at]},${bars!.close[at]},${bars!.volume[at]}\n`,
    );
    const data = join(folder, 'prices.csv');
    writeFileSync(data, `date,open,high,low,close,volume\n${rows.join('')}`);
    const figures: Figure[] = [];
    for (const jobs of [1, 2]) {
      const { seconds } = await stress({ strategy: STRATEGY, data, worlds: WORLDS, jobs, out: folder });
      figures.push({
        name: `stress: ${WORLDS} worlds of ${BARS} bars, ${jobs} ${jobs === 1 ? 'thread' : 'threads'}`,
        value: seconds,
        unit: 's',
      });
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

export const stressBenchmarks = { stress: stressWorlds } as const satisfies Record<string, Benchmark>;
