import { describe, expect, it } from 'vitest';
import { recurringTransitions } from './regime.ts';

describe('the transitions of simulated regimes', () => {
  it('lead out of a regime that the data end in', () => {
    // 80 rows of the calm one, then 20 of a wild one that was never seen to end.
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
