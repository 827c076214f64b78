import {
  directionOf,
  isFavourable,
  shortLabel,
  VERDICT_WORDS,
  verdictText,
} from '../../results/analysis/index.ts';
import {
  COMPARED_FIGURES,
  type ComparedFigure,
  type ComparedRun,
  type Comparison,
  periodText,
  type StoredRun,
} from '../../results/runs/index.ts';
import { table } from '../report/figure-table.ts';
import { differenceText, figureText, percent, signedPoints } from '../shared/formats.ts';
import { type Content, type Html, html, readStamp } from '../shared/html.ts';
import { sparkline, verdictChip } from './pictures.ts';
import { intervalSentences, isUnfit, MANY_INTERVALS, overfittingSentences, valueText } from './texts.ts';

/** Number of curve colours in addition to the colour of the first curve. */
const CURVE_COLOURS = 7;

/** Returns the key below the chart: name, colour and main facts of each run. */
export function key(
  stored: readonly StoredRun[],
  runs: readonly ComparedRun[],
  nameOf: (run: ComparedRun) => Content,
): Html {
  const entries = runs.map((run, place) => {
    const { summary } = run;
    const colour = place === 0 ? 0 : 1 + ((place - 1) % CURVE_COLOURS);
    return html`<div><dt class="key" style="--key:var(--run-${colour})">${nameOf(run)} ${verdictChip(run)}</dt><dd>${summary.strategy} on ${summary.symbols.join(', ')}, ${periodText(stored[place]!)}. ${verdictText(summary.verdict)}${summary.alarms.map(({ problem }) => ` ${problem}`)}</dd></div>`;
  });
  return html`<dl class="runs-key">${entries}</dl>`;
}

export function sentences(runs: readonly ComparedRun[]): Html {
  return html`<ul>${intervalSentences(runs).map((line) => html`<li>${line}</li>`)}</ul><p class="note">Paired stationary bootstrap of session returns (Politis and Romano, 1994), calibrated 95 % intervals. A difference whose interval contains zero may be chance.${runs.length < 3 ? '' : ` ${MANY_INTERVALS}`}</p>`;
}

export function luck(comparison: Comparison, readAt: Date | undefined): Html {
  return html`<ul>${overfittingSentences(comparison).map((line) => html`<li>${line}</li>`)}</ul><p class="note">${readAt === undefined ? '' : html`${readStamp(readAt)} `}Trials are runs of the same strategy on the same data and period, whatever their parameters and settings; equal results count once. Deflated Sharpe ratio: Bailey and López de Prado, 2014. Probability of overfitting: Bailey, Borwein, López de Prado and Zhu, 2015.</p>`;
}

/**
 * Returns the table of figures, with one figure per row and one run per column. Next to each value is its
 * difference from the baseline.
 */
export function figures(runs: readonly ComparedRun[], baseline: number, alike: boolean): Html {
  const verdicts = ['Verdict', ...runs.map(({ summary }) => VERDICT_WORDS[summary.verdict.state])];
  const rows = COMPARED_FIGURES.map((name) => [
    shortLabel(name),
    ...runs.map((run) => {
      const difference = run.differences[name];
      const text = figureText(name, run.summary[name]);
      if (difference === undefined) return text;
      // Runs on different bars are not marked as better or worse, because their markets offered different
      // returns.
      const better = alike ? Math.sign(difference ?? 0) * directionOf(name) : 0;
      // A better figure can result from chance, so only a run with the verdict "better" is green.
      const isGood = better > 0 && isFavourable(run.summary.verdict);
      const tone = isGood ? 'good' : better < 0 && isSure(run) ? 'bad' : 'even';
      return html`${text} <small class="${tone}">${differenceText(name, difference)}</small>`;
    }),
  ]);
  const names = runs.map(({ name }, place) => (place === baseline ? `${name} (baseline)` : name));
  return html`${table('Figures side by side', ['Figure', ...names], [verdicts, ...rows])}<p class="note">Beside each figure, its difference to ${runs[baseline]!.name}; pp are percentage points.${alike ? '' : ' No difference is called better or worse, for the bars were not the same.'}</p>`;
}

/** True if the mean return of the run is significantly lower than that of the baseline. */
function isSure({ against }: ComparedRun): boolean {
  return against !== undefined && against.meanReturn.high < 0;
}

