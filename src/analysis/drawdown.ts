import { DAY } from '../kernel/index.ts';
import type { EquityColumns } from './equity.ts';

/** Drawdown: a fall of equity below its running maximum, until it recovers to that maximum. */
export interface Drawdown {
  /** Lowest equity relative to the peak, minus one. Negative. */
  readonly depth: number;
  /** Date of the last bar at the peak. The first bar's date if the peak is the initial cash. */
  readonly peakDate: string;
  readonly troughDate: string;
  /** Date of recovery, or of the last bar. */
  readonly endDate: string;
  /** Calendar days from the peak to the end. */
  readonly days: number;
  readonly recovered: boolean;
}

/**
 * Equity relative to its running maximum, minus one: one element per bar, never above 0. The initial cash is
 * the first maximum.
 */
export function drawdownCurve({ equity, initialCash }: EquityColumns): Float64Array {
  let peak = initialCash.toNumber();
  const curve = new Float64Array(equity.length);
  for (let bar = 0; bar < curve.length; bar++) {
    const value = equity[bar]!;
    // A benchmark is NaN where it does not cover the run. NaN is preserved.
    if (!Number.isNaN(value)) peak = Math.max(peak, value);
    curve[bar] = value === peak ? 0 : value / peak - 1;
  }
  return curve;
}

/** Returns every drawdown, oldest first. */
export function drawdownsOf({ times, dates }: EquityColumns, curve: Float64Array): Drawdown[] {
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
      peakDate: dates[peak]!,
      troughDate: dates[trough]!,
      endDate: dates[end]!,
      days: (times[end]! - times[peak]!) / DAY,
      recovered: curve[end] === 0,
    });
    peak = end;
    bar = end;
  }
  return drawdowns;
}

/** Returns the first drawdown with the largest measure. `undefined` without drawdowns. */
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
