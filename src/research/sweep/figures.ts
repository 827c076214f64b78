import { createHash } from 'node:crypto';
import { type RunSummary, runSummarySchema } from '../../results/analysis/index.ts';
import type { Point } from './space.ts';

/**
 * Value of a figure, which is a scalar field of a run's summary such as the Sharpe ratio. An amount of money
 * is a number here, although the summary contains it as a decimal string. A date is a string.
 */
type FigureValue = number | string | boolean | null;
export type Figures = Readonly<Record<string, FigureValue>>;

/** Fields of a summary that do not describe a trial or do not fit into a column of `trials.parquet`. */
const OMITTED = new Set([
  'runId',
  'strategy',
  'outcome',
  'verdict',
  'alarms',
  'openDoors',
  'stamps',
  'symbols',
  'periodsInWords',
  'benchmark',
  'commonPeriod',
  'costSteps',
  'attribution',
  'months',
  'activity',
  'model',
  'modelCutoff',
  'damage',
  'reasons',
  'drawdowns',
]);
const TEXTS = new Set([
  'firstBar',
  'lastBar',
  'evaluatedFrom',
  'bestDayDate',
  'worstDayDate',
  'drawdownHalt',
]);
const BOOLEANS = new Set(['sealed', 'underAYear', 'drawdownRecovered']);

/**
 * Names of the figures that are columns of `trials.parquet`, in the order of the summary's schema. These
 * columns follow the columns of parameters.
 */
export const FIGURE_NAMES: readonly string[] = Object.keys(runSummarySchema.shape).filter(
  (name) => !OMITTED.has(name),
);

/** Names of the numeric and boolean figures. Only these can occur in an objective. True counts as 1. */
export const NUMBER_NAMES: readonly string[] = FIGURE_NAMES.filter((name) => !TEXTS.has(name));

export function figureType(name: string): 'text' | 'boolean' | 'number' {
  return TEXTS.has(name) ? 'text' : BOOLEANS.has(name) ? 'boolean' : 'number';
}

/** Returns the scalar figures of a summary. */
export function figuresOf(summary: Partial<RunSummary>): Figures {
  const given: Readonly<Record<string, unknown>> = summary;
  return Object.fromEntries(FIGURE_NAMES.map((name) => [name, scalar(name, given[name])]));
}

function scalar(name: string, value: unknown): FigureValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value;
  if (figureType(name) === 'text') return String(value);
  const number = Number(value);
  // The number is normalised as in JSON: -0 becomes 0, and NaN becomes `null`. A new result is therefore
  // identical to the same result read from a journal or received from another machine.
  return Number.isFinite(number) ? number + 0 : null;
}

/** Period of a trial: the bars that the strategy sees, and the bars that are evaluated. All as dates. */
export interface Period {
  /** Date of the first visible bar. Bars before `evaluateFrom` are visible but not evaluated. */
  readonly from: string;
  /** Date of the last bar. */
  readonly to: string;
  /** First evaluated date. If omitted, all bars are evaluated. */
  readonly evaluateFrom?: string | undefined;
  /** If true, positions are closed at the open of the last bar. */
  readonly closeAtEnd?: boolean;
  /**
   * Parameters that replace the previous parameters from a date on, with the same account. Used by a
   * walk-forward that carries positions.
   */
  readonly later?: readonly LaterParameters[];
}

interface LaterParameters {
  readonly from: string;
  readonly parameters: Point;
}

/** One evaluation of a strategy: parameters and period. */
export interface Trial {
  /**
   * SHA-256 of the strategy's bundle, the data, parameters, settings, seed and period. Equal trials have
   * equal ids.
   */
  readonly id: string;
  readonly parameters: Point;
  readonly period: Period;
}

/** Inputs that all trials of a sweep share. */
export interface TrialGround {
  /** Content hash of the strategy, bundled into one file. */
  readonly strategy: string;
  /** Content hashes of all input files. */
  readonly data: readonly string[];
  /** Settings and options that affect figures. The settings include the seed. */
  readonly settings: unknown;
}

/** Creates a trial. The id is the hash of all inputs that determine its figures. */
export function trialOf(ground: TrialGround, parameters: Point, period: Period): Trial {
  const { strategy, data, settings } = ground;
  const { from, to, evaluateFrom = null, closeAtEnd = false, later } = period;
  const content = sorted({
    strategy,
    data,
    settings,
    parameters,
    period: { from, to, evaluateFrom, closeAtEnd, ...(later === undefined ? {} : { later }) },
  });
  const id = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
  return { id, parameters, period };
}

/** Sorts the keys of objects, so that equal objects result in equal JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, own]) => [key, sorted(own)]),
  );
}
