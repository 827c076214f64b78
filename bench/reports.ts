import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunEvent, ruleDecider, runBacktest, simulateMarket } from 'sandtable';
import { comparisonPage, reportPage } from '../src/pages/index.ts';
import { compareRuns, readRun } from '../src/results/runs/index.ts';
import smaCross from '../strategies/sma-cross.ts';
import { type Benchmark, type Figure, medianTime } from './figure.ts';
import { pageFluency } from './page-fluency.ts';

interface RunSketch {
  readonly bars: number;
  readonly fast: number;
  readonly slow: number;
  readonly interval?: '1h' | '1min' | '1d';
}

/** Writes a run's journal as `sandtable run` does. Returns the number of closed trades. */
async function writeRun(folder: string, { bars, fast, slow, interval = '1d' }: RunSketch): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const file = openSync(join(folder, 'journal.jsonl'), 'w');
  let pending = '';
  const onEvent = (event: RunEvent): void => {
    pending += `${JSON.stringify(event)}\n`;
    if (pending.length < 1 << 20) return;
    writeSync(file, pending);
    pending = '';
  };
  const market = simulateMarket({ seed: 4, bars, interval });
  onEvent({
    type: 'run_started',
    schema: 1,
    strategy: { name: 'sma-cross', kind: 'rules', parameters: { fast, slow } },
    settings: { cash: '1000000', commissionRate: 0.0002, seed: 0 },
    symbols: market.series.map(({ symbol }) => symbol),
    bars,
    data: null,
    sealed: true,
  });
  const { trades } = await runBacktest({
    market,
    decider: ruleDecider(smaCross, smaCross.parameters.parse({ fast, slow }), undefined),
    settings: { cash: '1000000', commissionRate: 0.0002 },
    emitStart: false,
    onEvent,
  });
  writeSync(file, pending);
  closeSync(file);
  return trades.length;
}

function pageOf(folder: string): string {
  const { runId, record, manifest } = readRun(folder);
  return reportPage({ runId, record, manifest });
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function reportFigures(folder: string): Promise<Figure[]> {
  const trades = await writeRun(folder, { bars: 5_000, fast: 6, slow: 12 });
  const time = await medianTime(7, () => pageOf(folder), 2);
  return [
    {
      name: `report.html of 5,000 bars and ${trades} trades, from the journal`,
      value: time / 1000,
      unit: 's',
      reach: '≤ 1',
    },
    { name: '… its size', value: Buffer.byteLength(pageOf(folder)) / 1e6, unit: 'MB', reach: '≤ 1.5' },
  ];
}

async function longFigures(folder: string): Promise<Figure[]> {
  await writeRun(folder, { bars: 1_000_000, fast: 200, slow: 600, interval: '1min' });
  const time = await medianTime(3, () => pageOf(folder), 0);
  return [
    { name: 'report.html of 1,000,000 bars, from the journal', value: time / 1000, unit: 's', reach: '≤ 3' },
  ];
}

async function comparisonFigures(folder: string): Promise<Figure[]> {
  const folders = Array.from({ length: 50 }, (_, run) => join(folder, `run-${run}`));
  for (const [run, own] of folders.entries()) await writeRun(own, { bars: 2_500, fast: 5 + run, slow: 80 });
  const time = await medianTime(5, () => {
    const stored = folders.map((own) => readRun(own));
    comparisonPage(compareRuns(stored), stored);
  });
  return [
    { name: 'compare of 50 runs of 2,500 bars, with its page', value: time / 1000, unit: 's', reach: '≤ 2' },
  ];
}

/** Measures the size and load time of a page with many bars and trades, and of a page with very many bars. */
async function fluencyFigures(folder: string): Promise<Figure[]> {
  const trades = await writeRun(folder, { bars: 20_000, fast: 1, slow: 2 });
  const page = pageOf(folder);
  const long = join(folder, 'long');
  await writeRun(long, { bars: 100_000, fast: 200, slow: 600, interval: '1min' });
  const size = (html: string): number => Buffer.byteLength(html) / 1e6;
  return [
    {
      name: `report.html of 20,000 bars and ${trades} trades, its size`,
      value: size(page),
      unit: 'MB',
      reach: '≤ 2.5',
    },
    { name: 'report.html of 100,000 bars, its size', value: size(pageOf(long)), unit: 'MB', reach: '≤ 2' },
    ...(await pageFluency(page, `20,000 bars and ${trades} trades`)),
  ];
}

export const reportBenchmarks: Readonly<Record<string, Benchmark>> = {
  reports: () => inFolder(reportFigures),
  longReport: () => inFolder(longFigures),
  compare: () => inFolder(comparisonFigures),
  page: () => inFolder(fluencyFigures),
};
