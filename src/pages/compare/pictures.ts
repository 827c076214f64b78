import { VERDICT_WORDS } from '../../analysis/index.ts';
import type { ComparedRun } from '../../runs/index.ts';
import {
  type Extent,
  extentOf,
  figure,
  fixed,
  footAxis,
  lineThrough,
  type Plot,
  plot,
  roomy,
  thinned,
  ticks,
  valueAxis,
} from '../report/model/svg/plot.ts';
import { percent, ratio, signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import type { ComparisonCurve } from './curves.ts';

/** Number of points of a line in a picture with many lines. */
const POINTS_OF_MANY = 240;
const POINTS_OF_A_SPARKLINE = 60;

export function verdictChip({ summary }: Pick<ComparedRun, 'summary'>): Html {
  const { state } = summary.verdict;
  return html`<span class="chip" data-state="${state}">${VERDICT_WORDS[state]}</span>`;
}

const MULTIPLE = { width: 320, height: 150 };

/**
 * Returns each run's lines as shared SVG shapes. The pictures of every baseline refer to them. Without
 * sharing, a page with twelve runs would contain each line up to 156 times.
 */
export function shapes(curves: readonly ComparisonCurve[]): Html {
  const { across, up } = extents(curves);
  const at = plot(MULTIPLE, across, up);
  const lines = curves.map((curve, place) => [
    html`<path id="${`curve-${place}`}" vector-effect="non-scaling-stroke" d="${path(at, curve, POINTS_OF_MANY)}"/>`,
    html`<path id="${`spark-${place}`}" vector-effect="non-scaling-stroke" d="${sparkPath(curve)}"/>`,
  ]);
  return html`<svg class="shapes" width="0" height="0" aria-hidden="true"><defs>${lines}</defs></svg>`;
}

/**
 * Draws one picture per run with the same axes. The line of the baseline is grey in the background of each
 * picture.
 */
export function smallMultiples(
  runs: readonly ComparedRun[],
  curves: readonly ComparisonCurve[],
  baseline: number,
): Html {
  const { across, up } = extents(curves);
  const at = plot(MULTIPLE, across, up);
  const pictures = runs.map((run, place) => {
    const { totalReturn, sharpe, maxDrawdown } = run.summary;
    const isBase = place === baseline;
    const words = `${run.name}: return ${signedPercent(totalReturn)}, Sharpe ratio ${ratio(sharpe)}, worst drawdown ${percent(maxDrawdown)}`;
    return html`<li><h3>${run.name}${isBase ? html` <small>baseline</small>` : ''}</h3>${verdictChip(run)}<svg viewBox="0 0 320 150" role="img" aria-label="${words}">${valueAxis(at, up, (value) => percent(value / 100, 0))}${footAxis(at, yearMarks(across))}${isBase ? '' : html`<use class="behind" href="${`#curve-${baseline}`}"/>`}<use class="own" href="${`#curve-${place}`}"/></svg><p><b>${signedPercent(totalReturn)}</b> · Sharpe ${ratio(sharpe)} · <span>drawdown ${percent(maxDrawdown)}</span></p></li>`;
  });
  return html`<ul class="multiples">${pictures}</ul><p class="note">Return since the initial cash, all on one scale; the grey line is ${runs[baseline]!.name}’s.</p>`;
}

/** Draws every run as a grey line. The line of the run under the pointer is emphasised. */
export function bundle(
  runs: readonly ComparedRun[],
  curves: readonly ComparisonCurve[],
  baseline: number,
): Html {
  const { across, up } = extents(curves);
  const at = plot({ width: 640, height: 320 }, across, up);
  const lines = runs.map(
    ({ name }, place) =>
      html`<path class="${place === baseline ? 'line base' : 'line'}" data-run="${place}" d="${path(at, curves[place]!, POINTS_OF_MANY)}"><title>${name}</title></path>`,
  );
  return figure(
    'bundle',
    `Return of ${runs.length} runs since the initial cash; the dark line is ${runs[baseline]!.name}’s.`,
    at,
    valueAxis(at, up, (value) => percent(value / 100, 0)),
    footAxis(at, yearMarks(across)),
    lines,
  );
}

/** Draws annualised return against maximum drawdown. Better runs are towards the upper left. */
export function returnByDrawdown(runs: readonly ComparedRun[], baseline: number): Html {
  const points = runs.flatMap(({ name, summary }, place) => {
    const { cagr, maxDrawdown } = summary;
    return cagr === null || maxDrawdown === null ? [] : [{ name, place, cagr, depth: -maxDrawdown }];
  });
  if (points.length < 2) return html`<p>Too few runs have an annualised return to draw.</p>`;
  const across = { ...roomy(extentOf([0, ...points.map(({ depth }) => depth)])), low: 0 };
  const up = roomy(extentOf([0, ...points.map(({ cagr }) => cagr)]));
  const at = plot({ width: 640, height: 320 }, across, up);
  const dots = points.map(
    ({ name, place, cagr, depth }) =>
      html`<circle class="${place === baseline ? 'dot base' : 'dot'}" data-run="${place}" cx="${fixed(at.x(depth))}" cy="${fixed(at.y(cagr))}" r="5"><title>${`${name}: ${signedPercent(cagr)} a year, worst drawdown ${percent(-depth)}`}</title></circle>`,
  );
  const marks = ticks(across).map((depth): [number, string] => [depth, percent(-depth, 0)]);
  return figure(
    'return-drawdown',
    'Return a year by the worst drawdown of each run; up and to the left is better.',
    at,
    valueAxis(at, up, (value) => percent(value, 1)),
    footAxis(at, marks),
    html`<path class="zero" d="M${at.left} ${fixed(at.y(0))}H${at.right}"/>`,
    dots,
  );
}

const SPARK = { width: 90, height: 22 };

/** Draws the return of a run as a line that fits in a table row. */
export function sparkline(place: number): Html {
  const { width, height } = SPARK;
  return html`<svg class="spark" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true"><use href="${`#spark-${place}`}"/></svg>`;
}

function sparkPath({ times, equity }: ComparisonCurve): string {
  if (times.length < 2) return '';
  const up = extentOf(equity);
  const { width, height } = SPARK;
  const from = times[0]!;
  const span = times.at(-1)! - from || 1;
  const points = thinned(times.length, POINTS_OF_A_SPARKLINE).map(
    (point) =>
      `${fixed(((times[point]! - from) / span) * width)} ${fixed(height - 2 - ((equity[point]! - up.low) / (up.high - up.low || 1)) * (height - 4))}`,
  );
  return `M${points.join('L')}`;
}

function extents(curves: readonly ComparisonCurve[]): { readonly across: Extent; readonly up: Extent } {
  return {
    across: extentOf(curves.flatMap(({ times }) => [times[0] ?? 0, times.at(-1) ?? 0])),
    up: roomy(extentOf([0, ...curves.flatMap(({ equity }) => [...extentValues(equity)])])),
  };
}

function extentValues(values: readonly number[]): [number, number] {
  const { low, high } = extentOf(values);
  return [low, high];
}

function path(at: Plot, { times, equity }: ComparisonCurve, most: number): string {
  const places = thinned(times.length, most);
  return lineThrough(
    at,
    places.map((place) => times[place]!),
    places.map((place) => equity[place]!),
  );
}

const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 365 * DAY_SECONDS;

/** Returns the labels of the time axis: years for long periods, dates for short ones. */
function yearMarks({ low, high }: Extent): [number, string][] {
  const digits = high - low > 2 * YEAR_SECONDS ? 4 : 10;
  return [low, (low + high) / 2, high].map((time) => [
    time,
    new Date(time * 1000).toISOString().slice(0, digits),
  ]);
}
