import { benchmarkFault, type MetricsOptions } from '../analysis/index.ts';
import { AppError, messageOf, nearest } from '../kernel/index.ts';
import { loadMarket } from '../market/index.ts';
import type { FileObserver } from './load-world.ts';

/** Benchmark of a flag: one of the run's symbols, or the closes of a file with one symbol. */
export type NamedBenchmark =
  | { readonly symbol: string }
  | {
      readonly series: Exclude<MetricsOptions['benchmark'], string | undefined>;
      readonly sha256: string | null;
    };

/**
 * Finds the benchmark that a flag names.
 *
 * @param symbols symbols of the run
 * @param times times of the run's bars. A file that covers fewer than two of them is an error
 * @param observer receives the warnings of the file
 * @throws AppError `bad_benchmark`
 */
export async function findBenchmark(
  name: string | undefined,
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
      hint: hint ?? 'Name one of the run’s symbols, or a data file of one symbol such as data/spx-daily.csv.',
      cause,
    });
  if (!/[./\\]/.test(name)) {
    const meant = nearest(name, symbols);
    throw bad(
      `${symbols.slice(0, 5).join(', ')} ${symbols.length === 1 ? 'is the run’s symbol' : 'are among the run’s symbols'}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    );
  }
  const {
    market,
    sources,
    notes = [],
  } = await loadMarket({ paths: [name], noVolume: true }).catch((cause: unknown) => {
    throw bad(messageOf(cause).replace(/\.$/, ''), cause);
  });
  const [series] = market.series;
  if (series === undefined || market.series.length > 1)
    throw bad(`it holds ${market.series.length} symbols, and a benchmark is one`);
  for (const note of notes) observer.warn(note);
  const benchmark = { name: series.symbol, times: series.time, closes: series.close, opens: series.open };
  const fault = times.length === 0 ? undefined : benchmarkFault(benchmark, times);
  if (fault !== undefined)
    throw bad(fault, undefined, 'Name data that cover the run, or choose other bars with --from and --to.');
  return { series: benchmark, sha256: sources[0]?.sha256 ?? null };
}
