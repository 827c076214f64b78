import { type RunSettings, runBacktest } from '../engine/index.ts';
import { AppError, type Decimal, decimal, messageOf, nearest } from '../kernel/index.ts';
import { type CorporateAction, loadMarket } from '../market/index.ts';
import { benchmarkFault, type MetricsOptions } from '../results/analysis/index.ts';
import type { FileObserver, WorldFiles } from './inputs/load-world.ts';

/**
 * Benchmark that the option `benchmark` names: one of the run's symbols, or the closes of a file with one
 * symbol.
 */
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
 * Returns the benchmark that the option `benchmark` names.
 *
 * @param options option `benchmark`, and the limit for the unpacked size of its file in MB
 * @param symbols symbols of the run
 * @param times times of the run's bars. A file that covers fewer than two of these times is an error
 * @param observer receives warnings about the file
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

/**
 * Smallest quantity that the benchmark can buy. Small enough to divide the cash equally among the symbols.
 */
const LOT = 1e-9;

/** Name of the benchmark buy-and-hold on all data of a run. */
const OWN_DATA = 'the same data';

/**
 * Returns the benchmark of a new run: the one that a flag names, or else buying and holding all data of the
 * run. With dividends, rolls, funding or exchange rates, a separate backtest of buy-and-hold is made. The
 * run's journal is not sufficient, because it contains these amounts only for the positions of the run.
 *
 * @throws AppError `bad_benchmark`
 */
export async function benchmarkOfRun(
  options: BenchmarkOptions,
  world: WorldFiles,
  settings: RunSettings,
  observer: FileObserver,
): Promise<NamedBenchmark | undefined> {
  const named = await findBenchmark(options, world.market.symbols, world.market.clock, observer);
  if (named !== undefined && 'series' in named) return named;
  const chosen = named === undefined ? world.market.symbols : [named.symbol];
  const { currency = 'USD', instruments } = settings;
  const foreign = chosen.some((symbol) => (instruments[symbol]?.currency ?? currency) !== currency);
  const isPaid = (kind: CorporateAction['kind']): boolean => ['dividend', 'roll', 'funding'].includes(kind);
  const paid = world.actions.some(({ kind, symbol }) => isPaid(kind) && chosen.includes(symbol));
  if (!foreign && !paid) return named;
  const closes = await buyAndHoldEquity(chosen, world, settings);
  const series = { name: named?.symbol ?? OWN_DATA, times: world.market.clock, closes, held: true };
  return { series, sha256: null };
}

/**
 * Returns the equity at each bar if equal amounts of all symbols are bought, each as early as possible.
 * Dividends remain in cash.
 */
async function buyAndHoldEquity(
  chosen: readonly string[],
  { market, actions, rates }: WorldFiles,
  { cash, currency, currencies, instruments, evaluateFrom, mark, barTimes }: RunSettings,
): Promise<Float64Array> {
  const part: Decimal = decimal(cash).dividedBy(chosen.length).toDecimalPlaces(8, 1);
  const waiting = new Set(chosen);
  const { equity, error } = await runBacktest({
    market,
    actions,
    rates,
    settings: {
      cash,
      ...(currency === undefined ? {} : { currency }),
      currencies,
      instruments: Object.fromEntries(
        Object.entries(instruments).flatMap(([symbol, own]) =>
          own.currency === undefined ? [] : [[symbol, { currency: own.currency }] as const],
        ),
      ),
      lot: LOT,
      barTimes,
      ...(mark === undefined ? {} : { mark }),
      // With an evaluation date, the benchmark buys at the first open at which an order of the run could
      // fill. Otherwise it buys at the first close.
      ...(evaluateFrom === undefined ? { fillOn: 'close' } : { evaluateFrom }),
    },
    decider: {
      decide(turn) {
        for (const symbol of waiting) {
          if (turn.windowOf(symbol).time.last !== turn.time) continue;
          turn.orders.submit({ action: 'buy', symbol, notional: part });
          waiting.delete(symbol);
        }
      },
    },
  });
  if (error !== undefined) throw error;
  return equity;
}
