import type { SweepTrial } from '../../src/pages/sweep/plots.ts';

/** Returns a trial of a sweep without other figures than its objective. */
export const trial = (
  id: string,
  objective: number | null,
  parameters: SweepTrial['parameters'] = {},
): SweepTrial => ({
  ...{ id, parameters, objective, totalReturn: null, sharpe: null, maxDrawdown: null, tradeCount: null },
});
