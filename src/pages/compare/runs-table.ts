import type { ComparedFigure, ComparedRun, Comparison } from '../../runs/index.ts';
import { percent, signedPoints } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { FIGURE_STYLES, figureText } from './figures.ts';
import { sparkline, verdictChip } from './pictures.ts';
import { isUnfit } from './texts.ts';

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

/** Maximum number of parameters with a column in the table. */
const MOST_PARAMETERS = 8;

interface Cell {
  readonly text: Content;
  /** Sort key of the cell. Numbers are sorted numerically. */
  readonly value: string | number | null;
}

/**
 * Returns the table of runs, one per row. Columns: differing parameters, the return as a line, verdict and
 * figures. Every column is sortable.
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
    ...FIGURES.map((name) => FIGURE_STYLES[name].label),
  ];
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
    return html`<tr data-run="${place}"><th scope="row" data-value="${run.name}">${nameOf(run, place)}</th>${cells.map(({ text, value }) => html`<td data-value="${value ?? ''}">${text}</td>`)}</tr>`;
  });
  return html`<div class="frame" tabindex="0" role="group" aria-label="Runs"><table class="runs sortable"><caption class="hidden">Runs compared</caption><thead><tr>${heads.map((head) => html`<th scope="col" aria-sort="none"><button type="button">${head}</button></th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/**
 * Returns the cell of the deflated Sharpe ratio: the probability that the true Sharpe ratio exceeds the value
 * that luck produces in the best of all trials.
 */
function deflatedCell(value: number | null): Cell {
  return { text: percent(value, 1), value };
}

function againstCell(run: ComparedRun, base: ComparedRun | undefined): Cell {
  const { against } = run;
  if (run === base) return { text: 'baseline', value: null };
  // No difference is shown for a run that is broke or incomplete, as in the sentences below the table.
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
