/**
 * Measures the figures in docs/benchmarks.md: `npm run bench -- --json`. With names of benchmarks, runs only
 * these. Every figure is a median of several runs on this machine.
 */
import { cpus, totalmem } from 'node:os';
import { catalogBenchmarks } from './catalog.ts';
import { clusterBenchmarks } from './cluster.ts';
import { computeBenchmarks } from './compute.ts';
import { tokenBenchmarks } from './decision-tokens.ts';
import { documentBenchmarks } from './documents.ts';
import type { Benchmark, Figure } from './figure.ts';
import { fileBenchmarks } from './files.ts';
import { isolationBenchmarks } from './isolation.ts';
import { listBenchmarks } from './list.ts';
import { llmBenchmarks } from './llm.ts';
import { longRunBenchmarks } from './long-runs.ts';
import { orderBenchmarks } from './orders.ts';
import { processBenchmarks } from './process.ts';
import { proverBenchmarks } from './prover.ts';
import { pythonStrategyBenchmarks } from './python-strategies.ts';
import { raceBenchmarks } from './race.ts';
import { replBenchmarks } from './repl.ts';
import { reportBenchmarks } from './reports.ts';
import { ruleBenchmarks } from './rules.ts';
import { sealBenchmarks } from './seal.ts';
import { stressBenchmarks } from './stress.ts';
import { sweepBenchmarks } from './sweep.ts';
import { taBenchmarks } from './ta.ts';
import { toolBenchmarks } from './tools.ts';
import { traceBenchmarks } from './trace-page.ts';

const ALL: Readonly<Record<string, Benchmark>> = {
  ...ruleBenchmarks,
  ...orderBenchmarks,
  ...computeBenchmarks,
  ...isolationBenchmarks,
  ...proverBenchmarks,
  ...taBenchmarks,
  ...llmBenchmarks,
  ...tokenBenchmarks,
  ...toolBenchmarks,
  ...catalogBenchmarks,
  ...documentBenchmarks,
  ...fileBenchmarks,
  ...replBenchmarks,
  ...reportBenchmarks,
  ...traceBenchmarks,
  ...listBenchmarks,
  ...processBenchmarks,
  ...longRunBenchmarks,
  ...sealBenchmarks,
  ...pythonStrategyBenchmarks,
  ...stressBenchmarks,
  ...sweepBenchmarks,
  ...clusterBenchmarks,
};
/** Benchmarks that run only by name, because they repeat others or take many minutes. */
const BY_NAME: Readonly<Record<string, Benchmark>> = raceBenchmarks;

const words = process.argv.slice(2);
const asJson = words.includes('--json');
const wanted = words.filter((word) => !word.startsWith('--'));
const known = { ...ALL, ...BY_NAME };
const unknown = wanted.filter((name) => !(name in known));
if (unknown.length > 0) {
  process.stderr.write(`No benchmark ${unknown.join(', ')}. There are: ${Object.keys(known).join(', ')}.\n`);
  process.exit(2);
}

const figures: Figure[] = [];
for (const [name, benchmark] of Object.entries(wanted.length > 0 ? known : ALL)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  figures.push(...(await benchmark()));
}

if (asJson) {
  const machine = {
    node: process.versions.node,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 1e9),
  };
  process.stdout.write(`${JSON.stringify({ machine, figures }, null, 2)}\n`);
} else {
  for (const { name, value, unit, reach, detail } of figures) {
    if (detail) continue;
    const target = reach === undefined ? '' : `   (reach ${reach})`;
    process.stdout.write(`${name.padEnd(58)} ${format(value).padStart(12)} ${unit}${target}\n`);
  }
}

function format(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 4 });
}
