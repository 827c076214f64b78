import { join } from 'node:path';
import { simulateMarket } from 'sandtable';
import { computeBenchmarks } from './compute.ts';
import type { Benchmark, Figure } from './figure.ts';
import { inFolder, longRunBenchmarks, tenMillionBars, writeCsv } from './long-runs.ts';
import { manySymbolBenchmarks } from './many-symbols.ts';
import { orderBenchmarks } from './orders.ts';
import { processBenchmarks } from './process.ts';
import { eventLoopInPython, optimizeInPython } from './python-loop.ts';
import { ruleBenchmarks } from './rules.ts';
import { GRID, sweepBenchmarks } from './sweep.ts';

/** Benchmarks of the first table of docs/benchmarks.md, in its order. */
const PARTS: readonly Benchmark[] = [
  ruleBenchmarks.rules!,
  longRunBenchmarks['run-100k']!,
  longRunBenchmarks['run-1m']!,
  sweepBenchmarks.sweep!,
  longRunBenchmarks.trial!,
  orderBenchmarks.portfolio!,
  computeBenchmarks.compute!,
  processBenchmarks.start!,
  processBenchmarks.startUp!,
];

/** Benchmarks of the same table that take many minutes. */
const LONG_PARTS: readonly Benchmark[] = [
  tenMillionBars,
  manySymbolBenchmarks.manySymbols!,
  manySymbolBenchmarks.minuteBars!,
];

/**
 * Comparison of a benchmark with the same task in Python (the peer). `figure`: part of the benchmark's name.
 * `name`: description of the task.
 */
interface Peer {
  readonly figure: string;
  readonly name: string;
  /** Returns the seconds of the peer, or its bars per second for a rate. `undefined` without pandas. */
  measure(folder: string): { readonly by: string; readonly value: number } | undefined;
}

const AVERAGES = { fast: 11, slow: 22 };
const BARS = 100_000;
const CORES = 2;
const TRIALS = Object.values(GRID).reduce((product, { length }) => product * length, 1);

const PEERS: readonly Peer[] = [
  {
    figure: 'SMA 11/22 cross',
    name: 'loop in process, 100,000 bars',
    measure(folder) {
      const run = eventLoopInPython(barsIn(folder, BARS, '1h'), AVERAGES);
      return run && { by: run.name, value: BARS / run.seconds };
    },
  },
  {
    figure: 'sandtable run, 100,000 bars',
    name: 'whole process, 100,000 bars (all files here, no files there)',
    measure(folder) {
      const run = eventLoopInPython(barsIn(folder, BARS, '1h'), AVERAGES);
      return run && { by: run.name, value: run.processSeconds };
    },
  },
  {
    figure: 'sweep of',
    name: `sweep of ${TRIALS} trials × 5,000 bars, whole process`,
    measure(folder) {
      const run = optimizeInPython(barsIn(folder, 5_000, '1d'), GRID, CORES);
      return run && { by: run.name, value: run.processSeconds };
    },
  },
];

function barsIn(folder: string, bars: number, interval: '1h' | '1d'): string {
  const file = join(folder, `bars-${bars}.csv`);
  writeCsv(file, simulateMarket({ seed: 4, bars, interval }));
  return file;
}

/**
 * Runs the benchmarks of the first table, then their peers in Python. Returns all figures, including the
 * ratios of both.
 */
async function race(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const part of PARTS) figures.push(...(await part()));
  return inFolder((folder) => {
    for (const { figure, name, measure } of PEERS) {
      const own = figures.find((one) => one.name.includes(figure));
      const peer = measure(folder);
      if (own === undefined || peer === undefined) {
        process.stderr.write(`No Python here has pandas (Debian: python3-pandas): no peer of "${name}".\n`);
        continue;
      }
      const isRate = own.unit === 'bars/s';
      const ratio = isRate ? own.value / peer.value : peer.value / own.value;
      figures.push(
        { name: `peer: ${name}, ${peer.by}`, value: peer.value, unit: isRate ? 'bars/s' : 's' },
        {
          name: `ratio: ${name}`,
          value: ratio,
          unit: '×',
          ...(isRate && peer.by === 'backtesting.py' ? { reach: '≥ 20' } : {}),
        },
      );
    }
    return figures;
  });
}

async function raceLong(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const part of LONG_PARTS) figures.push(...(await part()));
  return figures;
}

export const raceBenchmarks: Readonly<Record<string, Benchmark>> = {
  race,
  'race-long': raceLong,
  'run-10m': tenMillionBars,
  ...manySymbolBenchmarks,
};
