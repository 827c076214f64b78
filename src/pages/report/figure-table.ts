import type { RunRecord } from '../../journal/index.ts';
import {
  ambiguityOf,
  FIGURE_ENTRIES,
  type Figure,
  type Metrics,
  resolveOf,
} from '../../results/analysis/index.ts';
import type { OtherAnswer } from '../../results/runs/index.ts';
import {
  amount,
  integer,
  percent,
  ratio,
  readableDate,
  signedFigure,
  signedPercent,
} from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';

import { table, toned } from './model/attribution.ts';

export { table, toned };

/** Returns a section of the page with a title. Links to the section use its `id`. */
export function section(id: string, title: string, ...content: Content[]): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`;
}

/**
 * Returns all warnings as an expandable element. When collapsed, it shows their number and the first warning.
 */
export function warningList(lines: readonly string[]): Html | string {
  if (lines.length === 0) return '';
  const count = lines.length === 1 ? 'Warning' : `${lines.length} warnings`;
  return html`<details class="warnings"><summary><b>${count}:</b> ${lines[0]}</summary><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></details>`;
}

/** Fields of the trade to which a figure refers, for example the best trade. */
interface FigureTrade {
  readonly netPnl: string;
  readonly id: number;
}

type FigureValue = number | string | FigureTrade;

function isTrade(value: FigureValue | null): value is FigureTrade {
  return typeof value === 'object' && value !== null;
}

function tradeAmount({ netPnl, id }: FigureTrade): string {
  return `${amount(netPnl)} (trade ${id})`;
}

/** Figures that refer to a single day. The value is the name of the metric with the date of this day. */
const DATES: Readonly<Partial<Record<keyof Metrics, keyof Metrics>>> = {
  bestDay: 'bestDayDate',
  worstDay: 'worstDayDate',
};

/** Returns a table of all figures. Each row states how the figure is calculated, or why it is undefined. */
export function figureTable(metrics: Metrics): Html {
  return table(
    'All figures',
    ['Figure', 'Value', 'Convention'],
    FIGURE_ENTRIES.map(([name, { label, metric = name }]) => {
      const key = metric as keyof Metrics;
      const { value, reason, convention } = metrics[key] as Figure<FigureValue>;
      const date = DATES[key] === undefined ? '' : ` on ${readableDate(String(metrics[DATES[key]]))}`;
      return [
        label,
        isTrade(value) ? tradeAmount(value) : signedFigure(name, value),
        html`<span class="note">${value === null ? `not defined: ${reason ?? ''}` : convention + date}</span>`,
      ];
    }),
  );
}

/**
 * Compares the run with a second run of the same inputs. On an ambiguous bar, the order of prices is unknown.
 * One of the runs always assumes the worst order, the other the best. Empty without a second run.
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
  ['Total return', ({ totalReturn }) => signedPercent(totalReturn)],
  ['Sharpe ratio', ({ sharpe }) => ratio(sharpe)],
  ['Max drawdown', ({ maxDrawdown }) => percent(maxDrawdown)],
  ['Trades', ({ tradeCount }) => integer(tradeCount)],
  ['Ambiguous bars', ({ ambiguousBars }) => integer(ambiguousBars)],
  ['Their differences together', ({ ambiguityDifference }) => amount(ambiguityDifference)],
];
