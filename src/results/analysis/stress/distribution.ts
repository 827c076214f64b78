import { recordOf } from '../../../kernel/index.ts';
import type { Figure } from '../figures/figures.ts';
import type { Metrics } from '../figures/metrics.ts';
import { normalQuantile } from '../series/distributions.ts';
import { directionOf, type FigureName, figureEntry } from '../series/figure-catalogue.ts';
import { quantileOf } from '../series/ratios.ts';

/**
 * Figures used to compare worlds (the artificial markets of a stress test), in the order of the stress
 * report.
 */
export const STRESS_FIGURE_NAMES = [
  'sharpe',
  'totalReturn',
  'cagr',
  'sortino',
  'calmar',
  'maxDrawdown',
  'drawdownDays',
  'averageDrawdown',
  'ulcerIndex',
  'ulcerPerformanceIndex',
  'gainToPain',
  'omega',
  'psr',
  'valueAtRisk',
  'conditionalValueAtRisk',
  'volatility',
  'exposure',
  'turnover',
  'tradeCount',
  'winRate',
  'profitFactor',
  'expectancyRate',
  'payoffRatio',
  'sqn',
  'returnBeforeCosts',
  'benchmarkReturn',
  'alpha',
  'informationRatio',
] as const satisfies readonly FigureName[];

export type StressFigureName = (typeof STRESS_FIGURE_NAMES)[number];

/** Figures of one run. `null` if undefined. */
export type FigureValues = Readonly<Record<StressFigureName, number | null>>;

/** Returns the figures of a run that a stress test compares. The values equal those in the run's summary. */
export function stressFigures(metrics: Metrics): FigureValues {
  const entries = STRESS_FIGURE_NAMES.map((name) => {
    const { metric = name } = figureEntry(name) ?? {};
    return [name, (metrics[metric as keyof Metrics] as Figure).value];
  });
  return Object.fromEntries(entries) as FigureValues;
}

/** Returns the figures of a run without a result: all `null`. */
export function emptyFigures(): FigureValues {
  return Object.fromEntries(STRESS_FIGURE_NAMES.map((name) => [name, null])) as FigureValues;
}

/**
 * Result of a run in one world, that is, on one artificial market of a stress test. The outcome `insolvent`
 * means that the run lost everything, `failed` that it has no result.
 */
export interface WorldRow {
  /** Number of the world (artificial market), from 1. */
  readonly world: number;
  readonly outcome: 'completed' | 'insolvent' | 'failed';
  /** Figures of the run. All are `null` if the run failed. */
  readonly figures: FigureValues;
  /** Error of a failed run. */
  readonly error?: string;
}

/** Result of the run on the actual market. */
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

/** Figure of the run on the actual market, compared with the runs in the worlds (artificial markets). */
export interface StressFigure {
  readonly actual: number | null;
  /** 1 if a higher value is better, −1 if a lower value is better, 0 for neither. */
  readonly better: 1 | -1 | 0;
  /** Number of worlds in which the figure is defined. `quantiles` are computed from these worlds only. */
  readonly defined: number;
  /**
   * Quantiles of the figure over the worlds (artificial markets). `null` if the figure is undefined in all of
   * them.
   */
  readonly quantiles: Quantiles | null;
  /**
   * p-value: probability that a strategy without skill has a figure at least as good as the actual figure.
   * Computed as (1 + `asGood`) / (1 + number of worlds). `null` if the actual figure is undefined, or if
   * neither direction is better. Absent for worlds of the kind `noise`, because they are not a null
   * hypothesis.
   */
  readonly p?: number | null;
  /** Number of worlds with a figure at least as good as the actual figure. */
  readonly asGood?: number | null;
  /** Confidence interval of the share of worlds with a figure at least as good as the actual figure. */
  readonly interval?: ShareInterval | null;
}

const CONFIDENCE = 0.95;
/**
 * Relative difference up to which figures count as equal, for example sums of the same trades in another
 * order.
 */
const ROUNDING = 1e-9;

/**
 * Compares every figure of the run on the actual market with the runs in the worlds (artificial markets).
 *
 * @param isNull true if the worlds are a null hypothesis. If false, p-values are not computed
 */
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
  const better = directionOf(name);
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

/** Values of a figure in the worlds where it is defined. */
export function definedValues(name: StressFigureName, rows: readonly WorldRow[]): number[] {
  return rows.flatMap(({ figures }) => {
    const value = figures[name];
    return value === null || !Number.isFinite(value) ? [] : [value];
  });
}

/**
 * Returns true if the run in a world (artificial market) did at least as well as the actual run.
 *
 * A run that lost everything did worse than an actual run that did not. A failed run counts against the
 * strategy, because its result is unknown. If a figure is undefined, such as the profit factor without losing
 * trades, total return is compared instead.
 */
function didAsWell(name: StressFigureName, row: WorldRow, actual: ActualRun): boolean {
  if (row.outcome === 'failed' || actual.isInsolvent) return true;
  if (row.outcome === 'insolvent') return false;
  const [own, other] = [row.figures[name], actual.figures[name]];
  if (own === null || other === null)
    return atLeast(row.figures.totalReturn ?? 0, actual.figures.totalReturn ?? 0);
  return directionOf(name) < 0 ? atLeast(other, own) : atLeast(own, other);
}

function atLeast(value: number, bound: number): boolean {
  return value >= bound - ROUNDING * Math.max(Math.abs(value), Math.abs(bound));
}

export function quantilesOf(sorted: ArrayLike<number>): Quantiles {
  const entries = Object.entries(STRESS_QUANTILES).map(([name, share]) => [name, quantileOf(sorted, share)]);
  return Object.fromEntries(entries) as Quantiles;
}

/**
 * Returns the confidence interval of the share `count / of`, by Wilson's score.
 *
 * Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22
 * (1927).
 *
 * @param of number of all cases, at least 1
 */
export function shareInterval(count: number, of: number): ShareInterval {
  const z = -normalQuantile((1 - CONFIDENCE) / 2);
  const share = count / of;
  const centre = share + z ** 2 / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  const whole = 1 + z ** 2 / of;
  return {
    // If `count` is 0 or equals `of`, the exact bound is 0 or 1. The formula would give a slightly different
    // number because of rounding.
    low: count === 0 ? 0 : (centre - half) / whole,
    high: count === of ? 1 : (centre + half) / whole,
    confidence: CONFIDENCE,
  };
}
