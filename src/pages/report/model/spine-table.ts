import { SPINE_ROWS, type SpineName, type SpineRow } from '../../../analysis/series/index.ts';
import { type Content, type Html, html } from '../../shared/html.ts';
import {
  MISSING,
  percent,
  ratio,
  signedPercent,
  signedPoints,
  signedRatio,
} from '../../shared/number-formats.ts';

type Write = (value: number | null) => string;

interface Terms {
  readonly label: string;
  readonly unit?: string;
  readonly value: Write;
  readonly difference: Write;
}

const share = (value: Write): Pick<Terms, 'value' | 'difference'> => ({
  value,
  difference: (one) => signedPoints(one),
});
const multiple = {
  value: (one: number | null) => ratio(one),
  difference: (one: number | null) => signedRatio(one),
};

const TERMS: Readonly<Record<SpineName, Terms>> = {
  totalReturn: { label: 'Return', ...share(signedPercent) },
  cagr: { label: 'CAGR', unit: 'a year', ...share(signedPercent) },
  volatility: { label: 'Volatility', unit: 'a year', ...share(percent) },
  sharpe: { label: 'Sharpe ratio', ...multiple },
  sortino: { label: 'Sortino ratio', ...multiple },
  maxDrawdown: { label: 'Worst drawdown', ...share(percent) },
  conditionalValueAtRisk: { label: 'CVaR, 95%', unit: 'a session', ...share(percent) },
  exposure: { label: 'Mean exposure', ...share((one) => percent(one, 1)) },
  turnover: { label: 'Turnover', unit: '× a year', ...multiple },
};

/** What the table says beside its rows. */
export interface SpineTerms {
  /** What the benchmark is, in words. */
  readonly benchmark: string;
  /** Whether differences may be coloured at all: of a run that is broke, broken off or too small nothing is said. */
  readonly isJudged: boolean;
}

/** The table that heads a report: each figure of the run beside its benchmark, and how sure the difference is. */
export function spineTable(rows: readonly SpineRow[], { benchmark, isJudged }: SpineTerms): Html {
  const body = SPINE_ROWS.map((name) => rows.find((row) => row.name === name)).filter(
    (row) => row !== undefined,
  );
  return html`<table class="spine"><caption class="hidden">The run beside its benchmark</caption><thead><tr><th scope="col"><span class="hidden">Figure</span></th><th scope="col">Strategy</th><th scope="col" title="${benchmark}">Benchmark</th><th scope="col">at equal volatility</th><th scope="col">Difference <small>95% interval</small></th><td class="whisker"></td></tr></thead><tbody>${body.map((row) => line(row, isJudged))}</tbody></table>`;
}

function line(row: SpineRow, isJudged: boolean): Html {
  const { label, unit, value, difference } = TERMS[row.name];
  const supports = isJudged ? row.supports : null;
  const mark =
    row.against === 'benchmark' && row.difference !== null
      ? html`<abbr title="to the benchmark as it is">†</abbr>`
      : '';
  const bounds: Content =
    row.low === null || row.high === null
      ? ''
      : html`<small>${unitless(difference(row.low))} to ${unitless(difference(row.high))}</small>`;
  return html`<tr data-figure="${row.name}" data-supports="${supports ?? 'nothing'}"><th scope="row">${label}${unit === undefined ? '' : html` <small>${unit}</small>`}</th><td>${value(row.own)}</td><td>${value(row.benchmark)}</td><td>${value(row.scaled)}</td><td class="difference">${row.difference === null ? MISSING : difference(row.difference)}${mark} ${bounds}</td><td class="whisker" aria-hidden="true">${whisker(row)}</td></tr>`;
}

function unitless(text: string): string {
  return text.replace(' pp', '');
}

const WIDTH = 96;
const HEIGHT = 14;

/** The interval around zero, drawn: each row by its own largest bound. */
function whisker({ difference, low, high }: SpineRow): Html | string {
  if (difference === null || low === null || high === null) return '';
  const reach = Math.max(Math.abs(low), Math.abs(high), Math.abs(difference)) * 1.05 || 1;
  const x = (value: number): string => ((value / reach + 1) * (WIDTH / 2)).toFixed(1);
  const middle = HEIGHT / 2;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><path class="zero" d="M${WIDTH / 2} 0V${HEIGHT}"/><path class="bounds" d="M${x(low)} ${middle}H${x(high)}"/><circle cx="${x(difference)}" cy="${middle}" r="3.5"/></svg>`;
}
