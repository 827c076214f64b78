import { isFavourable, VERDICT_WORDS, verdictText } from '../../analysis/index.ts';
import type { StoredRun } from '../../runs/index.ts';
import {
  COMPARED_FIGURES,
  type Comparison,
  letters,
  periodText,
  sameBars,
  warningsOf,
} from '../../runs/index.ts';
import { section, table } from '../report/sections.ts';
import { type Html, html, scriptJson } from '../shared/html.ts';
import { type PageLink, pageHead } from '../shared/page-head.ts';
import { pageShell } from '../shared/shell.ts';
import { type ComparisonCurve, comparisonCurves } from './curves.ts';
import { differenceText, FIGURE_STYLES, figureText } from './figures.ts';
import { intervalSentences, overfittingSentences } from './texts.ts';

/** Colours of curves but the first's, after which they begin again. */
const CURVE_COLOURS = 7;

export interface ComparisonData {
  readonly curves: readonly ComparisonCurve[];
}

/** Runs beside each other as one page that opens offline. */
export function comparisonPage(
  comparison: Comparison,
  stored: readonly StoredRun[],
  links: readonly PageLink[] = [],
): string {
  const names = letters(stored.length);
  const warnings = warningsOf(stored, names);
  const body = html`${pageHead({ title: `${names.length} runs compared`, lines: [], links })}
<main>
${section('runs', 'Runs', key(stored, names, links.length > 0))}
${warnings.length === 0 ? '' : html`<div class="notices loud" role="note"><h2>These runs are not alike</h2><ul>${warnings.map((line) => html`<li>${line}</li>`)}</ul></div>`}
${section('intervals', 'Could the difference be chance?', sentences(comparison, names))}
${comparison.searches.length === 0 ? '' : section('luck', 'How much was tried?', luck(comparison, names))}
${section('equity', 'Equity', html`<div id="equity-chart" class="chart" role="group" aria-label="Return of each run since its first bar"></div><p class="note">Return since the initial cash, in percent; below, how far each run was under its own high.</p>`)}
${section('side-by-side', 'Figures', figures(comparison, names, sameBars(stored)))}
${section('overlap', 'How alike they traded', overlap(comparison, names))}
${comparison.samples.length === 0 ? '' : section('samples', 'Samples of the same thing', samples(comparison))}
${section('not-the-same', 'What was not the same', differences(comparison, names))}
</main>`;
  const data: ComparisonData = { curves: comparisonCurves(stored, names) };
  return pageShell({
    title: `${names.length} runs compared`,
    body,
    data: scriptJson(data),
    script: 'compare.js',
  });
}

/** What the letters stand for. */
function key(stored: readonly StoredRun[], names: readonly string[], served: boolean): Html {
  const entries = stored.map((run, index) => {
    const { runId, summary } = run;
    const id = served ? html`<a href="/runs/${encodeURIComponent(runId)}/report">${runId}</a>` : runId;
    return html`<div><dt class="key-${index === 0 ? 0 : 1 + ((index - 1) % CURVE_COLOURS)}">${names[index]!}</dt><dd>${summary.strategy} on ${summary.symbols.join(', ')}, ${periodText(run)}<br><span class="told" data-state="${summary.verdict.state}">${verdictText(summary.verdict)}${summary.alarms.map((text) => ` ${text}`)}</span><br><small>${id}</small></dd></div>`;
  });
  return html`<dl class="key">${entries}</dl>`;
}

function sentences(comparison: Comparison, names: readonly string[]): Html {
  const lines = intervalSentences(comparison, names);
  if (lines.length === 0) return html`<p>There is one run only.</p>`;
  return html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul><p class="note">Paired stationary bootstrap of session returns (Politis and Romano, 1994), percentile intervals. A difference whose interval holds zero may be chance.</p>`;
}

function luck(comparison: Comparison, names: readonly string[]): Html {
  return html`<ul>${overfittingSentences(comparison, names).map((line) => html`<li>${line}</li>`)}</ul><p class="note">Trials are runs of the same strategy on the same data and period, whatever their parameters and settings; equal results count once. Deflated Sharpe ratio: Bailey and López de Prado, 2014. Probability of overfitting: Bailey, Borwein, López de Prado and Zhu, 2015.</p>`;
}

function figures(comparison: Comparison, names: readonly string[], alike: boolean): Html {
  const verdicts = ['Verdict', ...comparison.runs.map(({ summary }) => VERDICT_WORDS[summary.verdict.state])];
  const rows = COMPARED_FIGURES.map((name) => [
    FIGURE_STYLES[name].label,
    ...comparison.runs.map((run) => {
      const difference = run.differences[name];
      const text = figureText(name, run.summary[name]);
      if (difference === undefined) return text;
      // Of other bars neither is better: there was something else to earn.
      const better = alike ? Math.sign(difference ?? 0) * FIGURE_STYLES[name].better : 0;
      // A figure can be higher by chance, or of a run that shows nothing: only a better run has it in green.
      const isGood = better > 0 && isFavourable(run.summary.verdict);
      const tone = isGood ? 'good' : better < 0 ? 'bad' : 'even';
      return html`${text} <small class="${tone}">${differenceText(name, difference)}</small>`;
    }),
  ]);
  return html`${table('Figures side by side', ['Figure', ...names], [verdicts, ...rows])}<p class="note">Beside each figure, its difference to ${names[0]!}'s; pp are percentage points.${alike ? '' : ' No difference is called better or worse, for the bars were not the same.'}</p>`;
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
    [`Against ${names[0]}`, 'Entries both made', 'Of its trades', 'Bars both in or both out'],
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
