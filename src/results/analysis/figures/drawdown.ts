import { DAY, formatInstant } from '../../../kernel/index.ts';
import type { EquityColumns } from './equity.ts';
import { type Figure, figure, mean, NO_BARS, type Undefined, undefinedBecause } from './figures.ts';
import type { YearOfReturns } from './returns.ts';
import type { Sessions } from './sessions.ts';

/** Drawdown: a fall of equity below its running maximum, until it recovers to that maximum. */
export interface Drawdown {
  /** Lowest equity relative to the peak, minus one. Negative. */
  readonly depth: number;
  /**
   * Date of the last bar at which equity was at the peak. The first bar's date if the peak is the initial
   * cash.
   */
  readonly peakDate: string;
  readonly troughDate: string;
  /** Date of the bar at which equity recovered to the peak. Date of the last bar if it did not recover. */
  readonly endDate: string;
  /** Calendar days from `peakDate` to `endDate`. */
  readonly days: number;
  readonly recovered: boolean;
}

/**
 * Returns equity divided by its running maximum, minus one, for each bar. Never above 0. The initial cash is
 * the first maximum.
 */
export function drawdownCurve({ equity, initialCash }: EquityColumns): Float64Array {
  let peak = initialCash.toNumber();
  const curve = new Float64Array(equity.length);
  for (let bar = 0; bar < curve.length; bar++) {
    const value = equity[bar]!;
    // The equity of a benchmark is NaN at bars that the benchmark does not cover. The curve is NaN at the
    // same bars.
    if (!Number.isNaN(value)) peak = Math.max(peak, value);
    curve[bar] = value === peak ? 0 : value / peak - 1;
  }
  return curve;
}

/** Returns every drawdown, oldest first. */
export function drawdownsOf({ times }: EquityColumns, curve: Float64Array): Drawdown[] {
  const drawdowns: Drawdown[] = [];
  let peak = 0;
  for (let bar = 0; bar < curve.length; bar++) {
    if (curve[bar] === 0) {
      peak = bar;
      continue;
    }
    let trough = bar;
    let end = bar;
    while (end + 1 < curve.length && curve[end] !== 0) {
      end += 1;
      if (curve[end]! < curve[trough]!) trough = end;
    }
    drawdowns.push({
      depth: curve[trough]!,
      peakDate: formatInstant(times[peak]!),
      troughDate: formatInstant(times[trough]!),
      endDate: formatInstant(times[end]!),
      days: (times[end]! - times[peak]!) / DAY,
      recovered: curve[end] === 0,
    });
    peak = end;
    bar = end;
  }
  return drawdowns;
}

/**
 * Returns the drawdown with the largest measure, for example depth. Returns the oldest of several equal
 * drawdowns. `undefined` without drawdowns.
 */
export function firstLargest(
  drawdowns: readonly Drawdown[],
  measure: (one: Drawdown) => number,
): Drawdown | undefined {
  let best = drawdowns[0];
  for (const one of drawdowns) if (best === undefined || measure(one) > measure(best)) best = one;
  return best;
}

/** Maximum number of drawdowns in the report and the summary. */
const MOST_LISTED = 10;

/** Returns the deepest drawdowns, deepest first. Drawdowns of equal depth are sorted by date. */
export function deepestDrawdowns(drawdowns: readonly Drawdown[]): Drawdown[] {
  return [...drawdowns].sort((a, b) => a.depth - b.depth).slice(0, MOST_LISTED);
}

/** Summary figures of a run's drawdowns. `Metrics` contains the deepest and the longest drawdown. */
export interface DrawdownFigures {
  readonly drawdownCount: Figure;
  /** Mean depth of all drawdowns, negative. */
  readonly averageDrawdown: Figure;
  readonly averageDrawdownDays: Figure;
  readonly ulcerIndex: Figure;
  readonly ulcerPerformanceIndex: Figure;
  readonly recoveryFactor: Figure;
  readonly gainToPain: Figure;
}

const NO_DRAWDOWN = undefinedBecause('there was no drawdown');

/**
 * Computes the summary figures of a run's drawdowns.
 *
 * @param growth CAGR of the run, as a fraction
 * @param riskFreeRate annualised, as a fraction
 */
export function drawdownFigures(
  columns: EquityColumns,
  sessions: Sessions,
  drawdowns: readonly Drawdown[],
  years: readonly YearOfReturns[],
  growth: number | Undefined,
  riskFreeRate: number,
): DrawdownFigures {
  const none = columns.equity.length === 0 ? NO_BARS : drawdowns.length === 0 ? NO_DRAWDOWN : undefined;
  const ulcer = ulcerIndex(columns, sessions);
  return {
    drawdownCount: figure(
      'falls below a running maximum, at bar closes, from the initial cash',
      columns.equity.length === 0 ? NO_BARS : drawdowns.length,
    ),
    averageDrawdown: figure(
      'mean depth of all drawdowns, one not recovered included',
      none ?? mean(drawdowns.map(({ depth }) => depth)),
    ),
    averageDrawdownDays: figure(
      'mean calendar days of all drawdowns, from peak to recovery or the end',
      none ?? mean(drawdowns.map(({ days }) => days)),
    ),
    ulcerIndex: figure('√ of the mean squared drawdown, at session closes, from the initial cash', ulcer),
    ulcerPerformanceIndex: figure(
      '(CAGR − rf) / ulcer index',
      typeof growth !== 'number'
        ? growth
        : typeof ulcer !== 'number'
          ? ulcer
          : ulcer === 0
            ? NO_DRAWDOWN
            : (growth - riskFreeRate) / ulcer,
    ),
    recoveryFactor: figure('net profit / largest drawdown in money, at bar closes', recoveryFactor(columns)),
    gainToPain: figure('Σ monthly returns / |Σ negative monthly returns|', gainToPain(columns, years)),
  };
}

// P. Martin and B. McCann, "The Investor's Guide to Fidelity Funds" (1989).
function ulcerIndex({ initialCash }: EquityColumns, { equity }: Sessions): number | Undefined {
  if (equity.length === 0) return NO_BARS;
  let peak = initialCash.toNumber();
  let squares = 0;
  for (let index = 0; index < equity.length; index++) {
    const value = equity[index]!;
    peak = Math.max(peak, value);
    squares += (value / peak - 1) ** 2;
  }
  return Math.sqrt(squares / equity.length);
}

function recoveryFactor({ equity, initialCash }: EquityColumns): number | Undefined {
  if (equity.length === 0) return NO_BARS;
  const start = initialCash.toNumber();
  let peak = start;
  let deepest = 0;
  for (let index = 0; index < equity.length; index++) {
    const value = equity[index]!;
    peak = Math.max(peak, value);
    deepest = Math.max(deepest, peak - value);
  }
  return deepest === 0 ? NO_DRAWDOWN : (equity.at(-1)! - start) / deepest;
}

// J. Schwager, "Hedge Fund Market Wizards" (2012).
function gainToPain({ equity }: EquityColumns, years: readonly YearOfReturns[]): number | Undefined {
  if (equity.length === 0) return NO_BARS;
  if (isAnyNotPositive(equity)) return undefinedBecause('equity was not positive');
  let [sum, pain] = [0, 0];
  for (const { months } of years)
    for (const month of months) {
      if (month === null) continue;
      sum += month;
      pain += Math.min(month, 0);
    }
  return pain === 0 ? undefinedBecause('no month lost money') : sum / -pain;
}

function isAnyNotPositive(equity: Float64Array): boolean {
  for (let index = 0; index < equity.length; index++) if (equity[index]! <= 0) return true;
  return false;
}
