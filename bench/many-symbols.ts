import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import {
  createToolkit,
  loadMarket,
  type Market,
  provisionRuntime,
  ruleDecider,
  runBacktest,
  Sandbox,
  simulateMarket,
} from 'sandtable';
import rotation from '../strategies/rotation.ts';
import { atLastBar } from './compute.ts';
import { type Benchmark, type Figure, median, medianTime } from './figure.ts';
import { inFolder, measured, writeCsv } from './long-runs.ts';

const SYMBOLS = 500;
const YEARS = 10;
const MINUTE_BARS = 3_000_000;
const BIN = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url));
const STRATEGY = fileURLToPath(new URL('../strategies/sma-cross.ts', import.meta.url));
/** Milliseconds from the start of a run to the signal. The data is being read then. */
const SIGNAL_AFTER = 3_000;

async function parquetOf(folder: string, market: Market): Promise<string> {
  const file = join(folder, 'bars.csv');
  writeCsv(file, market, true);
  const parquet = join(folder, 'bars.parquet');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`COPY (SELECT * FROM read_csv('${file}')) TO '${parquet}' (FORMAT parquet)`);
  connection.closeSync();
  return parquet;
}

/** Returns the milliseconds of a `compute` call that reads one column of all symbols. */
async function frameTime(market: Market): Promise<number> {
  const sandbox = new Sandbox({ runtime: await provisionRuntime(), spares: 0 });
  const toolkit = createToolkit({ sandbox });
  const times: number[] = [];
  await atLastBar(market, async (turn) => {
    for (let call = 0; call < 60; call++) {
      const startedAt = performance.now();
      const code = "float(frame('close').iloc[-1].sum())";
      const answer = (await toolkit.call('compute', { code }, turn)) as { error?: string };
      if (answer.error !== undefined) throw new Error(answer.error);
      if (call >= 10) times.push(performance.now() - startedAt);
    }
  });
  await sandbox.close();
  return median(times);
}

/** Returns the seconds from SIGINT to the end of a run that is at work. */
async function secondsToEnd(data: string, out: string): Promise<number> {
  mkdirSync(out);
  const words = ['run', STRATEGY, '--data', data, '--param', 'fast=11', '--param', 'slow=22', '--out', out];
  const run = spawn(process.execPath, [BIN, ...words, '--quiet'], { stdio: 'ignore' });
  await new Promise((resolve) => setTimeout(resolve, SIGNAL_AFTER));
  // The run folder is created after the data has been read. Bars are then being processed.
  while (readdirSync(out).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const startedAt = performance.now();
  const ended = once(run, 'exit');
  run.kill('SIGINT');
  await ended;
  return (performance.now() - startedAt) / 1000;
}

export const manySymbolBenchmarks: Readonly<Record<string, Benchmark>> = {
  manySymbols: () =>
    inFolder(async (folder): Promise<Figure[]> => {
      const symbols = Array.from({ length: SYMBOLS }, (_, index) => `S${String(index + 1).padStart(3, '0')}`);
      const simulated = simulateMarket({ seed: 5, bars: YEARS * 261, symbols, correlation: 0.3 });
      const file = await parquetOf(folder, simulated);
      const load = await medianTime(3, () => loadMarket({ paths: [file] }));
      const { market } = await loadMarket({ paths: [file] });
      const run = await medianTime(5, async () => {
        const decider = ruleDecider(rotation, rotation.parameters.parse({ hold: 10 }), undefined);
        const { outcome, error } = await runBacktest({ market, decider, settings: { cash: '10000000' } });
        if (outcome !== 'completed') throw error;
      });
      const name = `${SYMBOLS} symbols × ${YEARS} years daily`;
      return [
        { name: `${name}: load from Parquet`, value: load / 1000, unit: 's', reach: '≤ 2' },
        { name: '… a monthly rotation, in process', value: run / 1000, unit: 's', reach: '≤ 2' },
        { name: "… compute of frame('close')", value: await frameTime(market), unit: 'ms', reach: '≤ 5' },
      ];
    }),

  minuteBars: () =>
    inFolder(async (folder): Promise<Figure[]> => {
      const data = join(folder, 'bars.csv');
      writeCsv(data, simulateMarket({ seed: 4, bars: MINUTE_BARS, interval: '1min' }));
      const check = measured(folder, ['data', 'check', data]);
      const ended = await secondsToEnd(data, join(folder, 'runs'));
      const name = `${MINUTE_BARS.toLocaleString('en-US')} minute bars`;
      return [
        { name: `sandtable data check, ${name}, whole process`, value: check.seconds, unit: 's' },
        { name: '… peak memory', value: check.peakMegabytes, unit: 'MB' },
        { name: `run of ${name}: from a signal to its end`, value: ended, unit: 's', reach: '≤ 2' },
      ];
    }),
};
