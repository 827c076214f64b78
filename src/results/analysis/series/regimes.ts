import { mean, medianOf, quantileOf, standardDeviation, type Undefined, undefinedBecause } from './ratios.ts';

/** Sessions of one market regime, with the returns of the run and its benchmark. */
export interface Regime {
  readonly name: string;
  readonly sessions: number;
  /** Number of the regime's sessions divided by the number of all sessions that have a regime. */
  readonly share: number;
  /**
   * Mean session return of the run, annualised by multiplication, not compounded. `benchmark` is the same for
   * the benchmark.
   */
  readonly own: number;
  readonly benchmark: number;
  /** Annualised Sharpe ratio of the run. `null` if the session returns do not vary. */
  readonly sharpe: number | null;
  readonly worst: number;
}

/** Number of closes whose mean determines the trend. */
const TREND_SESSIONS = 200;
/** Number of sessions whose standard deviation of returns determines the volatility. */
const VOLATILITY_SESSIONS = 20;
const FEWEST = 60;

/** Explanation of the regimes that a report shows with its table of regimes. */
export const REGIME_CONVENTION = `trend: the benchmark at the close before above or below its mean of ${TREND_SESSIONS} sessions; volatility: its last ${VOLATILITY_SESSIONS} session returns spread more or less than they usually do (median)`;

/**
 * Returns figures of a run in rising and falling, calm and volatile markets. The regime of a session depends
 * only on earlier sessions. Sessions without `TREND_SESSIONS` earlier returns of the benchmark have no regime.
 *
 * @param returns session returns of the run
 * @param benchmark benchmark returns of the same sessions, which determine the regime of each session
 * @param within indices of the first and the last return to evaluate. Earlier returns are only used to
 *   determine the regime
 */
export function regimesOf(
  returns: Float64Array | Undefined,
  benchmark: Float64Array | undefined,
  periodsPerYear: number,
  within: { readonly from: number; readonly to: number } = { from: 0, to: Number.POSITIVE_INFINITY },
): Regime[] | Undefined {
  if ('reason' in returns) return returns;
  if (benchmark === undefined) return undefinedBecause('there is no benchmark, which defines the regimes');
  const known = benchmark.reduce((count, value) => (Number.isNaN(value) ? count : count + 1), 0);
  if (known < TREND_SESSIONS + FEWEST)
    return undefinedBecause(
      `${known} session returns are too few: ${TREND_SESSIONS} go before the first of them`,
    );
  const trends = trendsOf(benchmark);
  const spreads = spreadsOf(benchmark);
  const usual = medianOf(spreads.filter((value) => !Number.isNaN(value)));
  const kinds = new Map<string, number[]>(
    ['rising, calm', 'rising, restless', 'falling, calm', 'falling, restless'].map((name) => [name, []]),
  );
  const last = Math.min(within.to, returns.length - 1);
  for (let session = Math.max(TREND_SESSIONS, within.from); session <= last; session++) {
    if (Number.isNaN(trends[session]!) || Number.isNaN(benchmark[session]!)) continue;
    const name = `${trends[session]! > 0 ? 'rising' : 'falling'}, ${spreads[session]! > usual ? 'restless' : 'calm'}`;
    kinds.get(name)!.push(session);
  }
  const all = [...kinds.values()].reduce((sum, sessions) => sum + sessions.length, 0);
  return [...kinds]
    .filter(([, sessions]) => sessions.length > 1)
    .map(([name, sessions]) => regime(name, sessions, all, returns, benchmark, periodsPerYear));
}

function regime(
  name: string,
  sessions: readonly number[],
  all: number,
  returns: Float64Array,
  benchmark: Float64Array,
  periodsPerYear: number,
): Regime {
  const own = Float64Array.from(sessions, (session) => returns[session]!);
  const held = Float64Array.from(sessions, (session) => benchmark[session]!);
  const deviation = standardDeviation(own);
  return {
    name,
    sessions: sessions.length,
    share: sessions.length / all,
    own: mean(own) * periodsPerYear,
    benchmark: mean(held) * periodsPerYear,
    sharpe: deviation > 1e-12 ? (mean(own) / deviation) * Math.sqrt(periodsPerYear) : null,
    worst: quantileOf(own.slice().sort(), 0),
  };
}

/**
 * Returns the trend of each session: the relative distance of the previous close from the mean of the last
 * `TREND_SESSIONS` closes, including the previous close. NaN if the benchmark has fewer than `TREND_SESSIONS`
 * consecutive returns before the session.
 */
function trendsOf(benchmark: Float64Array): Float64Array {
  const worth = new Float64Array(benchmark.length + 1).fill(1);
  const missingBefore = new Int32Array(benchmark.length + 1);
  for (let at = 0; at < benchmark.length; at++) {
    const isMissing = Number.isNaN(benchmark[at]!);
    worth[at + 1] = worth[at]! * (1 + (isMissing ? 0 : benchmark[at]!));
    missingBefore[at + 1] = missingBefore[at]! + Number(isMissing);
  }
  const upTo = new Float64Array(worth.length + 1);
  for (let at = 0; at < worth.length; at++) upTo[at + 1] = upTo[at]! + worth[at]!;
  return benchmark.map((_, session) =>
    session < TREND_SESSIONS || missingBefore[session]! > missingBefore[session - TREND_SESSIONS]!
      ? Number.NaN
      : worth[session]! / ((upTo[session + 1]! - upTo[session - TREND_SESSIONS + 1]!) / TREND_SESSIONS) - 1,
  );
}

function spreadsOf(benchmark: Float64Array): Float64Array {
  return benchmark.map((_, session) =>
    session < VOLATILITY_SESSIONS
      ? Number.NaN
      : standardDeviation(benchmark.subarray(session - VOLATILITY_SESSIONS, session)),
  );
}
