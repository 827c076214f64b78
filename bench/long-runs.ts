import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Market, ruleDecider, runBacktest, simulateMarket } from 'sandtable';
import { evaluateTrial, openTrialWorld, SILENT } from '../src/runner/index.ts';
import smaCross from '../strategies/sma-cross.ts';
import { type Benchmark, type Figure, median, medianTime } from './figure.ts';
import { eventLoopInPython } from './python-loop.ts';

const BIN = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));
const STRATEGY = fileURLToPath(new URL('../strategies/sma-cross.ts', import.meta.url));
const AVERAGES = { fast: 11, slow: 22 };
const TERMS = ['--cash', '1000000', '--commission', '0.0002', '--param', 'fast=11', '--param', 'slow=22'];

export interface Usage {
  readonly seconds: number;
  /** CPU seconds of all threads, user and system. */
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
  /** Standard output. */
  readonly output: string;
}

const LINES_PER_WRITE = 100_000;

/** Writes the bars of a market as CSV, with a column `symbol` on request. */
export function writeCsv(file: string, { series }: Market, withSymbol = false): void {
  const descriptor = openSync(file, 'w');
  const symbolColumn = withSymbol ? ',symbol' : '';
  writeFileSync(descriptor, `date,open,high,low,close,volume${symbolColumn}\n`);
  for (const { symbol, time, open, high, low, close, volume } of series) {
    const end = withSymbol ? `,${symbol}\n` : '\n';
    for (let from = 0; from < time.length; from += LINES_PER_WRITE) {
      let text = '';
      for (let at = from; at < Math.min(from + LINES_PER_WRITE, time.length); at++)
        text += `${new Date(time[at]!).toISOString().slice(0, 19)},${open[at]},${high[at]},${low[at]},${close[at]},${volume[at]}${end}`;
      writeFileSync(descriptor, text);
    }
  }
  closeSync(descriptor);
}

/** Runs the program in a separate process, which reports its resource usage at its end. */
export function measured(folder: string, words: readonly string[]): Usage {
  const said = join(folder, 'usage.json');
  const atEnd = `import{writeFileSync as w}from"node:fs";process.on("exit",()=>w(${JSON.stringify(said)},JSON.stringify(process.resourceUsage())))`;
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(atEnd)}`, BIN, ...words],
    { encoding: 'utf8' },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  if (status !== 0) throw new Error(stderr);
  const used = JSON.parse(readFileSync(said, 'utf8')) as NodeJS.ResourceUsage;
  return {
    seconds,
    cpuSeconds: (used.userCPUTime + used.systemCPUTime) / 1e6,
    peakMegabytes: used.maxRSS / 1024,
    output: stdout,
  };
}

export async function inFolder<Result>(work: (folder: string) => Result | Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface LongRun {
  readonly bars: number;
  readonly interval: '1h' | '1min';
  readonly runs: number;
  readonly reach: readonly [seconds: string, megabytes?: string];
}

function wholeRuns(folder: string, { bars, interval, runs, reach }: LongRun): Figure[] {
  const data = join(folder, 'bars.csv');
  writeCsv(data, simulateMarket({ seed: 4, bars, interval }));
  const out = join(folder, 'runs');
  const used = Array.from({ length: runs }, () =>
    measured(folder, ['run', STRATEGY, '--data', data, ...TERMS, '--out', out, '--quiet']),
  );
  const of = (pick: (one: Usage) => number): number => median(used.map(pick));
  const [seconds, megabytes] = reach;
  return [
    {
      name: `sandtable run, ${bars.toLocaleString('en-US')} bars, 5 % trading, all files, whole process`,
      value: of((one) => one.seconds),
      unit: 's',
      reach: seconds,
    },
    { name: '… processor time of it', value: of((one) => one.cpuSeconds), unit: 's' },
    {
      name: '… peak memory',
      value: of((one) => one.peakMegabytes),
      unit: 'MB',
      ...(megabytes === undefined ? {} : { reach: megabytes }),
    },
  ];
}

/** Measures rebuilding the report from the journal of the run that `wholeRuns` has left in the folder. */
function reportAlone(folder: string): Figure[] {
  const [run] = readdirSync(join(folder, 'runs'));
  const { seconds } = measured(folder, ['report', join(folder, 'runs', run!)]);
  return [
    { name: 'sandtable report of 1,000,000 bars, whole process', value: seconds, unit: 's', reach: '≤ 1.5' },
  ];
}

export const context = {
  environment: {},
  observer: SILENT,
  listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
};

/** Runs only if `race-long` or `run-10m` is named, because it takes several minutes. */
export const tenMillionBars: Benchmark = () =>
  inFolder((folder) =>
    wholeRuns(folder, { bars: 10_000_000, interval: '1min', runs: 1, reach: ['completes', '≤ 1,200'] }),
  );

export const longRunBenchmarks: Readonly<Record<string, Benchmark>> = {
  'run-100k': () =>
    inFolder((folder) =>
      wholeRuns(folder, { bars: 100_000, interval: '1h', runs: 5, reach: ['≤ 1.0', '≤ 180'] }),
    ),

  'run-1m': () =>
    inFolder((folder) => [
      ...wholeRuns(folder, { bars: 1_000_000, interval: '1min', runs: 1, reach: ['≤ 4.5', '≤ 400'] }),
      ...reportAlone(folder),
    ]),

  async trial() {
    const world = await openTrialWorld(
      {
        strategy: STRATEGY,
        options: {},
        settings: { cash: '1000000', commissionRate: 0.0002 },
        market: simulateMarket({ seed: 4, bars: 5_000 }),
      },
      context,
    );
    let number = 0;
    const time = await medianTime(
      200,
      () => {
        number += 1;
        return evaluateTrial(world, {
          parameters: { fast: 5 + (number % 10) * 5, slow: 60 + (number % 18) * 10 },
        });
      },
      30,
    );
    await world.close();
    return [
      {
        name: 'one trial of a sweep: 5,000 bars, record, figures, verdict and summary in memory',
        value: time,
        unit: 'ms',
        reach: '≤ 2.5',
      },
    ];
  },

  /** Measures the loop of rules and a loop in Python on the same machine state. */
  async pythonLoop() {
    const market = simulateMarket({ seed: 4, bars: 100_000, interval: '1h' });
    const own = await medianTime(
      9,
      () =>
        runBacktest({
          market,
          decider: ruleDecider(smaCross, smaCross.parameters.parse(AVERAGES), undefined),
          settings: { cash: '1000000', commissionRate: 0.0002 },
        }),
      3,
    );
    const other = await inFolder((folder) => {
      const data = join(folder, 'bars.csv');
      writeCsv(data, market);
      return eventLoopInPython(data, AVERAGES);
    });
    if (other === undefined)
      return [
        { name: 'no Python here has pandas: nothing to compare rules with', value: Number.NaN, unit: '' },
      ];
    return [
      { name: `SMA cross by ${other.name}, 100,000 bars`, value: 100_000 / other.seconds, unit: 'bars/s' },
      {
        name: '… how many times as fast the same rule is here',
        value: (other.seconds * 1000) / own,
        unit: '×',
        // The target applies only to backtesting.py. A simple loop does only a fraction of the work per bar.
        ...(other.name === 'backtesting.py' ? { reach: '≥ 20' } : {}),
      },
    ];
  },
};
