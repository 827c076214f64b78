import { AppError, messageOf, nearest } from '../../kernel/index.ts';
import { loadMarket } from '../../market/index.ts';
import { benchmarkFault, type MetricsOptions } from '../../results/analysis/index.ts';
import type { FileObserver } from './load-world.ts';

/** Benchmark of a flag: one of the run's symbols, or the closes of a file with one symbol. */
export type NamedBenchmark =
  | { readonly symbol: string }
  | {
      readonly series: Exclude<MetricsOptions['benchmark'], string | undefined>;
      readonly sha256: string | null;
    };

export interface BenchmarkOptions {
  readonly benchmark?: string | undefined;
  readonly maxUnpacked?: number | undefined;
}

/**
 * Finds the benchmark that a flag names.
 *
 * @param options flag with the benchmark, and the limit for the unpacked size of its file in MB
 * @param symbols symbols of the run
 * @param times times of the run's bars. A file that covers fewer than two of them is an error
 * @param observer receives the warnings of the file
 * @throws AppError `bad_benchmark`
 */
export async function findBenchmark(
  { benchmark: name, maxUnpacked: unpackedLimit }: BenchmarkOptions,
  symbols: readonly string[],
  times: ArrayLike<number>,
  observer: FileObserver,
): Promise<NamedBenchmark | undefined> {
  if (name === undefined) return undefined;
  if (symbols.includes(name)) return { symbol: name };
  const bad = (problem: string, cause?: unknown, hint?: string): AppError =>
    new AppError({
      code: 'bad_benchmark',
      message: `--benchmark ${name}: ${problem}${problem.endsWith('?') ? '' : '.'}`,
      hint:
        hint ?? 'Pass a symbol of the run, or a data file with one symbol, for example data/spx-daily.csv.',
      cause,
    });
  if (!/[./\\]/.test(name)) {
    const meant = nearest(name, symbols);
    throw bad(
      `${symbols.slice(0, 5).join(', ')} ${symbols.length === 1 ? 'is the symbol of the run' : 'are symbols of the run'}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    );
  }
  const {
    market,
    sources,
    notes = [],
  } = await loadMarket({ paths: [name], noVolume: true, unpackedLimit }).catch((cause: unknown) => {
    throw bad(messageOf(cause).replace(/\.$/, ''), cause);
  });
  const [series] = market.series;
  if (series === undefined || market.series.length > 1)
    throw bad(`a benchmark must have one symbol, and this file has ${market.series.length}`);
  for (const note of notes) observer.warn(note);
  const benchmark = { name: series.symbol, times: series.time, closes: series.close, opens: series.open };
  const fault = times.length === 0 ? undefined : benchmarkFault(benchmark, times);
  if (fault !== undefined)
    throw bad(
      fault,
      undefined,
      'Use data that cover the period of the run, or change the period with --from and --to.',
    );
  return { series: benchmark, sha256: sources[0]?.sha256 ?? null };
}
