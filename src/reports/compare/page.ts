import { drawdownCurve } from '../drawdown.ts';
import { equityColumns } from '../equity.ts';
import { ascending } from '../page/chart-data.ts';
import { type Html, html, scriptJson } from '../page/html.ts';
import { type PageLink, pageHead } from '../page/page-head.ts';
import { section, table } from '../page/sections.ts';
import { pageShell } from '../page/shell.ts';
import type { StoredRun } from '../read-run.ts';
import { COMPARED_FIGURES, type Comparison } from './compare.ts';
import { differenceText, FIGURE_STYLES, figureText } from './figures.ts';
import { intervalSentences, luckSentences, runNames } from './texts.ts';

/** Points of a curve that a page of many runs can hold and stay fluid. */
const MOST_POINTS = 4_000;
const MOST_POINTS_OF_ALL = 100_000;

/** One run's curves on the comparison page. */
interface ComparisonCurve {
  readonly name: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  /** Equity over the initial cash, less one, in percent. */
  readonly equity: readonly number[];
  /** In percent. */
  readonly drawdown: readonly number[];
}

export interface ComparisonData {
  readonly curves: readonly ComparisonCurve[];
}

/** Runs beside each other as one page that opens offline. */
export function comparisonPage(
  comparison: Comparison,
  stored: readonly StoredRun[],
  links: readonly PageLink[] = [],
): string {
  const names = runNames(comparison);
  const body = html`${pageHead({ title: `${names.length} runs compared`, lines: [names.join(' · ')], links })}
<main>
${comparison.warnings.length === 0 ? '' : html`<div class="notices loud" role="note"><h2>These runs are not alike</h2><ul>${comparison.warnings.map((line) => html`<li>${line}</li>`)}</ul></div>`}
${section('intervals', 'Could the difference be chance?', sentences(comparison))}
${comparison.searches.length === 0 ? '' : section('luck', 'How much was tried?', luck(comparison))}
${section('equity', 'Equity', html`<div id="equity-chart" class="chart" role="group" aria-label="Return of each run since its first bar"></div><p class="note">Return since the initial cash, in percent; below, how far each run was under its own high.</p>`)}
${section('side-by-side', 'Figures', figures(comparison, names))}
${section('overlap', 'How alike they traded', overlap(comparison, names))}
${comparison.samples.length === 0 ? '' : section('samples', 'Samples of the same thing', samples(comparison))}
${section('not-the-same', 'What was not the same', differences(comparison, names))}
</main>`;
  const points = Math.max(100, Math.min(MOST_POINTS, Math.floor(MOST_POINTS_OF_ALL / stored.length)));
  const data: ComparisonData = { curves: stored.map((run, index) => curveOf(run, names[index]!, points)) };
  return pageShell({
    title: `${names.length} runs compared`,
    body,
    data: scriptJson(data),
    script: 'compare.js',
  });
}

function sentences(comparison: Comparison): Html {
  const lines = intervalSentences(comparison);
  if (lines.length === 0) return html`<p>There is one run only.</p>`;
  return html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul><p class="note">Paired stationary bootstrap of session returns (Politis and Romano, 1994), percentile intervals. A difference whose interval holds zero may be chance.</p>`;
}

function luck(comparison: Comparison): Html {
  return html`<ul>${luckSentences(comparison).map((line) => html`<li>${line}</li>`)}</ul><p class="note">Trials are runs of the same strategy on the same data and period, whatever their parameters and settings; equal results count once. Deflated Sharpe ratio: Bailey and López de Prado, 2014. Probability of overfitting: Bailey, Borwein, López de Prado and Zhu, 2015.</p>`;
}

function figures(comparison: Comparison, names: readonly string[]): Html {
  const rows = COMPARED_FIGURES.map((name) => [
    FIGURE_STYLES[name].label,
    ...comparison.runs.map((run) => {
      const difference = run.differences[name];
      const text = figureText(name, run.summary[name]);
      if (difference === undefined) return text;
      const better = Math.sign(difference ?? 0) * FIGURE_STYLES[name].better;
      const tone = better > 0 ? 'good' : better < 0 ? 'bad' : 'even';
      return html`${text} <small class="${tone}">${differenceText(name, difference)}</small>`;
    }),
  ]);
  return table('Figures side by side', ['Figure', ...names], rows);
}

function overlap(comparison: Comparison, names: readonly string[]): Html {
  const percent = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : `${(value * 100).toFixed(1)}%`;
  const rows = comparison.runs
    .slice(1)
    .map((run, index) => [
      names[index + 1]!,
      String(run.overlap?.sharedEntries ?? 0),
      percent(run.overlap?.share),
      percent(run.overlap?.agreement),
    ]);
  if (rows.length === 0) return html`<p>There is one run only.</p>`;
  return table(
    `Against ${names[0]}`,
    ['Run', 'Entries both made', 'Of its trades', 'Bars both in or both out'],
    rows,
  );
}

function samples(comparison: Comparison): Html {
  const rows = comparison.samples.map(({ strategy, runIds, figures: spread }) => [
    `${strategy} (${runIds.length})`,
    ...(['totalReturn', 'sharpe', 'maxDrawdown'] as const).map((name) => {
      const own = spread[name];
      return own === undefined ? '–' : `${figureText(name, own.mean)} ± ${figureText(name, own.deviation)}`;
    }),
  ]);
  return table('Mean and standard deviation', ['Samples', 'Total return', 'Sharpe', 'Max drawdown'], rows);
}

function differences(comparison: Comparison, names: readonly string[]): Html {
  if (comparison.differences.length === 0) return html`<p>Parameters and settings are all the same.</p>`;
  const rows = comparison.differences.map(({ name, values }) => [
    name,
    ...values.map(
      (value) =>
        html`<span class="wrap">${value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value)}</span>`,
    ),
  ]);
  return table('Parameters and settings', ['What', ...names], rows);
}

function curveOf({ record }: StoredRun, name: string, points: number): ComparisonCurve {
  const columns = equityColumns(record);
  const drawdown = drawdownCurve(columns);
  const start = columns.initialCash.toNumber();
  const step = Math.max(1, Math.ceil(columns.equity.length / points));
  const ends = Array.from({ length: Math.ceil(columns.equity.length / step) }, (_, point) =>
    Math.min((point + 1) * step, columns.equity.length),
  );
  const short = (value: number): number => Number((value * 100).toPrecision(7));
  return {
    name,
    times: ascending(ends.map((end) => Math.floor(columns.times[end - 1]! / 1000))),
    equity: ends.map((end) => short(columns.equity[end - 1]! / start - 1)),
    drawdown: ends.map((end) =>
      short(drawdown.subarray(Math.max(0, end - step), end).reduce((a, b) => Math.min(a, b))),
    ),
  };
}
