import type { SweepResult } from '../../results/runs/index.ts';

/**
 * Deflated Sharpe ratio at or above which a result is unlikely to be luck. A ratio of 0.95 corresponds to a
 * significance level of 5 %.
 */
const CONVINCING = 0.95;
/** Probability of backtest overfitting (PBO) above which a result is doubtful. */
const DOUBTFUL = 0.5;

/**
 * Returns the conclusion of a sweep: one sentence that states if the best combination works out of sample,
 * with the evidence.
 */
export function answerOf(result: Omit<SweepResult, 'answer'>): SweepResult['answer'] {
  const { best, deflatedSharpe: deflated, pbo, walkForward, crossValidation } = result;
  if (best === null)
    return {
      holds: null,
      text: withoutBest(result),
    };
  const against: string[] = [];
  const forIt: string[] = [];
  const weigh = (good: boolean, text: string): void => void (good ? forIt : against).push(text);
  if (deflated.value !== null)
    weigh(
      deflated.value >= CONVINCING,
      `the deflated Sharpe ratio over ${deflated.trials} trials is ${percent(deflated.value)}`,
    );
  if (pbo.value !== null)
    weigh(pbo.value < DOUBTFUL, `the probability of overfitting is ${percent(pbo.value)}`);
  if (walkForward?.totalReturn != null)
    weigh(
      walkForward.totalReturn > 0 && (walkForward.sharpe ?? 0) > 0,
      `the walk-forward returned ${percent(walkForward.totalReturn)} out of sample`,
    );
  if (crossValidation?.lossShare != null)
    weigh(
      crossValidation.lossShare < DOUBTFUL,
      `${percent(crossValidation.lossShare)} of the cross-validation’s splits lose out of sample`,
    );
  if (forIt.length + against.length === 0)
    return {
      holds: null,
      text: 'There are too few trials or bars to judge whether the best trial holds out of sample.',
    };
  const holds = against.length === 0;
  const text = holds
    ? `It may hold out of sample: ${forIt.join(', ')}.`
    : `It does not hold out of sample: ${against.join(', ')}${forIt.length === 0 ? '' : `; though ${forIt.join(', ')}`}.`;
  return { holds, text };
}

function withoutBest({ counts, objective }: Omit<SweepResult, 'answer'>): string {
  if (counts.trials === 0) return 'Nothing was tried.';
  if (counts.failed === counts.trials) return 'Every trial failed, so there is no best trial.';
  return objective.constraints.length === 0
    ? 'No trial has an objective, so there is no best trial.'
    : 'No trial has an objective and meets the constraints, so there is no best trial.';
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)}%`;
}
