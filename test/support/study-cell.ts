import type { StudyCell } from '../../src/results/analysis/index.ts';

/** Cell of a study with the given session returns. All amounts are 0 unless they are given. */
export function studyCellOf(returns: readonly number[], own: Partial<StudyCell> = {}): StudyCell {
  let value = 1_000;
  const equity = returns.map((change) => (value *= 1 + change));
  return {
    outcome: 'completed',
    dates: returns.map((_, session) => `2020-01-${String(session + 1).padStart(2, '0')}`),
    equity,
    start: 1_000,
    periodsPerYear: 100,
    figures: studyFigures({ totalReturn: value / 1_000 - 1 }),
    traded: returns.map(() => 0),
    paid: returns.map(() => 0),
    episodes: [],
    bars: returns.length,
    profits: {},
    orders: 0,
    refused: 0,
    fills: 0,
    ambiguous: 0,
    toolCalls: 0,
    toolErrors: 0,
    decisions: [],
    model: null,
    ...own,
  };
}

/** Figures of a cell. A figure that is not given is 0. */
export function studyFigures(own: Partial<StudyCell['figures']>): StudyCell['figures'] {
  const figures = { totalReturn: 0, sharpe: 0, maxDrawdown: 0, volatility: 0, tradeCount: 0, exposure: 0 };
  return { ...figures, turnover: 0, ...own };
}
