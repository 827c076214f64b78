import type { SpineRow } from '../../../results/analysis/series/index.ts';
import { type Content, type Html, html } from '../../shared/html.ts';
import { type SpineTexts, spineTexts } from '../../shared/spine-format.ts';

/** Descriptions in the comparison table. */
export interface SpineTerms {
  /** Description of the benchmark. */
  readonly benchmark: string;
  /** True if differences may be coloured. False for runs that are broke, incomplete or too short to judge. */
  readonly isJudged: boolean;
}

/**
 * Returns the comparison table at the head of a report: each figure of the run, the benchmark's figure, and
 * the interval of the difference.
 *
 * @param intervals `later` leaves the cells of the intervals empty
 */
export function spineTable(
  rows: readonly SpineRow[],
  { benchmark, isJudged }: SpineTerms,
  intervals: 'now' | 'later' = 'now',
): Html {
  const body = spineTexts(rows);
  return html`<table class="spine"><caption class="hidden">The run beside its benchmark</caption><thead><tr><th scope="col"><span class="hidden">Figure</span></th><th scope="col">Strategy</th><th scope="col" title="${benchmark}">Benchmark</th><th scope="col">at equal volatility</th><th scope="col">Difference <small>95% interval</small></th><td class="whisker"></td></tr></thead><tbody>${body.map((row) => line(row, isJudged, intervals))}</tbody></table>`;
}

function line(
  { row, ...texts }: ReturnType<typeof spineTexts>[number],
  isJudged: boolean,
  intervals: 'now' | 'later',
): Html {
  const { label, unit, own, benchmark, scaled, difference, interval }: SpineTexts = texts;
  const supports = isJudged ? row.supports : null;
  const mark = texts.isToBenchmark ? html`<abbr title="to the benchmark as it is">†</abbr>` : '';
  const isComing = intervals === 'later' && row.difference !== null && !NEVER.has(row.name);
  const bounds: Content =
    interval === '' && !isComing ? '' : html`<small>${isComing ? '…' : interval}</small>`;
  return html`<tr data-figure="${row.name}" data-supports="${supports ?? 'nothing'}"><th scope="row">${label}${unit === '' ? '' : html` <small>${unit}</small>`}</th><td>${own}</td><td>${benchmark}</td><td>${scaled}</td><td class="difference">${difference}${mark} ${bounds}</td><td class="whisker" aria-hidden="true">${whisker(row)}</td></tr>`;
}

/** Figures without an interval. */
const NEVER: ReadonlySet<string> = new Set(['exposure', 'turnover']);

const WIDTH = 96;
const HEIGHT = 14;

/** Draws the interval around zero. Each row is scaled by its own largest bound. */
function whisker({ difference, low, high }: SpineRow): Html | string {
  if (difference === null || low === null || high === null) return '';
  const reach = Math.max(Math.abs(low), Math.abs(high), Math.abs(difference)) * 1.05 || 1;
  const x = (value: number): string => ((value / reach + 1) * (WIDTH / 2)).toFixed(1);
  const middle = HEIGHT / 2;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><path class="zero" d="M${WIDTH / 2} 0V${HEIGHT}"/><path class="bounds" d="M${x(low)} ${middle}H${x(high)}"/><circle cx="${x(difference)}" cy="${middle}" r="3.5"/></svg>`;
}
