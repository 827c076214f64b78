import { type Interval, interval, type PairedResamples } from './bootstrap.ts';
import { PATH_FIGURES, type PathFigure, type PathTerms, TAIL } from './ratios.ts';
import type { Resamples } from './resamples.ts';

/**
 * Interval of each figure's difference, first series minus second. `undefined` if the figure is undefined in
 * at least one resample.
 */
export type PathIntervals = Record<PathFigure, Interval | undefined>;

/**
 * Returns the interval of the difference between two series of session returns, for each figure of
 * `PATH_FIGURES`. The intervals are computed by the paired stationary bootstrap.
 *
 * A resample uses the same blocks of both series. The sum over a block is computed as the difference of two
 * running sums. Only the drawdown is computed session by session, because it depends on the order of the
 * sessions.
 *
 * @param second session returns of the second series, for the same sessions
 * @param paired resamples of both series, created by `pairedResamples`
 * @param scale factor by which the second series was scaled. The volatility is compared without this factor
 */
export function pathIntervals(
  first: Float64Array,
  second: Float64Array,
  terms: PathTerms,
  paired: Pick<PairedResamples, 'resamples' | 'tail'>,
  scale = 1,
): PathIntervals {
  return completed(pathIntervalSteps(first, second, terms, paired, scale));
}

/** Result of a computation that is divided into steps. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps without a pause, and returns the result. */
export function completed<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Number of resamples per step: about 10 ms for 20,000 sessions. */
const RESAMPLES_PER_STEP = 20;

/**
 * Computes the intervals of `pathIntervals` in steps, so that a page can draw and respond between two steps.
 */
export function* pathIntervalSteps(
  first: Float64Array,
  second: Float64Array,
  terms: PathTerms,
  { resamples, tail }: Pick<PairedResamples, 'resamples' | 'tail'>,
  scale = 1,
): Steps<PathIntervals> {
  const [own, other] = [prepared(first, terms), prepared(second, terms)];
  const count = resamples.firstBlocks.length - 1;
  const found = PATH_FIGURES.map(() => new Float64Array(count));
  const times = new Int32Array(first.length + 1);
  const [ofOwn, ofOther] = [new Float64Array(PATH_FIGURES.length), new Float64Array(PATH_FIGURES.length)];
  for (let resample = 0; resample < count; resample++) {
    if (resample % RESAMPLES_PER_STEP === 0) yield;
    countSessions(resamples, resample, times);
    fallsOf(own, other, resamples, resample);
    figuresOf(own, resamples, resample, times, terms, ofOwn);
    figuresOf(other, resamples, resample, times, terms, ofOther);
    ofOther[VOLATILITY]! /= scale;
    for (let figure = 0; figure < found.length; figure++)
      found[figure]![resample] = ofOwn[figure]! - ofOther[figure]!;
  }
  const pairs = PATH_FIGURES.map((name, figure) => {
    const values = found[figure]!;
    return [name, values.every(Number.isFinite) ? interval(0, values, tail) : undefined] as const;
  });
  return Object.fromEntries(pairs) as PathIntervals;
}

const VOLATILITY = PATH_FIGURES.indexOf('volatility');

/**
 * Running sums of a series. The sums cover all sessions twice. The sum over a block that continues at the
 * first session is therefore also a difference of two running sums.
 */
interface Prepared {
  readonly sum: Float64Array;
  readonly squares: Float64Array;
  /** Running sum of squared shortfalls below the minimum acceptable return. */
  readonly shortfall: Float64Array;
  /** Running sum of `logs`. `logs` contains log(1 + return) of all sessions, twice. */
  readonly logSum: Float64Array;
  readonly logs: Float64Array;
  readonly returns: Float64Array;
  /**
   * Indices of the sessions with the lowest returns, in rising order of returns. Extended if a resample needs
   * more sessions.
   */
  order: Int32Array;
  /** Deepest drawdown of the current resample in log equity: 0 or less. */
  deepest: number;
}

/**
 * Share of the sessions that are sorted initially. The tail mean uses the lowest 5 % of the returns of a
 * resample, so few resamples need more sorted sessions.
 */
const SORTED_FIRST = 0.18;

function prepared(returns: Float64Array, { acceptable }: PathTerms): Prepared {
  const count = returns.length;
  const logs = new Float64Array(2 * count);
  for (let at = 0; at < count; at++) logs[at] = logs[at + count] = Math.log1p(returns[at]!);
  const sum = new Float64Array(2 * count + 1);
  const squares = new Float64Array(2 * count + 1);
  const shortfall = new Float64Array(2 * count + 1);
  const logSum = new Float64Array(2 * count + 1);
  for (let at = 0; at < 2 * count; at++) {
    const value = returns[at < count ? at : at - count]!;
    sum[at + 1] = sum[at]! + value;
    squares[at + 1] = squares[at]! + value ** 2;
    shortfall[at + 1] = shortfall[at]! + Math.min(value - acceptable, 0) ** 2;
    logSum[at + 1] = logSum[at]! + logs[at]!;
  }
  return {
    sum,
    squares,
    shortfall,
    logSum,
    logs,
    returns,
    order: worstFirst(returns, Math.ceil(SORTED_FIRST * count)),
    deepest: 0,
  };
}

