import { describe, expect, it } from 'vitest';
import { sampled } from '../support/depth.ts';
import { coverageOf, PERSISTENCES, SESSIONS } from './coverage.ts';

const SIMULATIONS = 250;
/** Two standard errors of a measured coverage, for this number of simulations and a true coverage of 0.95. */
const MARGIN = 2 * Math.sqrt((0.95 * 0.05) / SIMULATIONS);

// `npm run intervals` simulates 4,000 times and uses the bounds without a margin.
describe('95 % intervals of session returns', () => {
  const cells = PERSISTENCES.flatMap((persistence) =>
    SESSIONS.map((sessions) => ({ persistence, sessions })),
  );

  it.each(sampled(cells, 3))(
    'contain the true difference in 93 to 97 % of simulations of $persistence over $sessions sessions',
    ({ persistence, sessions }) => {
      const { mean, sharpe } = coverageOf(persistence, sessions, SIMULATIONS, 1);
      for (const coverage of [mean, sharpe]) {
        expect(coverage).toBeGreaterThan(0.93 - MARGIN);
        expect(coverage).toBeLessThan(0.97 + MARGIN);
      }
    },
  );
});
