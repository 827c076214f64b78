import { drawdownCurve, type EquityColumns, equityColumns, evaluated } from '../../analysis/index.ts';
import type { StoredRun } from '../../runs/index.ts';
import { ascending } from '../report/chart-data.ts';

/** Maximum number of points per curve, and on the page in total, that a browser draws smoothly. */
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
 * Returns the curves of all runs, thinned on a common grid of times.
 *
 * A chart gives every distinct time the same width. If each curve were thinned separately, years with more
 * distinct times would appear wider.
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
 * Divides the period into at most `most` spans of equal length. Returns the last bar time of each span,
 * ascending.
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
