import { roundingOf, standardDeviation, TOO_FEW, type Undefined, undefinedBecause } from './statistics.ts';

/** Session returns of a run and of its benchmark for the same sessions. */
export interface PairedReturns {
  readonly own: Float64Array;
  readonly benchmark: Float64Array;
}

/**
 * Returns of the benchmark at the run's volatility: a scaled position, with the remaining money lent or
 * borrowed at the risk-free rate.
 *
 * @param riskFree rate per session
 */
export function atEqualVolatility(
  { own, benchmark }: PairedReturns,
  riskFree: number,
): { readonly scale: number; readonly returns: Float64Array } | Undefined {
  if (own.length < 2) return TOO_FEW;
  const deviation = standardDeviation(benchmark);
  if (deviation <= roundingOf(benchmark)) return undefinedBecause('the benchmark does not move');
  const scale = standardDeviation(own) / deviation;
  const returns = new Float64Array(benchmark.length);
  for (let index = 0; index < returns.length; index++)
    returns[index] = riskFree + scale * (benchmark[index]! - riskFree);
  return { scale, returns };
}

export function compounded(returns: Float64Array): number | Undefined {
  let worth = 1;
  for (let index = 0; index < returns.length; index++) {
    worth *= 1 + returns[index]!;
    if (worth <= 0) return undefinedBecause('the benchmark at equal volatility loses everything');
  }
  return worth - 1;
}
