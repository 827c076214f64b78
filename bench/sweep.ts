import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createToolkit, provisionRuntime, runBacktest, Sandbox, simulateMarket } from 'sandtable';
import { evaluateTrial, openTrialWorld } from '../src/runner/index.ts';
import { type Benchmark, type Figure, median } from './figure.ts';
import { context, inFolder, measured, type Usage, writeCsv } from './long-runs.ts';
import { optimizeInPython } from './python-loop.ts';

const strategyFile = (name: string): string =>
  fileURLToPath(new URL(`../strategies/${name}.ts`, import.meta.url));
const TERMS = ['--cash', '1000000', '--commission', '0.0002', '--keep', 'none', '--json'];
const ROUNDS = 5;
const CORES = 2;

const BARS = 5_000;
/** 10 × 10 × 10 trials. */
export const GRID = {
  fast: Array.from({ length: 10 }, (_, step) => 5 + 5 * step),
  slow: Array.from({ length: 10 }, (_, step) => 20 + 20 * step),
  fraction: Array.from({ length: 10 }, (_, step) => (9 + 10 * step) / 100),
} as const;
const TRIALS = 1_000;

const COMPUTE_BARS = 1_000;
const COMPUTE_TRIALS = 50;
/** Number of trials per core for measuring calls separately. A call takes the same time in all trials. */
const CALL_TRIALS = 4;

/** Measures a complete `sandtable sweep`. */
function sweepUsage(
  folder: string,
  strategy: string,
  data: string,
  params: readonly string[],
  jobs: number,
): Usage {
  const words = ['sweep', strategyFile(strategy), '--data', data, ...TERMS, '--jobs', String(jobs)];
  const named = params.flatMap((param) => ['--param', param]);
  return measured(folder, [...words, ...named, '--out', join(folder, 'sweeps')]);
}

function ruleSweeps(folder: string): Figure[] {
  const data = join(folder, 'bars.csv');
  writeCsv(data, simulateMarket({ seed: 4, bars: BARS }));
  const params = Object.entries(GRID).map(([name, values]) => `${name}=${values.join(',')}`);
  const [alone, both]: [Usage[], Usage[]] = [[], []];
  // Alternates both measurements, because the speed of the machine changes over time.
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(sweepUsage(folder, 'sma-cross', data, params, 1));
    both.push(sweepUsage(folder, 'sma-cross', data, params, CORES));
  }
  const seconds = median(both.map((one) => one.seconds));
  const figures: Figure[] = [
    {
      name: `sweep of ${TRIALS} trials × ${BARS} bars, SMA cross, ${CORES} workers, whole process`,
      value: seconds,
      unit: 's',
      reach: '≤ 2.5',
    },
    {
      name: `… ${CORES} workers against 1, median of ${ROUNDS}`,
      value: median(alone.map((one, round) => one.seconds / both[round]!.seconds)),
      unit: '×',
      reach: '≥ 1.8',
    },
    ...[alone, both].map(
      (used, at): Figure => ({
        name: `… processor time per trial with ${at === 0 ? 'one worker' : 'two workers'}, start-up included`,
        value: (median(used.map((one) => one.cpuSeconds)) * 1000) / TRIALS,
        unit: 'ms',
        reach: '≤ 2.5',
      }),
    ),
    {
      name: '… efficiency with two workers: share of their time in which they ran trials',
      value: median(both.map(({ output }) => (JSON.parse(output) as { efficiency: number }).efficiency)),
      unit: '',
    },
  ];
  const other = optimizeInPython(data, GRID, CORES);
  if (other === undefined) {
    process.stderr.write('No Python here has pandas (Debian: python3-pandas): no sweep to compare with.\n');
    return figures;
  }
  return [
    ...figures,
    { name: `the same grid by ${other.name}, ${CORES} processes`, value: other.seconds, unit: 's' },
    {
      name: '… how many times as fast the sweep is here',
      value: other.seconds / seconds,
      unit: '×',
      // The target applies only to backtesting.py. A simple loop does only a fraction of the work per trial.
      ...(other.name === 'backtesting.py' ? { reach: '≥ 20' } : {}),
    },
  ];
}

/**
 * Returns the mean duration of the strategy's `compute` call in milliseconds, with one busy Python per core.
 */
async function callsAlone(): Promise<number> {
  const runtime = await provisionRuntime();
  const market = simulateMarket({ seed: 4, bars: COMPUTE_BARS });
  const code = `
fast, slow = df.close.tail(20).mean(), df.close.tail(100).mean()
result = 'wait' if len(df) < 100 else 'above' if fast > slow else 'below'
`;
  let [calls, milliseconds] = [0, 0];
  const atWork = async (): Promise<void> => {
    const sandbox = new Sandbox({ runtime, spares: 0, reusable: true });
    for (let trial = 0; trial <= CALL_TRIALS; trial++) {
      const toolkit = createToolkit({ sandbox });
      const decide = async (turn: Parameters<typeof toolkit.call>[2]): Promise<void> => {
        const startedAt = performance.now();
        await toolkit.call('compute', { code }, turn);
        // The first trial is a warm-up.
        if (trial === 0) return;
        milliseconds += performance.now() - startedAt;
        calls += 1;
      };
      const { outcome, error } = await runBacktest({ market, decider: { decide } });
      if (outcome !== 'completed') throw error;
      await sandbox.reset();
    }
    await sandbox.close();
  };
  await Promise.all(Array.from({ length: CORES }, atWork));
  return milliseconds / calls;
}

/** Returns the milliseconds from starting a trial to its first decision, with Python already started. */
async function startOfTrial(): Promise<number> {
  const world = await openTrialWorld(
    {
      strategy: strategyFile('compute-sma-cross'),
      options: {},
      settings: {},
      market: simulateMarket({ seed: 4, bars: 40 }),
    },
    context,
  );
  const times: number[] = [];
  for (let trial = 0; trial < 30; trial++) {
    const askedAt = performance.now();
    let startedAt: number | undefined;
    await evaluateTrial(world, {
      parameters: { fast: 2 + trial },
      deciding: () => {
        startedAt ??= performance.now();
      },
    });
    if (trial > 0) times.push(startedAt! - askedAt);
  }
  await world.close();
  return median(times);
}

async function computeSweeps(folder: string): Promise<Figure[]> {
  const data = join(folder, 'bars.csv');
  writeCsv(data, simulateMarket({ seed: 4, bars: COMPUTE_BARS }));
  const [calls, sweeps]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round++) {
    calls.push(((await callsAlone()) * COMPUTE_BARS * COMPUTE_TRIALS) / CORES / 1000);
    const params = ['fast=16:20:1', 'slow=100:145:5'];
    sweeps.push(sweepUsage(folder, 'compute-sma-cross', data, params, CORES).seconds);
  }
  return [
    {
      name: `sweep of ${COMPUTE_TRIALS} trials × ${COMPUTE_BARS} bars, a compute a bar, ${CORES} workers, whole process`,
      value: median(sweeps),
      unit: 's',
    },
    { name: '… the calls alone, as many at once', value: median(calls), unit: 's' },
    {
      name: '… the sweep as a multiple of them',
      value: median(sweeps.map((seconds, round) => seconds / calls[round]!)),
      unit: '×',
      reach: '≤ 1.3',
    },
    { name: 'start of a trial in a warm Python', value: await startOfTrial(), unit: 'ms', reach: '≤ 50' },
  ];
}

export const sweepBenchmarks: Readonly<Record<string, Benchmark>> = {
  sweep: () => inFolder(ruleSweeps),
  sweepCompute: () => inFolder(computeSweeps),
};
