import { join } from 'node:path';
import { z } from 'zod';
import { formatInstant, parseInstant } from '../../kernel/index.ts';
import type { BenchmarkSeries, MetricsOptions } from '../analysis/index.ts';
import { readJson, writeWhole } from './files.ts';

/**
 * File in the run's folder with a copy of the benchmark's closes. Figures use the copy, because the original
 * file may change.
 */
const BENCHMARK_FILE = 'benchmark.json';

const benchmarkSchema = z.strictObject({
  name: z.string(),
  held: z.boolean().optional(),
  /** SHA-256 of the file from which the closes were read. `null` if they were not read from a file. */
  sha256: z.string().nullable(),
  /** Date and close of each bar, and its open if known. */
  closes: z
    .array(z.union([z.tuple([z.string(), z.number()]), z.tuple([z.string(), z.number(), z.number()])]))
    .min(1),
});

const flagsSchema = z.object({
  flags: z.object({
    periodsPerYear: z.number().positive().optional(),
    riskFree: z.number().optional(),
    minimumReturn: z.number().optional(),
    benchmark: z.string().optional(),
  }),
});

/**
 * Returns the options for computing a run's figures, from the flags with which the run was started. Empty if
 * the folder does not contain the flags.
 *
 * @param folder folder of the run
 */
export function reportOptionsOf(folder: string): MetricsOptions {
  const inputs = flagsSchema.safeParse(readJson(join(folder, 'inputs.json')));
  if (!inputs.success) return {};
  const { periodsPerYear, riskFree, minimumReturn, benchmark: named } = inputs.data.flags;
  // The file can also exist without the flag `--benchmark`: it is written if buy-and-hold needs data that the
  // journal does not contain.
  const benchmark = readBenchmark(folder) ?? named;
  return {
    ...(periodsPerYear === undefined ? {} : { periodsPerYear }),
    ...(riskFree === undefined ? {} : { riskFreeRate: riskFree }),
    ...(minimumReturn === undefined ? {} : { minimumAcceptableReturn: minimumReturn }),
    ...(benchmark === undefined ? {} : { benchmark }),
  };
}

/**
 * Writes the benchmark's closes into a run's folder.
 *
 * @throws AppError `run_folder_unwritable`
 */
export function writeBenchmark(folder: string, series: BenchmarkSeries, sha256: string | null): void {
  const closes = Array.from(series.times, (time, index) => [
    formatInstant(time),
    series.closes[index],
    ...(series.opens === undefined ? [] : [series.opens[index]]),
  ]);
  // The file has one line per bar, like the tables of the run.
  const lines = closes.map((close) => JSON.stringify(close)).join(',\n');
  const held = series.held === true ? ',"held":true' : '';
  const head = `"name":${JSON.stringify(series.name)}${held},"sha256":${JSON.stringify(sha256)}`;
  writeWhole(join(folder, BENCHMARK_FILE), `{${head},"closes":[\n${lines}\n]}\n`);
}

function readBenchmark(folder: string): BenchmarkSeries | undefined {
  const read = benchmarkSchema.safeParse(readJson(join(folder, BENCHMARK_FILE)));
  if (!read.success) return undefined;
  const { name, closes, held = false } = read.data;
  return {
    name,
    held,
    times: closes.map(([date]) => parseInstant(date) ?? Number.NaN),
    closes: closes.map(([, close]) => close),
    ...(closes.every((bar) => bar.length === 3) ? { opens: closes.map((bar) => bar[2] ?? Number.NaN) } : {}),
  };
}
