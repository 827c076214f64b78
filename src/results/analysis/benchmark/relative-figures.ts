import {
  type Figure,
  figure,
  mean,
  standardDeviation,
  type Undefined,
  undefinedBecause,
} from '../figures/figures.ts';
import { roundingOf, TOO_FEW } from '../figures/returns.ts';
import { atEqualVolatility, compounded, type PairedReturns } from '../series/benchmark-rows.ts';
import type { Regression } from './benchmark.ts';

export { atEqualVolatility, type PairedReturns } from '../series/benchmark-rows.ts';

/** Session-by-session comparison of a run with its benchmark. */
export interface RelativeFigures {
  readonly trackingError: Figure;
  readonly informationRatio: Figure;
  readonly upCapture: Figure;
  readonly downCapture: Figure;
  readonly treynor: Figure;
  /** Factor that scales the benchmark to the run's volatility. */
  readonly benchmarkScale: Figure;
  /** Total return of the benchmark at the run's volatility. */
  readonly benchmarkAtEqualVolatility: Figure;
}

/** Terms for annualising returns. */
export interface Annualising {
  readonly periodsPerYear: number;
  /** Rate per session. */
  readonly riskFree: number;
}

/**
 * Computes the figures of a run against its benchmark.
 *
 * @param name name of the benchmark
 * @param of part of the run that the figures cover, appended to their conventions
 */
export function relativeFigures(
  pair: PairedReturns | Undefined,
  fit: Regression | Undefined,
  { periodsPerYear, riskFree }: Annualising,
  name: string,
  of = '',
): RelativeFigures {
  const from = (work: (pair: PairedReturns) => number | Undefined): number | Undefined => {
    if ('reason' in pair) return pair;
    return pair.own.length < 2 ? TOO_FEW : work(pair);
  };
  const yearly = Math.sqrt(periodsPerYear);
  const scaled = 'reason' in pair ? pair : atEqualVolatility(pair, riskFree);
  const [up, down] = 'reason' in pair || pair.own.length < 2 ? [] : captures(pair);
  const active = 'reason' in pair ? pair : pair.own.length < 2 ? TOO_FEW : activeReturn(pair);
  return {
    trackingError: figure(
      `sd(returns − those of ${name}, ddof 1) · √P${of}`,
      'reason' in active ? active : active.deviation * yearly,
    ),
    informationRatio: figure(
      `mean(returns − those of ${name}) / sd(the same, ddof 1) · √P${of}`,
      'reason' in active
        ? active
        : active.deviation === 0
          ? undefinedBecause('the run and the benchmark differ by the same each session')
          : (active.mean / active.deviation) * yearly,
    ),
    upCapture: figure(
      `geometric mean of returns over sessions on which ${name} rose / that of ${name}${of}`,
      from(() => up!),
    ),
    downCapture: figure(
      `geometric mean of returns over sessions on which ${name} fell / that of ${name}${of}`,
      from(() => down!),
    ),
    treynor: figure(
      `mean(returns − rf) · P / beta${of}`,
      from(({ own }) => treynorRatio(own, fit, periodsPerYear, riskFree)),
    ),
    benchmarkScale: figure(`volatility / that of ${name}${of}`, 'reason' in scaled ? scaled : scaled.scale),
    benchmarkAtEqualVolatility: figure(
      `total return of ${name} scaled to the run’s volatility, the rest lent or borrowed at rf${of}`,
      'reason' in scaled ? scaled : compounded(scaled.returns),
    ),
  };
}

/** Mean and standard deviation of the difference. The standard deviation is 0 if it is only rounding. */
function activeReturn({ own, benchmark }: PairedReturns): {
  readonly mean: number;
  readonly deviation: number;
} {
  const active = new Float64Array(own.length);
  for (let index = 0; index < active.length; index++) active[index] = own[index]! - benchmark[index]!;
  const deviation = standardDeviation(active);
  return {
    mean: mean(active),
    deviation: deviation <= roundingOf(own) + roundingOf(benchmark) ? 0 : deviation,
  };
}

/** Sums of a capture ratio: sessions on which the benchmark rose, or fell. */
interface CaptureSums {
  readonly direction: 'rose' | 'fell';
  count: number;
  own: number;
  benchmark: number;
}

// Capture ratios as defined by Morningstar, per session instead of per month.
function captures({ own, benchmark }: PairedReturns): readonly [number | Undefined, number | Undefined] {
  const up: CaptureSums = { direction: 'rose', count: 0, own: 0, benchmark: 0 };
  const down: CaptureSums = { direction: 'fell', count: 0, own: 0, benchmark: 0 };
  for (let index = 0; index < own.length; index++) {
    const other = benchmark[index]!;
    if (!(other > 0 || other < 0)) continue;
    const sums = other > 0 ? up : down;
    sums.count += 1;
    sums.own += Math.log1p(own[index]!);
    sums.benchmark += Math.log1p(other);
  }
  return [captureOf(up), captureOf(down)];
}

function captureOf({ direction, count, own, benchmark }: CaptureSums): number | Undefined {
  if (count === 0) return undefinedBecause(`the benchmark ${direction} on no session`);
  if (own === Number.NEGATIVE_INFINITY || benchmark === Number.NEGATIVE_INFINITY)
    return undefinedBecause('everything was lost on one of the sessions');
  return Math.expm1(own / count) / Math.expm1(benchmark / count);
}

// J. Treynor, "How to Rate Management of Investment Funds" (1965).
function treynorRatio(
  own: Float64Array,
  fit: Regression | Undefined,
  periodsPerYear: number,
  riskFree: number,
): number | Undefined {
  if (fit === undefined) return undefinedBecause('beta is not defined');
  if ('reason' in fit) return fit;
  if (Math.abs(fit.beta) <= 1e-12) return undefinedBecause('beta is 0');
  return ((mean(own) - riskFree) * periodsPerYear) / fit.beta;
}
