import {
  type Figure,
  figure,
  standardDeviation,
  type Undefined,
  undefinedBecause,
} from '../figures/figures.ts';
import { expectedMaximumSharpe, probabilisticSharpe } from './sharpe-tests.ts';

/** Search recorded in a results folder, with the number of trials before its best run was found. */
export interface TrialCount {
  /** Number of runs of the search in the folder. */
  readonly runs: number;
  /** Number of runs with different results (N). */
  readonly trials: number;
  /**
   * Standard deviation (ddof 1) of the trials' annualised Sharpe ratios. `null` for fewer than two defined
   * ratios.
   */
  readonly sharpeDeviation: number | null;
  /** Annualised Sharpe ratio that the best of N trials without skill is expected to show. */
  readonly luckySharpe: Figure;
}

/**
 * Counts the trials of one search.
 *
 * @param trials trials of one search, including the run under examination
 * @param periodsPerYear number of periods for annualised ratios
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
 * Deflated Sharpe ratio: the probability that the true ratio is above the value expected from luck after this
 * number of trials.
 *
 * @param returns simple returns by session
 * @param riskFreeRate annualised
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

/** Finished run in a results folder, read from its small files. */
export interface Trial {
  readonly runId: string;
  readonly folder: string;
  /** Sharpe ratio per session. `null` if undefined. */
  readonly sharpe: number | null;
  /** Key of the result. Equal for runs whose figures are all equal: repetitions of one trial. */
  readonly result: string;
}

/** Returns one run per distinct result, the first by name. */
export function distinctTrials(trials: readonly Trial[]): Trial[] {
  const byResult = new Map<string, Trial>();
  const sorted = [...trials].sort((one, other) =>
    one.folder < other.folder ? -1 : one.folder > other.folder ? 1 : 0,
  );
  for (const trial of sorted) if (!byResult.has(trial.result)) byResult.set(trial.result, trial);
  return [...byResult.values()];
}