/**
 * Returns at least `least` sessions with the lowest returns, including all sessions that have the same return
 * as the last of them. Sessions with equal returns are sorted by date.
 */
function worstFirst(returns: Float64Array, least: number): Int32Array {
  const count = returns.length;
  const most = Float64Array.from(returns).sort()[Math.min(least, count - 1)]!;
  const found = new Int32Array(count);
  let taken = 0;
  // NaN is sorted last and is included only if all sessions are requested.
  for (let session = 0; session < count; session++)
    if (least >= count || returns[session]! <= most) found[taken++] = session;
  return found.subarray(0, taken).sort((a, b) => returns[a]! - returns[b]!);
}

/** Counts how often a resample contains each session. */
function countSessions(
  { starts, ends, firstBlocks, sessions }: Resamples,
  resample: number,
  times: Int32Array,
): void {
  times.fill(0);
  let whole = 0;
  for (let block = firstBlocks[resample]!; block < firstBlocks[resample + 1]!; block++) {
    const start = starts[block]!;
    const end = ends[block]!;
    whole += Math.floor((end - start) / sessions);
    const last = start + ((end - start) % sessions);
    times[start]! += 1;
    if (last <= sessions) times[last]! -= 1;
    else {
      times[0]! += 1;
      times[last - sessions]! -= 1;
    }
  }
  let running = whole;
  for (let session = 0; session < sessions; session++) {
    running += times[session]!;
    times[session] = running;
  }
}

/**
 * Computes the drawdowns of both series in a resample, session by session. Both series are processed in one
 * loop, so that the CPU can execute their independent additions in parallel.
 */
function fallsOf(
  own: Prepared,
  other: Prepared,
  { starts, ends, firstBlocks }: Resamples,
  resample: number,
): void {
  const first = own.logs;
  const second = other.logs;
  const last = firstBlocks[resample + 1]!;
  let at = 0;
  let peak = 0;
  let deepest = 0;
  let otherAt = 0;
  let otherPeak = 0;
  let otherDeepest = 0;
  for (let block = firstBlocks[resample]!; block < last; block++) {
    const end = ends[block]!;
    for (let session = starts[block]!; session < end; session++) {
      at += first[session]!;
      if (at > peak) peak = at;
      else if (at - peak < deepest) deepest = at - peak;
      otherAt += second[session]!;
      if (otherAt > otherPeak) otherPeak = otherAt;
      else if (otherAt - otherPeak < otherDeepest) otherDeepest = otherAt - otherPeak;
    }
  }
  own.deepest = deepest;
  other.deepest = otherDeepest;
}

/** Computes the figures of a resample, and writes them to `found` in the order of `PATH_FIGURES`. */
function figuresOf(
  series: Prepared,
  { starts, ends, firstBlocks, sessions: count }: Resamples,
  resample: number,
  times: Int32Array,
  { periodsPerYear, years, riskFree, acceptable }: PathTerms,
  found: Float64Array,
): void {
  let sum = 0;
  let squares = 0;
  let shortfall = 0;
  let log = 0;
  const last = firstBlocks[resample + 1]!;
  for (let block = firstBlocks[resample]!; block < last; block++) {
    const start = starts[block]!;
    const end = ends[block]!;
    sum += series.sum[end]! - series.sum[start]!;
    squares += series.squares[end]! - series.squares[start]!;
    shortfall += series.shortfall[end]! - series.shortfall[start]!;
    log += series.logSum[end]! - series.logSum[start]!;
  }
  const mean = sum / count;
  const deviation = Math.sqrt((squares - count * mean * mean) / (count - 1));
  const yearly = Math.sqrt(periodsPerYear);
  found[0] = Math.expm1(log);
  found[1] = Math.expm1(log / years);
  found[2] = deviation * yearly;
  found[3] = ((mean - riskFree) / deviation) * yearly;
  found[4] = ((mean - acceptable) / Math.sqrt(shortfall / count)) * yearly;
  found[5] = Number.isNaN(log) ? Number.NaN : Math.expm1(series.deepest);
  found[6] = tailMean(series, times, count);
}

/**
 * Mean of a resample's returns at or below their 5 % quantile, computed from the number of times that the
 * resample contains each session. The quantile is between two neighbouring sorted values. The mean therefore
 * includes the lower of these two values and all values that are not larger.
 */
function tailMean(series: Prepared, times: Int32Array, count: number): number {
  const { returns } = series;
  const below = Math.floor(TAIL * (count - 1));
  let { order } = series;
  let taken = 0;
  let sum = 0;
  let low = Number.NaN;
  for (let rank = 0; rank < count; rank++) {
    if (rank === order.length) {
      order = worstFirst(returns, count);
      series.order = order;
    }
    const session = order[rank]!;
    const value = returns[session]!;
    if (taken > below && value !== low) break;
    taken += times[session]!;
    sum += times[session]! * value;
    low = value;
  }
  return sum / taken;
}
