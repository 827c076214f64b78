import type { Metrics } from '../../analysis/index.ts';
import { ambiguityOf, resolveOf } from '../../analysis/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import type { OtherAnswer } from '../../runs/index.ts';
import { amount, integer, percent, ratio, signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { section, table } from './sections.ts';

/**
 * Compares the run with a second run that uses the other assumption for ambiguous bars. Empty without a
 * second run.
 */
export function eitherAnswer(record: RunRecord, metrics: Metrics, other: OtherAnswer | undefined): Html {
  if (other === undefined) return html``;
  const { ambiguousBars, ambiguityDifference } = ambiguityOf(record);
  const own: Answer = {
    finalEquity: metrics.finalEquity.value,
    totalReturn: metrics.totalReturn.value,
    sharpe: metrics.sharpe.value,
    maxDrawdown: metrics.maxDrawdown.value,
    tradeCount: record.trades.length,
    ambiguousBars,
    ambiguityDifference,
  };
  const [worst, best] = resolveOf(record) === 'worst' ? [own, other] : [other, own];
  const rows = ROWS.map(([name, show]) => [name, show(worst), show(best)]);
  return section(
    'either-answer',
    'With either answer to its ambiguous bars',
    table('The run with either answer', ['', 'Worst', 'Best'], rows),
    html`<p class="note">Two runs of the same: each books the worse, or the better, outcome of every bar that allows several. They are no bounds: what is worse at a bar's close may prove lucky later. The other is ${other.runId}.</p>`,
  );
}

type Answer = Omit<OtherAnswer, 'schema' | 'resolve' | 'runId' | 'folder' | 'finalEquity'> & {
  readonly finalEquity: string | null;
};

const ROWS: readonly (readonly [name: string, show: (answer: Answer) => string])[] = [
  ['Final equity', ({ finalEquity }) => amount(finalEquity)],
  ['Return after costs', ({ totalReturn }) => signedPercent(totalReturn)],
  ['Sharpe ratio', ({ sharpe }) => ratio(sharpe)],
  ['Worst fall', ({ maxDrawdown }) => percent(maxDrawdown)],
  ['Trades', ({ tradeCount }) => integer(tradeCount)],
  ['Ambiguous bars', ({ ambiguousBars }) => integer(ambiguousBars)],
  ['Their differences together', ({ ambiguityDifference }) => amount(ambiguityDifference)],
];
