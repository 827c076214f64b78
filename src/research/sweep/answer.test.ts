import { expect, it } from 'vitest';
import { answerOf } from './answer.ts';

type Given = Parameters<typeof answerOf>[0];

/** Returns the conclusion (`answer`) of a sweep whose result contains only the given evidence. */
function answer(given: object): ReturnType<typeof answerOf> {
  return answerOf({
    best: { id: '1' },
    deflatedSharpe: { value: null },
    pbo: { value: null },
    walkForward: null,
    crossValidation: null,
    counts: { trials: 9, failed: 0 },
    objective: { constraints: [] },
    ...given,
  } as unknown as Given);
}

const walked = (totalReturn: number | null, sharpe: number | null): object => ({
  walkForward: { totalReturn, sharpe },
});

it.each([
  [{ deflatedSharpe: { value: 0.95, trials: 9 } }, true, 'the deflated Sharpe ratio over 9 trials is 95.0%'],
  [
    { deflatedSharpe: { value: 0.949, trials: 9 } },
    false,
    'the deflated Sharpe ratio over 9 trials is 94.9%',
  ],
  [{ pbo: { value: 0.499 } }, true, 'the probability of overfitting is 49.9%'],
  [{ pbo: { value: 0.5 } }, false, 'the probability of overfitting is 50.0%'],
  [walked(0.1, 0.2), true, 'the walk-forward returned 10.0% out of sample'],
  [walked(0.1, 0), false, 'the walk-forward returned 10.0% out of sample'],
  [walked(0.1, null), false, 'the walk-forward returned 10.0% out of sample'],
  [walked(0, 0.2), false, 'the walk-forward returned 0.0% out of sample'],
  [
    { crossValidation: { lossShare: 0.4 } },
    true,
    '40.0% of the cross-validation’s splits lose out of sample',
  ],
  [
    { crossValidation: { lossShare: 0.5 } },
    false,
    '50.0% of the cross-validation’s splits lose out of sample',
  ],
])('combines evidence: %j', (given, holds, evidence) => {
  const text = `${holds ? 'It may hold' : 'It does not hold'} out of sample: ${evidence}.`;
  expect(answer(given)).toEqual({ holds, text });
});

it('does not hold if one finding is against it, and states both kinds', () => {
  expect(answer({ pbo: { value: 0.7 }, ...walked(0.1, 1) })).toEqual({
    holds: false,
    text: 'It does not hold out of sample: the probability of overfitting is 70.0%; though the walk-forward returned 10.0% out of sample.',
  });
});

it.each([
  [{}, 'There are too few trials or bars to judge whether the best trial holds out of sample.'],
  [
    walked(null, null),
    'There are too few trials or bars to judge whether the best trial holds out of sample.',
  ],
  [{ best: null, counts: { trials: 0, failed: 0 } }, 'Nothing was tried.'],
  [{ best: null, counts: { trials: 9, failed: 9 } }, 'Every trial failed, so there is no best trial.'],
  [{ best: null, counts: { trials: 9, failed: 8 } }, 'No trial has an objective, so there is no best trial.'],
  [
    { best: null, objective: { constraints: ['tradeCount > 3'] } },
    'No trial has an objective and meets the constraints, so there is no best trial.',
  ],
])('has no answer for %j', (given, text) => {
  expect(answer(given)).toEqual({ holds: null, text });
});