export function overlap(runs: readonly ComparedRun[], baseline: number): Html {
  const rows = runs
    .filter((_, place) => place !== baseline)
    .map(({ name, overlap: found }) => [
      name,
      String(found?.sharedEntries ?? 0),
      percent(found?.share, 1),
      percent(found?.sameSide, 1),
      percent(found?.sameSize, 1),
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

const FIGURES = [
  'totalReturn',
  'sharpe',
  'maxDrawdown',
  'cagr',
  'volatility',
  'exposure',
  'turnover',
  'tradeCount',
  'commissionPaid',
] as const satisfies readonly ComparedFigure[];

/** Maximum number of parameters that have a column in the table of runs. */
const MOST_PARAMETERS = 8;

interface Cell {
  readonly text: Content;
  /** Value by which rows are sorted. Numbers are sorted numerically. `null` if the cell is empty. */
  readonly value: string | number | null;
}

/** Figures whose columns are hidden on narrow screens. */
const MINOR: readonly ComparedFigure[] = ['cagr', 'volatility', 'exposure', 'turnover', 'commissionPaid'];
const MINOR_CLASS = html` class="wide-only"`;

/**
 * Returns the table of runs, with one run per row. The columns are parameters that differ, the return as a
 * curve, the verdict and figures. Every column is sortable.
 */
export function runsTable(
  { differences, searches }: Comparison,
  runs: readonly ComparedRun[],
  nameOf: (run: ComparedRun, place: number) => Content,
): Html {
  const parameters = differences
    .filter(({ name, values }) => name.startsWith('parameter ') && values.every(isPlain))
    .slice(0, MOST_PARAMETERS);
  const base = runs.find(({ overlap }) => overlap === undefined);
  const deflated = new Map(
    searches
      .filter(({ trials }) => trials > 1)
      .flatMap(({ compared }) => compared.map(({ runId, dsr }) => [runId, dsr.value] as const)),
  );
  const heads = [
    'Run',
    ...parameters.map(({ name }) => name.slice('parameter '.length)),
    'Equity',
    'Verdict',
    'A year against baseline',
    ...(deflated.size === 0 ? [] : ['Deflated Sharpe']),
    ...FIGURES.map((name) => shortLabel(name)),
  ];
  // The figures are the last columns, so the index of a figure is counted from the end.
  const classAt = (column: number): Content =>
    MINOR.includes(FIGURES[column - heads.length + FIGURES.length]!) ? MINOR_CLASS : '';
  const rows = runs.map((run, place) => {
    const cells: Cell[] = [
      ...parameters.map(({ values }) => {
        const value = values[place];
        return value === undefined || value === null
          ? { text: '–', value: null }
          : { text: String(value), value: typeof value === 'number' ? value : String(value) };
      }),
      { text: sparkline(place), value: run.summary.totalReturn },
      { text: verdictChip(run), value: run.summary.verdict.state },
      againstCell(run, base),
      ...(deflated.size === 0 ? [] : [deflatedCell(deflated.get(run.runId) ?? null)]),
      ...FIGURES.map((name) => {
        const value = run.summary[name];
        return { text: figureText(name, value), value: value === null ? null : Number(value) };
      }),
    ];
    return html`<tr data-run="${place}"><th scope="row" data-value="${run.name}">${nameOf(run, place)}</th>${cells.map(({ text, value }, column) => html`<td${classAt(column + 1)} data-value="${value ?? ''}">${text}</td>`)}</tr>`;
  });
  return html`<div class="frame" tabindex="0" role="group" aria-label="Runs"><table class="runs sortable"><caption class="hidden">Runs compared</caption><thead><tr>${heads.map((head, column) => html`<th scope="col"${classAt(column)} aria-sort="none"><button type="button">${head}</button></th>`)}</tr></thead><tbody>${rows}</tbody></table></div><p class="note when-narrow">Wider screens also show ${MINOR.map((name) => shortLabel(name)).join(', ')}.</p>`;
}

/**
 * Returns the cell of the deflated Sharpe ratio. This is the probability that the true Sharpe ratio is higher
 * than luck alone would produce in the best of all trials.
 */
function deflatedCell(value: number | null): Cell {
  return { text: percent(value, 1), value };
}

function againstCell(run: ComparedRun, base: ComparedRun | undefined): Cell {
  const { against } = run;
  if (run === base) return { text: 'baseline', value: null };
  // No difference is shown if the run or the baseline went broke or is incomplete. The sentences below the
  // table follow the same rule.
  if (against === undefined || isUnfit(run) || (base !== undefined && isUnfit(base)))
    return { text: '–', value: null };
  const { estimate, low, high } = against.meanReturn;
  const short = (value: number): string => signedPoints(value).replace(' pp', '');
  return {
    text: html`${signedPoints(estimate)} <small>${short(low)} to ${short(high)}</small>`,
    value: estimate,
  };
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
