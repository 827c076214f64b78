import { drawdownCurve, type EquityColumns, equityColumns, evaluated } from '../../analysis/index.ts';
import type { StoredRun } from '../../runs/index.ts';
import { ascending } from '../report/chart-data.ts';

/** Points of a curve that a page of many runs can hold and stay fluid. */
const MOST_POINTS = 4_000;
const MOST_POINTS_OF_ALL = 100_000;

/** One run's curves on the comparison page. */
export interface ComparisonCurve {
  readonly name: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  /** Equity over the initial cash, less one, in percent. */
  readonly equity: readonly number[];
  /** In percent. */
  readonly drawdown: readonly number[];
}

/**
 * The runs' curves, thinned on one grid of times.
 *
 * A chart gives every distinct time the same width: curves thinned each by itself would stretch the years
 * that have more of their points.
 *
 * @param names of the curves, in the runs' order
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
 * The last time in each of at most `most` spans of equal length in which any run has a bar, ascending.
 *
 * @param times of each run, ascending, milliseconds since 1970
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
