import { describe, expect, it } from 'vitest';
import { recurringTransitions, runningShares } from './regime.ts';

describe('the transitions of simulated regimes', () => {
  it('allow leaving a regime in which the data end', () => {
    // 80 rows of the calm regime, then 20 rows of a wild regime whose end is not observed.
    const posterior = Float64Array.from({ length: 200 }, (_, at) =>
      (at >> 1 < 80 ? 0 : 1) === at % 2 ? 1 : 0,
    );
    const gaussian = { mean: new Float64Array(1), factor: new Float64Array(1), logDeterminant: 0 };
    const transitions = recurringTransitions({
      states: [gaussian, gaussian],
      start: Float64Array.of(1, 0),
      transitions: Float64Array.of(79 / 80, 1 / 80, 0, 1),
      logLikelihood: 0,
      posterior,
      iterations: 1,
    });
    expect([...transitions].map((share) => share.toFixed(4))).toEqual([
      '0.9875',
      '0.0125',
      '0.0500',
      '0.9500',
    ]);
  });
});

it('sums the probability of one state over the rows', () => {
  const gaussian = { mean: new Float64Array(1), factor: new Float64Array(1), logDeterminant: 0 };
  const model = {
    states: [gaussian, gaussian, gaussian],
    start: Float64Array.of(1, 0, 0),
    transitions: new Float64Array(9),
    logLikelihood: 0,
    posterior: Float64Array.of(0.5, 0.25, 0.25, 0, 0.75, 0.25, 0.125, 0.5, 0.375),
    iterations: 1,
  };
  expect([...runningShares(model, 0)]).toEqual([0.5, 0.5, 0.625]);
  expect([...runningShares(model, 1)]).toEqual([0.25, 1, 1.5]);
  expect([...runningShares(model, 2)]).toEqual([0.25, 0.5, 0.875]);
});
