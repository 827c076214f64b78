import type { RunSummary } from '../../analysis/index.ts';
import { type TextStyle, textTable } from '../../kernel/index.ts';
import { amount, integer, percent, ratio } from '../shared/formats.ts';

/** A run with either answer to its ambiguous bars, for the terminal. */
export function sideBySideText(worst: RunSummary, best: RunSummary, style: TextStyle): string {
  const rows: readonly (readonly [name: string, show: (run: RunSummary) => string])[] = [
    ['Final equity', ({ finalEquity }) => amount(finalEquity)],
    ['Return', ({ totalReturn }) => percent(totalReturn)],
    ['Sharpe', ({ sharpe }) => ratio(sharpe)],
    ['Max drawdown', ({ maxDrawdown }) => percent(maxDrawdown)],
    ['Trades', ({ tradeCount }) => integer(tradeCount)],
    ['Ambiguous bars', ({ ambiguousBars }) => integer(ambiguousBars)],
    ['Run', ({ runId }) => runId],
  ];
  const table = textTable(
    ['Either answer', 'worst', 'best'],
    rows.map(([name, show]) => [name, show(worst), show(best)]),
    style,
  );
  // Without the count of its rows.
  return table.slice(0, table.lastIndexOf('\n'));
}
