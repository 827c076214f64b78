import { z } from 'zod';
import type { Random } from '../../../kernel/index.ts';
import { groupBy } from '../alarms/order-alarms.ts';
import { normalCdf, normalQuantile } from '../series/distributions.ts';
import { quantileOf } from '../series/ratios.ts';
import type { Forecast } from './forecasts.ts';

const figure = z.number().nullable();
const count = z.number().int().min(0);

/** Comparison of the probabilities that decisions state with the outcomes. */
export const calibrationSchema = z.strictObject({
  field: z.string(),
  states: z.enum(['up', 'right']),
  /** Number of bars from a decision to the outcome of its forecast. */
  horizon: count,
  forecasts: count,
  /**
   * Number of periods (blocks) with forecasts. Each period is as long as the horizon, because the outcomes of
   * forecasts within a period overlap.
   */
  blocks: count,
  /** Number of decisions whose answer does not contain a probability from 0 to 1. */
  unusable: count,
  /** Share of forecasts that came true. */
  baseRate: figure,
  brier: figure,
  /** Brier score of a forecaster that always states the base rate. */
  reference: figure,
  /**
   * 1 minus `brier` divided by `reference`. Above 0 if the forecasts are better than always stating the base
   * rate.
   */
  skill: figure,
  skillLow: figure,
  skillHigh: figure,
  /**
   * p-value: probability of a difference at least this large between stated and observed shares if the
   * forecasts are calibrated.
   */
  p: figure,
  bins: z.array(
    z.strictObject({
      from: z.number(),
      to: z.number(),
      forecasts: count,
      /**
       * Mean of the stated probabilities. `observed` is the share of forecasts that came true, with its 95 %
       * interval.
       */
      stated: z.number(),
      observed: z.number(),
      low: z.number(),
      high: z.number(),
    }),
  ),
});
export type Calibration = z.infer<typeof calibrationSchema>;

/**
 * Minimum number of periods (blocks) for an interval of the skill and for the audit. With fewer periods, the
 * interval would be too narrow.
 */
export const FEWEST_STRETCHES = 30;

const BINS = 5;
const RESAMPLES = 1_999;
const TAIL = 0.025;

/**
 * Computes Brier score, skill against the base rate, a reliability table, and a calibration test.
 *
 * Forecasts of one block depend on each other, because their outcomes overlap. Blocks are therefore the
 * independent units. The interval of the skill resamples blocks. The intervals of bins use the number of
 * blocks as the number of trials. The test sums residuals by block.
 *
 * The test uses the larger of two statistics: the mean residual y − p, and Spiegelhalter's (y − p)(1 − 2p). y
 * is the outcome (0 or 1), p the stated probability. Each statistic is summed by block, and divided by the
 * square root of the sum of the squared block sums. The p-value is doubled because there are two statistics.
 *
 * Source: G. W. Brier (1950); A. H. Murphy, "A New Vector Partition of the Probability Score" (1973); D. J.
 * Spiegelhalter, "Probabilistic Prediction in Patient Management and Clinical Trials" (1986); intervals of
 * shares by E. B. Wilson (1927).
 *
 * @param forecasts forecasts, each with the name of its block
 */
export function calibrationOf(
  forecasts: readonly (Forecast & { readonly block: string })[],
  random: Random,
): Pick<
  Calibration,
  'blocks' | 'baseRate' | 'brier' | 'reference' | 'skill' | 'skillLow' | 'skillHigh' | 'p' | 'bins'
> {
  const blocks = [...groupBy(forecasts, ({ block }) => block).values()];
  const none = { baseRate: null, brier: null, reference: null, skill: null, skillLow: null, skillHigh: null };
  if (forecasts.length === 0) return { blocks: 0, ...none, p: null, bins: [] };
  const sums = blocks.map(sumsOf);
  const { brier, baseRate, reference, skill } = scoreOf(sums);
  const drawn: number[] = [];
  for (let resample = 0; resample < RESAMPLES; resample++) {
    const { skill: own } = scoreOf(sums.map(() => sums[random.integer(0, sums.length - 1)]!));
    if (own !== null) drawn.push(own);
  }
  const sorted = Float64Array.from(drawn).sort();
  const hasInterval = blocks.length >= FEWEST_STRETCHES && sorted.length > 0;
  return {
    blocks: blocks.length,
    baseRate,
    brier,
    reference,
    skill,
    skillLow: hasInterval ? quantileOf(sorted, TAIL) : null,
    skillHigh: hasInterval ? quantileOf(sorted, 1 - TAIL) : null,
    p: luckOf(sums),
    bins: binsOf(forecasts),
  };
}

/**
 * Sums over the forecasts of a block: count, squared errors, and forecasts that came true. `bias` is the sum
 * of the residuals y − p, and `spread` the sum of (y − p)(1 − 2p).
 */
interface Sums {
  readonly count: number;
  readonly squares: number;
  readonly hits: number;
  readonly bias: number;
  readonly spread: number;
}

function sumsOf(forecasts: readonly Forecast[]): Sums {
  let [squares, hits, bias, spread] = [0, 0, 0, 0];
  for (const { probability, came } of forecasts) {
    const residual = (came ? 1 : 0) - probability;
    squares += residual * residual;
    hits += came ? 1 : 0;
    bias += residual;
    spread += residual * (1 - 2 * probability);
  }
  return { count: forecasts.length, squares, hits, bias, spread };
}

function scoreOf(sums: readonly Sums[]): {
  readonly brier: number;
  readonly baseRate: number;
  readonly reference: number;
  readonly skill: number | null;
} {
  let [count, squares, hits] = [0, 0, 0];
  for (const one of sums) {
    count += one.count;
    squares += one.squares;
    hits += one.hits;
  }
  const [brier, baseRate] = [squares / count, hits / count];
  const reference = baseRate * (1 - baseRate);
  return { brier, baseRate, reference, skill: reference === 0 ? null : 1 - brier / reference };
}

function luckOf(sums: readonly Sums[]): number | null {
  const found = (['bias', 'spread'] as const).flatMap((name) => {
    const squares = sums.reduce((total, one) => total + one[name] ** 2, 0);
    return squares <= 1e-12 ? [] : [sums.reduce((total, one) => total + one[name], 0) / Math.sqrt(squares)];
  });
  if (found.length === 0) return null;
  const largest = Math.max(...found.map(Math.abs));
  return Math.min(1, found.length * 2 * (1 - normalCdf(largest)));
}

function binsOf(forecasts: readonly (Forecast & { readonly block: string })[]): Calibration['bins'] {
  return Array.from({ length: BINS }, (_, bin) => {
    const own = forecasts.filter(
      ({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)) === bin,
    );
    if (own.length === 0) return [];
    const trials = new Set(own.map(({ block }) => block)).size;
    const observed = own.filter(({ came }) => came).length / own.length;
    const stated = own.reduce((sum, { probability }) => sum + probability, 0) / own.length;
    const range = { from: bin / BINS, to: (bin + 1) / BINS };
    return [{ ...range, forecasts: own.length, stated, observed, ...wilson(observed, trials) }];
  }).flat();
}

function wilson(share: number, trials: number): { readonly low: number; readonly high: number } {
  const z = -normalQuantile(TAIL);
  const scale = 1 + (z * z) / trials;
  const centre = (share + (z * z) / (2 * trials)) / scale;
  const half = (z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials))) / scale;
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
