import {
  drawdownCurve,
  type EquityColumns,
  equityColumns,
  evaluated,
  VERDICT_WORDS,
} from '../../results/analysis/index.ts';
import type { ComparedRun, StoredRun } from '../../results/runs/index.ts';
import { ascending } from '../report/chart-data.ts';
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

/**
 * Maximum numbers of points that a browser draws smoothly. `MOST_POINTS` is for one curve,
 * `MOST_POINTS_OF_ALL` for the whole page.
 */
const MOST_POINTS = 4_000;
const MOST_POINTS_OF_ALL = 100_000;

/** Curves of one run on the comparison page. */
export interface ComparisonCurve {
  readonly name: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  /** Return since the start of the run, in percent: equity / initial cash − 1. */
  readonly equity: readonly number[];
  /** Drawdown in percent. */
  readonly drawdown: readonly number[];
}

/**
 * Returns the curves of all runs, reduced to points at common times.
 *
 * The chart gives every distinct time the same width. If the points of each curve were chosen separately,
 * years with more distinct times would be wider.
 *
 * @param names names of the curves, in the order of the runs
 */
export function comparisonCurves(stored: readonly StoredRun[], names: readonly string[]): ComparisonCurve[] {
  const columns = stored.map(({ record }) => equityColumns(evaluated(record)));
  const most = Math.max(100, Math.min(MOST_POINTS, Math.floor(MOST_POINTS_OF_ALL / stored.length)));
  const ends = commonGrid(
    columns.map(({ times }) => times),
    most,
  );
  const seconds = ascending(ends.map((end) => Math.floor(end / 1000)));
  return columns.map((own, index) => curveOn(own, names[index]!, ends, seconds));
}

/**
 * Divides the period from the first to the last bar of all runs into at most `most` spans of equal length.
 * Returns the last bar time in each span that contains bars, ascending.
 *
 * @param times bar times of each run, ascending, in milliseconds since 1970
 */
export function commonGrid(times: readonly ArrayLike<number>[], most: number): number[] {
  const known = times.filter(({ length }) => length > 0);
  const first = Math.min(...known.map((own) => own[0]!));
  const last = Math.max(...known.map((own) => own[own.length - 1]!));
  const width = Math.max((last - first + 1) / most, 1);
  const latest = new Map<number, number>();
  for (const own of known) {
    for (let bar = 0; bar < own.length; bar++) {
      const span = Math.floor((own[bar]! - first) / width);
      latest.set(span, Math.max(latest.get(span) ?? own[bar]!, own[bar]!));
    }
  }
  return [...latest.values()].sort((a, b) => a - b);
}

function curveOn(
  columns: EquityColumns,
  name: string,
  ends: readonly number[],
  seconds: readonly number[],
): ComparisonCurve {
  const drawdown = drawdownCurve(columns);
  const start = columns.initialCash.toNumber();
  const short = (value: number): number => Number((value * 100).toPrecision(7));
  const curve = { times: [] as number[], equity: [] as number[], drawdown: [] as number[] };
  let bar = 0;
  for (const [point, end] of ends.entries()) {
    const from = bar;
    while (bar < columns.times.length && columns.times[bar]! <= end) bar++;
    if (bar === from) continue;
    curve.times.push(seconds[point]!);
    curve.equity.push(short(columns.equity[bar - 1]! / start - 1));
    curve.drawdown.push(short(drawdown.subarray(from, bar).reduce((a, b) => Math.min(a, b))));
  }
  return { name, ...curve };
}

/**
 * Number of points of each curve in a picture with many curves. `POINTS_OF_A_SPARKLINE` is for a curve in a
 * table row.
 */
const POINTS_OF_MANY = 240;
const POINTS_OF_A_SPARKLINE = 60;

export function verdictChip({ summary }: Pick<ComparedRun, 'summary'>): Html {
  const { state } = summary.verdict;
  return html`<span class="chip" data-state="${state}">${VERDICT_WORDS[state]}</span>`;
}

const MULTIPLE = { width: 320, height: 150 };

/**
 * Returns the curves of all runs as SVG shapes, to which the pictures refer. The page contains pictures for
 * each baseline. Without shared shapes, a page with twelve runs would contain each curve 23 times.
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
 * Draws one picture per run, all with the same axes. Each picture also shows the curve of the baseline in
 * grey.
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
    return html`<li><h3>${run.name}${isBase ? html` <small>baseline</small>` : ''}</h3>${verdictChip(run)}<svg viewBox="0 0 320 150" role="img" aria-label="${words}">${valueAxis(at, up, (value) => percent(value / 100, 0))}${footAxis(at, yearMarks(across))}${isBase ? '' : html`<use class="held" href="${`#curve-${baseline}`}"/>`}<use class="own" href="${`#curve-${place}`}"/></svg><p class="note"><b>${signedPercent(totalReturn)}</b> · Sharpe ${ratio(sharpe)} · <span class="date">drawdown ${percent(maxDrawdown)}</span></p></li>`;
  });
  return html`<ul class="columns multiples">${pictures}</ul><p class="note">Return since the initial cash, all on one scale; the dashed line is ${runs[baseline]!.name}’s.</p>`;
}

/** Draws a grey curve for every run. The curve of the run under the pointer is highlighted. */
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

/**
 * Draws the annualised return of each run against its maximum drawdown. Better runs are towards the upper
 * left.
 */
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

/** Draws the return of a run as a small curve for a table row. The curve is a shape from `shapes`. */
export function sparkline(place: number): Html {
  const { width, height } = SPARK;
  return html`<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true"><use class="own" href="${`#spark-${place}`}"/></svg>`;
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

/** Returns three labels of the time axis: years if the period is longer than two years, dates otherwise. */
function yearMarks({ low, high }: Extent): [number, string][] {
  const digits = high - low > 2 * YEAR_SECONDS ? 4 : 10;
  return [low, (low + high) / 2, high].map((time) => [
    time,
    new Date(time * 1000).toISOString().slice(0, digits),
  ]);
}
