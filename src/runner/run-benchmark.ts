import { type RunSettings, runBacktest } from '../engine/index.ts';
import { type Decimal, decimal } from '../kernel/index.ts';
import type { CorporateAction } from '../market/index.ts';
import { type BenchmarkOptions, findBenchmark, type NamedBenchmark } from './inputs/find-benchmark.ts';
import type { FileObserver, WorldFiles } from './inputs/load-world.ts';

/** Small enough to split the cash into equal parts. */
const LOT = 1e-9;

/** Name of the benchmark that consists of all data of a run. */
const OWN_DATA = 'the same data';

/**
 * Returns the benchmark of a new run: the one that a flag names, or its own data. If dividends, rolls,
 * funding or exchange rates matter, the engine runs buy-and-hold, because a journal contains them only for
 * the run's positions.
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

/** Equity at each bar of buying equal parts at each symbol's first close. Dividends stay in cash. */
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
      // Bought at the open at which the run's first decision can buy.
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
