import { type Figure, figure, standardDeviation, type Undefined, undefinedBecause } from '../figures.ts';
import { expectedMaximumSharpe, probabilisticSharpe } from './sharpe-tests.ts';
import { distinctTrials, type Trial } from './trial.ts';

/** A search as a results folder records it: how much was tried to find its best run. */
export interface TrialCount {
  /** Runs of the search in the folder. */
  readonly runs: number;
  /** N: those of them that gave different results. */
  readonly trials: number;
  /** Of the trials' Sharpe ratios a year, ddof 1; null for fewer than two that are defined. */
  readonly sharpeDeviation: number | null;
  /** Sharpe ratio a year that the best of N trials without skill is expected to show. */
  readonly luckySharpe: Figure;
}

/**
 * Counts the trials of one search.
 *
 * @param trials of one search, the run that is looked at among them
 * @param periodsPerYear for annualised ratios
 */
export function countTrials(trials: readonly Trial[], periodsPerYear: number): TrialCount {
  const distinct = distinctTrials(trials);
  const ratios = distinct.flatMap(({ sharpe }) => (sharpe === null ? [] : [sharpe]));
  const yearly = Math.sqrt(periodsPerYear);
  const deviation = ratios.length < 2 ? null : standardDeviation(ratios);
  const lucky =
    deviation === null
      ? undefinedBecause(
          distinct.length < 2
            ? 'one trial: nothing was chosen among others'
            : `fewer than two of ${distinct.length} trials have a Sharpe ratio`,
        )
      : expectedMaximumSharpe(distinct.length, deviation ** 2) * yearly;
  return {
    runs: trials.length,
    trials: distinct.length,
    sharpeDeviation: deviation === null ? null : deviation * yearly,
    luckySharpe: figure(
      'Sharpe ratio a year expected of the best of N trials without skill: √V · ((1 − γ)·Φ⁻¹(1 − 1/N) + γ·Φ⁻¹(1 − 1/(N·e)))',
      lucky,
    ),
  };
}

/**
 * Deflated Sharpe ratio: the probability that the true one is above what luck would show after so many trials.
 *
 * @param returns simple returns by session
 * @param riskFreeRate a year
 */
export function deflatedSharpe(
  returns: Float64Array | Undefined,
  { trials, luckySharpe }: TrialCount,
  periodsPerYear: number,
  riskFreeRate = 0,
): Figure {
  const convention = `probability that the true Sharpe ratio is above the one that luck would show, as of ${trials} trials`;
  if (luckySharpe.value === null) return { value: null, reason: luckySharpe.reason ?? '', convention };
  const threshold = luckySharpe.value / Math.sqrt(periodsPerYear);
  return figure(convention, probabilisticSharpe(returns, threshold, riskFreeRate / periodsPerYear));
}
