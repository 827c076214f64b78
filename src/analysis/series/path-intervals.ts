import { type Interval, interval, type Resamples } from './bootstrap.ts';
import { PATH_FIGURES, type PathFigure, type PathTerms } from './path-figures.ts';
import { TAIL } from './ratios.ts';

/** Of one figure, first less second; undefined where a resample has none. */
export type PathIntervals = Record<PathFigure, Interval | undefined>;

/**
 * How sure the difference between two series of session returns is, figure by figure: the paired stationary bootstrap, with
 * percentile intervals.
 *
 * A resample takes the same blocks of both, so its sums are differences of running sums; only what depends on the order of
 * sessions, the drawdown, is gone through one by one.
 *
 * @param second of the same sessions
 * @param scale what the second is scaled by: its volatility is compared as it was before
 */
export function pathIntervals(
  first: Float64Array,
  second: Float64Array,
  terms: PathTerms,
  resamples: Resamples,
  scale = 1,
): PathIntervals {
  const [own, other] = [prepared(first, terms), prepared(second, terms)];
  const count = resamples.firstBlocks.length - 1;
  const found = PATH_FIGURES.map(() => new Float64Array(count));
  const times = new Int32Array(first.length + 1);
  const [ofOwn, ofOther] = [new Float64Array(PATH_FIGURES.length), new Float64Array(PATH_FIGURES.length)];
  for (let resample = 0; resample < count; resample++) {
    countSessions(resamples, resample, times);
    figuresOf(own, resamples, resample, times, terms, ofOwn);
    figuresOf(other, resamples, resample, times, terms, ofOther);
    ofOther[VOLATILITY]! /= scale;
    for (let figure = 0; figure < found.length; figure++)
      found[figure]![resample] = ofOwn[figure]! - ofOther[figure]!;
  }
  const pairs = PATH_FIGURES.map((name, figure) => {
    const values = found[figure]!;
    return [name, values.every(Number.isFinite) ? interval(0, values) : undefined] as const;
  });
  return Object.fromEntries(pairs) as PathIntervals;
}

const VOLATILITY = PATH_FIGURES.indexOf('volatility');

/** A series made ready: running sums over the sessions twice, so that a block that wraps around is one difference, too. */
interface Prepared {
  readonly sum: Float64Array;
  readonly squares: Float64Array;
  /** Of what falls short of the minimum acceptable return, squared. */
  readonly shortfall: Float64Array;
  /** Of log(1 + return), and each of them. */
  readonly logSum: Float64Array;
  readonly logs: Float64Array;
  readonly returns: Float64Array;
  /** Sessions from the worst to the best. */
  readonly order: Int32Array;
}

function prepared(returns: Float64Array, { acceptable }: PathTerms): Prepared {
  const count = returns.length;
  const logs = returns.map((value) => Math.log1p(value));
  const upTo = (value: (index: number) => number): Float64Array => {
    const sums = new Float64Array(2 * count + 1);
    for (let at = 0; at < 2 * count; at++) sums[at + 1] = sums[at]! + value(at % count);
    return sums;
  };
  return {
    sum: upTo((at) => returns[at]!),
    squares: upTo((at) => returns[at]! ** 2),
    shortfall: upTo((at) => Math.min(returns[at]! - acceptable, 0) ** 2),
    logSum: upTo((at) => logs[at]!),
    logs,
    returns,
    order: Int32Array.from(returns.keys()).sort((a, b) => returns[a]! - returns[b]!),
  };
}

/** How often a resample takes each session. */
function countSessions(
  { starts, ends, firstBlocks, sessions }: Resamples,
  resample: number,
  times: Int32Array,
): void {
  times.fill(0);
  let whole = 0;
  for (let block = firstBlocks[resample]!; block < firstBlocks[resample + 1]!; block++) {
    const [start, end] = [starts[block]!, ends[block]!];
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

/** In the order of PATH_FIGURES. */
function figuresOf(
  series: Prepared,
  { starts, ends, firstBlocks, sessions: count }: Resamples,
  resample: number,
  times: Int32Array,
  { periodsPerYear, years, riskFree, acceptable }: PathTerms,
  found: Float64Array,
): void {
  let [sum, squares, shortfall, log] = [0, 0, 0, 0];
  let [at, peak, deepest] = [0, 0, 0];
  const { logs } = series;
  for (let block = firstBlocks[resample]!; block < firstBlocks[resample + 1]!; block++) {
    const [start, end] = [starts[block]!, ends[block]!];
    sum += series.sum[end]! - series.sum[start]!;
    squares += series.squares[end]! - series.squares[start]!;
    shortfall += series.shortfall[end]! - series.shortfall[start]!;
    log += series.logSum[end]! - series.logSum[start]!;
    for (let session = start; session < end; session++) {
      at += logs[session < count ? session : session % count]!;
      if (at > peak) peak = at;
      else if (at - peak < deepest) deepest = at - peak;
    }
  }
  const mean = sum / count;
  const deviation = Math.sqrt((squares - count * mean * mean) / (count - 1));
  const yearly = Math.sqrt(periodsPerYear);
  found[0] = Math.expm1(log);
  found[1] = Math.expm1(log / years);
  found[2] = deviation * yearly;
  found[3] = ((mean - riskFree) / deviation) * yearly;
  found[4] = ((mean - acceptable) / Math.sqrt(shortfall / count)) * yearly;
  found[5] = Number.isNaN(log) ? Number.NaN : Math.expm1(deepest);
  found[6] = tailMean(series, times, count);
}

/**
 * Mean of a resample's returns at or below their 5 % quantile, by how often it takes each session. The quantile lies between
 * two order statistics, so that the lower of them and all below it are meant, with what equals it.
 */
function tailMean({ order, returns }: Prepared, times: Int32Array, count: number): number {
  const below = Math.floor(TAIL * (count - 1));
  let [taken, sum, rank] = [0, 0, 0];
  const take = (): void => {
    const session = order[rank]!;
    taken += times[session]!;
    sum += times[session]! * returns[session]!;
    rank += 1;
  };
  while (taken <= below) take();
  const low = returns[order[rank - 1]!]!;
  while (rank < count && returns[order[rank]!] === low) take();
  return sum / taken;
}
