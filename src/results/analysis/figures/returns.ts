import { DAY } from '../../../kernel/index.ts';
import { regression } from '../benchmark/benchmark.ts';
import { returnsByMonth, type YearOfReturns } from '../series/calendar.ts';
import { roundingOf, sharpeRatio, sortinoRatio, TOO_FEW, volatility } from '../series/ratios.ts';
import type { EquityColumns } from './equity.ts';
import { mean, NO_BARS, standardDeviation, type Undefined, undefinedBecause } from './figures.ts';
import { DAYS_PER_YEAR, type Sessions } from './sessions.ts';

export type { YearOfReturns };
export { roundingOf, sharpeRatio, sortinoRatio, TOO_FEW, volatility };

/** Returns the days from the first bar to the last, including the fraction of a day. 0 without bars. */
export function calendarDays(times: Float64Array): number {
  return times.length === 0 ? 0 : (times.at(-1)! - times[0]!) / DAY;
}

export function totalReturn({ equity, initialCash }: EquityColumns): number | Undefined {
  return equity.length === 0 ? NO_BARS : equity.at(-1)! / initialCash.toNumber() - 1;
}

export function compoundAnnualGrowth({ equity, initialCash, times }: EquityColumns): number | Undefined {
  if (equity.length === 0) return NO_BARS;
  const days = calendarDays(times);
  if (days === 0) return undefinedBecause('the run covers a single instant');
  if (equity.at(-1)! <= 0) return undefinedBecause('the final equity is not positive');
  return (equity.at(-1)! / initialCash.toNumber()) ** (DAYS_PER_YEAR / days) - 1;
}

/**
 * Simple returns from the last equity of one session to the last equity of the next. The return of the first
 * session is omitted if the equity before this session is unknown.
 */
export function sessionReturns(sessions: Sessions): Float64Array | Undefined {
  const found = returnsFound.get(sessions);
  if (found !== undefined) return found;
  const returns = returnsOf(sessions);
  returnsFound.set(sessions, returns);
  return returns;
}

const returnsFound = new WeakMap<Sessions, Float64Array | Undefined>();

function returnsOf(sessions: Sessions): Float64Array | Undefined {
  const { start, equity, dates } = sessions;
  const skipped = start === undefined ? 1 : 0;
  const returns = new Float64Array(Math.max(equity.length - skipped, 0));
  // No return starts from the last session. The check still includes the last session, because a run that
  // ends with equity at or below zero has no Sharpe ratio.
  for (let index = 0; index < equity.length; index++)
    if (equity[index]! <= 0) return undefinedBecause(`equity was not positive on ${dates[index]}`);
  let before = start ?? equity[0]!;
  for (let index = 0; index < returns.length; index++) {
    const value = equity[index + skipped]!;
    returns[index] = value / before - 1;
    before = value;
  }
  return returns;
}

/** Returns the date of the session at which each return ends. */
export function returnDates({ start, dates }: Sessions): readonly string[] {
  return start === undefined ? dates.slice(1) : dates;
}

export function calmarRatio(growth: number | Undefined, maxDrawdown: number | Undefined): number | Undefined {
  if (typeof growth !== 'number') return growth;
  if (typeof maxDrawdown !== 'number') return maxDrawdown;
  return maxDrawdown === 0 ? undefinedBecause('there was no drawdown') : growth / Math.abs(maxDrawdown);
}

/**
 * Computes the returns of a run by calendar month and year (UTC). A return is the change from the last equity
 * of one period to the last equity of the next.
 *
 * The return of the first period starts from the initial cash, so that the months compound to the total
 * return.
 */
export function calendarReturns({ times, equity, initialCash, barTimes }: EquityColumns): YearOfReturns[] {
  // A bar that ends exactly when a month begins belongs to the previous month.
  const ends = barTimes === 'end' ? times.map((time) => time - 1) : times;
  return returnsByMonth(ends, equity, initialCash.toNumber());
}

/**
 * Rolling figures with one element per session return. Each element covers the last `window` returns,
 * including the return of its session. NaN if there are too few returns.
 */
export interface RollingFigures {
  /** Number of session returns in each window. */
  readonly window: number;
  readonly sharpe: Float64Array;
  readonly volatility: Float64Array;
  /** Rolling beta against the benchmark. All elements are NaN without a benchmark. */
  readonly beta: Float64Array;
}

const SHORTEST_WINDOW = 20;

/** Number of session returns in half a year, but at least `SHORTEST_WINDOW`. */
export function rollingWindow(periodsPerYear: number): number {
  return Math.max(SHORTEST_WINDOW, Math.round(periodsPerYear / 2));
}

/**
 * Rolling Sharpe ratio, volatility and beta over half a year of sessions.
 *
 * @param returns simple session returns of the run
 * @param benchmark benchmark returns of the same sessions as `returns`. `undefined` without a benchmark
 * @param riskFree risk-free rate per session
 */
export function rollingFigures(
  returns: Float64Array,
  benchmark: Float64Array | undefined,
  periodsPerYear: number,
  riskFree = 0,
): RollingFigures {
  const window = rollingWindow(periodsPerYear);
  const empty = (): Float64Array => new Float64Array(returns.length).fill(Number.NaN);
  const figures = { window, sharpe: empty(), volatility: empty(), beta: empty() };
  const yearly = Math.sqrt(periodsPerYear);
  for (let end = window; end <= returns.length; end++) {
    const own = returns.subarray(end - window, end);
    const deviation = standardDeviation(own);
    figures.volatility[end - 1] = deviation * yearly;
    if (deviation > roundingOf(own)) figures.sharpe[end - 1] = ((mean(own) - riskFree) / deviation) * yearly;
    if (benchmark === undefined) continue;
    const fit = regression(own, benchmark.subarray(end - window, end));
    if ('beta' in fit) figures.beta[end - 1] = fit.beta;
  }
  return figures;
}
