import { isFavourable, VERDICT_WORDS, verdictText } from '../../analysis/index.ts';
import {
  COMPARED_FIGURES,
  type ComparedRun,
  type Comparison,
  periodText,
  type StoredRun,
} from '../../runs/index.ts';
import { table } from '../report/sections.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { readStamp } from '../shared/read-stamp.ts';
import { differenceText, FIGURE_STYLES, figureText } from './figures.ts';
import { verdictChip } from './pictures.ts';
import { intervalSentences, MANY_INTERVALS, overfittingSentences, valueText } from './texts.ts';

/** Number of curve colours in addition to the colour of the first curve. */
const CURVE_COLOURS = 7;

/** Returns the key of the chart: the name and colour of each run with its main facts. */
export function key(
  stored: readonly StoredRun[],
  runs: readonly ComparedRun[],
  nameOf: (run: ComparedRun) => Content,
): Html {
  const entries = runs.map((run, place) => {
    const { summary } = run;
    const colour = place === 0 ? 0 : 1 + ((place - 1) % CURVE_COLOURS);
    return html`<div><dt class="key-${colour}">${nameOf(run)} ${verdictChip(run)}</dt><dd>${summary.strategy} on ${summary.symbols.join(', ')}, ${periodText(stored[place]!)}. ${verdictText(summary.verdict)}${summary.alarms.map(({ problem }) => ` ${problem}`)}</dd></div>`;
  });
  return html`<dl class="key named">${entries}</dl>`;
}

export function sentences(runs: readonly ComparedRun[]): Html {
  return html`<ul>${intervalSentences(runs).map((line) => html`<li>${line}</li>`)}</ul><p class="note">Paired stationary bootstrap of session returns (Politis and Romano, 1994), calibrated 95 % intervals. A difference whose interval contains zero may be chance.${runs.length < 3 ? '' : ` ${MANY_INTERVALS}`}</p>`;
}

export function luck(comparison: Comparison, readAt: Date | undefined): Html {
  return html`<ul>${overfittingSentences(comparison).map((line) => html`<li>${line}</li>`)}</ul><p class="note">${readAt === undefined ? '' : html`${readStamp(readAt)} `}Trials are runs of the same strategy on the same data and period, whatever their parameters and settings; equal results count once. Deflated Sharpe ratio: Bailey and López de Prado, 2014. Probability of overfitting: Bailey, Borwein, López de Prado and Zhu, 2015.</p>`;
}

/**
 * Returns the table of figures, with one figure per row and one run per column. Each value is followed by its
 * difference to the baseline.
 */
export function figures(runs: readonly ComparedRun[], baseline: number, alike: boolean): Html {
  const verdicts = ['Verdict', ...runs.map(({ summary }) => VERDICT_WORDS[summary.verdict.state])];
  const rows = COMPARED_FIGURES.map((name) => [
    FIGURE_STYLES[name].label,
    ...runs.map((run) => {
      const difference = run.differences[name];
      const text = figureText(name, run.summary[name]);
      if (difference === undefined) return text;
      // Runs on different bars cannot be ranked: their markets offered different returns.
      const better = alike ? Math.sign(difference ?? 0) * FIGURE_STYLES[name].better : 0;
      // A higher figure can result from chance. Only a run with the verdict "better" has green figures.
      const isGood = better > 0 && isFavourable(run.summary.verdict);
      const tone = isGood ? 'good' : better < 0 && isSure(run) ? 'bad' : 'even';
      return html`${text} <small class="${tone}">${differenceText(name, difference)}</small>`;
    }),
  ]);
  const names = runs.map(({ name }, place) => (place === baseline ? `${name} (baseline)` : name));
  return html`${table('Figures side by side', ['Figure', ...names], [verdicts, ...rows])}<p class="note">Beside each figure, its difference to ${runs[baseline]!.name}; pp are percentage points.${alike ? '' : ' No difference is called better or worse, for the bars were not the same.'}</p>`;
}

/** Returns true if the run's mean return is below the baseline's with statistical significance. */
function isSure({ against }: ComparedRun): boolean {
  return against !== undefined && against.meanReturn.high < 0;
}

export function overlap(runs: readonly ComparedRun[], baseline: number): Html {
  const percent = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : `${(value * 100).toFixed(1)}%`;
  const rows = runs
    .filter((_, place) => place !== baseline)
    .map(({ name, overlap: found }) => [
      name,
      String(found?.sharedEntries ?? 0),
      percent(found?.share),
      percent(found?.sameSide),
      percent(found?.sameSize),
    ]);
  const against = `Against ${runs[baseline]!.name}`;
  return html`${table(against, [against, 'Entries both made', 'Of its trades', 'Same side', 'Same size'], rows)}<p class="note">Same side: share of bars with the same symbols held on the same sides, or nothing by both. Same size: the exposure both had on the same side, over the larger of the two.</p>`;
}

export function samples(comparison: Comparison): Html {
  const rows = comparison.samples.map(({ strategy, runIds, figures: spread }) => [
    `${strategy} (${runIds.length})`,
    ...(['totalReturn', 'sharpe', 'maxDrawdown'] as const).map((name) => {
      const own = spread[name];
      return own === undefined ? '–' : `${figureText(name, own.mean)} ± ${figureText(name, own.deviation)}`;
    }),
  ]);
  return table('Mean and standard deviation', ['Samples', 'Total return', 'Sharpe', 'Max drawdown'], rows);
}

export function differences(comparison: Comparison): Html {
  if (comparison.differences.length === 0) return html`<p>Parameters and settings are all the same.</p>`;
  const rows = comparison.differences.map(({ name, values }) => [
    name,
    ...values.map((value) => html`<span class="wrap">${valueText(value)}</span>`),
  ]);
  return table('Parameters and settings', ['What', ...comparison.runs.map(({ name }) => name)], rows);
}
