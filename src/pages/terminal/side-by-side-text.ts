import type { RunSummary } from '../../analysis/index.ts';
import { type TextStyle, textTable } from '../../kernel/index.ts';
import { amount, integer, percent, ratio } from '../shared/formats.ts';

/**
 * Compares two runs for the terminal: the same backtest with the worst and with the best assumption for
 * ambiguous bars.
 */
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
  // Without the line that counts the rows.
  return table.slice(0, table.lastIndexOf('\n'));
}
