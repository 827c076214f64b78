import type { RunSummary } from '../../analysis/index.ts';
import { grouped, percentage, type TextStyle, textTable } from '../../kernel/index.ts';

/** A run with either answer to its ambiguous bars, for the terminal. */
export function sideBySideText(worst: RunSummary, best: RunSummary, style: TextStyle): string {
  const fraction = (value: number | null): string => (value === null ? '–' : percentage(value));
  const number = (value: number | null): string => (value === null ? '–' : grouped(value, 2));
  const rows: readonly (readonly [name: string, show: (run: RunSummary) => string])[] = [
    ['Final equity', ({ finalEquity }) => grouped(finalEquity, 2)],
    ['Return', ({ totalReturn }) => fraction(totalReturn)],
    ['Sharpe', ({ sharpe }) => number(sharpe)],
    ['Max drawdown', ({ maxDrawdown }) => fraction(maxDrawdown)],
    ['Trades', ({ tradeCount }) => grouped(tradeCount, 0)],
    ['Ambiguous bars', ({ ambiguousBars }) => grouped(ambiguousBars, 0)],
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
