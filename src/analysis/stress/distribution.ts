import { recordOf } from '../../kernel/index.ts';
import { normalQuantile } from '../series/normal.ts';
import { quantileOf } from '../series/quantiles.ts';
import { type FigureValues, STRESS_FIGURE_NAMES, STRESS_FIGURES, type StressFigureName } from './figures.ts';

/** One world's run. An `insolvent` one lost everything; a `failed` one gave no result. */
export interface WorldRow {
  /** From 1. */
  readonly world: number;
  readonly outcome: 'completed' | 'insolvent' | 'failed';
  /** All null for a failed world. */
  readonly figures: FigureValues;
  /** Why it gave no result. */
  readonly error?: string;
}

/** The actual run. */
export interface ActualRun {
  readonly isInsolvent: boolean;
  readonly figures: FigureValues;
}

const STRESS_QUANTILES = {
  q01: 0.01,
  q05: 0.05,
  q25: 0.25,
  q50: 0.5,
  q75: 0.75,
  q95: 0.95,
  q99: 0.99,
} as const;
export type Quantiles = Readonly<Record<keyof typeof STRESS_QUANTILES, number>>;

export interface ShareInterval {
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}

/** One figure of the actual run among those of the worlds. */
export interface StressFigure {
  readonly actual: number | null;
  /** 1 where more is better, −1 where less is, 0 for neither. */
  readonly better: 1 | -1 | 0;
  /** Worlds for which the figure is defined: what the quantiles are of. */
  readonly defined: number;
  /** Null without any such world. */
  readonly quantiles: Quantiles | null;
  /**
   * Chance of doing at least as well in a world without the edge: (1 + worlds that did) / (1 + worlds). Null where the
   * actual figure is not defined, or where neither more nor less is better; left out for `noise`, which is no null.
   */
  readonly p?: number | null;
  /** Worlds that did at least as well. */
  readonly asGood?: number | null;
  /** Of the share of worlds that did at least as well, over all worlds that could be made. */
  readonly interval?: ShareInterval | null;
}

const CONFIDENCE = 0.95;
/** Figures closer than this share of each other are the same: sums of the same trades in another order. */
const ROUNDING = 1e-9;

/** Every figure of the actual run among those of the worlds. */
export function stressDistribution(
  actual: ActualRun,
  rows: readonly WorldRow[],
  isNull: boolean,
): Record<StressFigureName, StressFigure> {
  return recordOf(STRESS_FIGURE_NAMES, (name) => figureAmong(name, actual, rows, isNull));
}

function figureAmong(
  name: StressFigureName,
  actual: ActualRun,
  rows: readonly WorldRow[],
  isNull: boolean,
): StressFigure {
  const values = Float64Array.from(definedValues(name, rows)).sort();
  const better = STRESS_FIGURES[name];
  const common = {
    actual: actual.figures[name],
    better,
    defined: values.length,
    quantiles: values.length === 0 ? null : quantilesOf(values),
  };
  if (!isNull) return common;
  if (actual.figures[name] === null || better === 0 || rows.length === 0)
    return { ...common, p: null, asGood: null, interval: null };
  const asGood = rows.filter((row) => didAsWell(name, row, actual)).length;
  return {
    ...common,
    p: (1 + asGood) / (1 + rows.length),
    asGood,
    interval: shareInterval(asGood, rows.length),
  };
}

/** Values of a figure over the worlds that have it. */
export function definedValues(name: StressFigureName, rows: readonly WorldRow[]): number[] {
  return rows.flatMap(({ figures }) => {
    const value = figures[name];
    return value === null || !Number.isFinite(value) ? [] : [value];
  });
}

/**
 * Whether a world did at least as well as the actual run.
 *
 * An insolvent world did worse than any that was not. A failed one may have done as well: nobody knows, so it counts
 * against the strategy. Where a figure is not defined, such as the profit factor of a run without a losing trade, total
 * return decides.
 */
function didAsWell(name: StressFigureName, row: WorldRow, actual: ActualRun): boolean {
  if (row.outcome === 'failed' || actual.isInsolvent) return true;
  if (row.outcome === 'insolvent') return false;
  const [own, other] = [row.figures[name], actual.figures[name]];
  if (own === null || other === null)
    return atLeast(row.figures.totalReturn ?? 0, actual.figures.totalReturn ?? 0);
  return STRESS_FIGURES[name] < 0 ? atLeast(other, own) : atLeast(own, other);
}

function atLeast(value: number, bound: number): boolean {
  return value >= bound - ROUNDING * Math.max(Math.abs(value), Math.abs(bound));
}

export function quantilesOf(sorted: ArrayLike<number>): Quantiles {
  const entries = Object.entries(STRESS_QUANTILES).map(([name, share]) => [name, quantileOf(sorted, share)]);
  return Object.fromEntries(entries) as Quantiles;
}

/**
 * Interval of a share by Wilson's score.
 *
 * Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927).
 *
 * @param of at least 1
 */
export function shareInterval(count: number, of: number): ShareInterval {
  const z = -normalQuantile((1 - CONFIDENCE) / 2);
  const share = count / of;
  const centre = share + z ** 2 / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  const whole = 1 + z ** 2 / of;
  return {
    // At no and at all worlds the interval ends there; rounding would leave it beyond.
    low: count === 0 ? 0 : (centre - half) / whole,
    high: count === of ? 1 : (centre + half) / whole,
    confidence: CONFIDENCE,
  };
}
